import GRDB
import SiteModel
import SiteStore

/// What the verbs of the books look up.
extension Books {
    /// A session's times and revision as stored, or `nil` if there is none, or it was withdrawn.
    package func sessionTimes(
        _ id: Int64
    ) throws(StoreError) -> (from: Timestamp, to: Timestamp?, revision: Int64)? {
        try store.read { db in
            try Row.fetchOne(
                db, sql: "SELECT * FROM attendance_session WHERE id = ? AND void = 0",
                arguments: [id]
            ).map { ($0.moment("from_ms"), $0.optionalMoment("to_ms"), $0["rev"]) }
        }
    }

    /// The IANA name of the site's zone, or `nil` before the first import.
    package func timeZone() throws(StoreError) -> String? {
        try store.read { db in try String.fetchOne(db, sql: "SELECT time_zone FROM site") }
    }

    /// The row of a slug, also of somebody who was retired, or `nil`.
    package func userID(_ slug: String) throws(StoreError) -> UserID? {
        try store.read { db in
            try Int64.fetchOne(db, sql: "SELECT id FROM user WHERE slug = ?", arguments: [slug])
                .map { UserID($0) }
        }
    }
}
