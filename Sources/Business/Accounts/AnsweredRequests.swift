import Foundation
import GRDB
import Permissions
import SiteModel
import SiteStore

/// What was asked with an `Idempotency-Key`, and what was answered, for 24 hours.
package struct AnsweredRequests: Sendable {
    /// What is known of a key.
    package enum Known: Equatable, Sendable {
        /// Nothing was: it counts as begun from now on.
        case nothing
        /// `body` is `nil` where it had a secret.
        case answered(status: Int, body: String?)
        /// It was begun, and what came of it is not known.
        case begun
        /// It was asked for something else.
        case other
        /// They have used `mostKeys` within the day.
        case tooMany
    }

    /// So many keys one asker may use within the time they are kept.
    package static let mostKeys = Principal.mostRequestsADay

    private static let kept = Timestamp.Span.seconds(24 * 3600)

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Notes that somebody asks for something with a key, unless they did before. `digest` is of all
    /// that is asked for.
    package func begin(
        _ asker: String, _ key: String, _ digest: [UInt8], at now: Timestamp
    ) throws(StoreError) -> Known {
        try store.write { db in
            try db.run(
                "DELETE FROM http_request WHERE at_ms < ?", [(now - Self.kept).milliseconds])
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM http_request WHERE asker = ? AND key = ?",
                arguments: [asker, key])
            guard let row else {
                let count = try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM http_request WHERE asker = ?", arguments: [asker]
                )
                guard count ?? 0 < Self.mostKeys else { return .tooMany }
                try db.run(
                    "INSERT INTO http_request (asker, key, digest, at_ms) VALUES (?, ?, ?, ?)",
                    [asker, key, Data(digest), now.milliseconds])
                return .nothing
            }
            guard Array(row["digest"] as Data) == digest else { return .other }
            guard let status = row["status"] as Int? else { return .begun }
            return .answered(status: status, body: row["body"])
        }
    }

    /// Notes the answer.
    package func finish(
        _ asker: String, _ key: String, status: Int, body: String?
    ) throws(StoreError) {
        try store.write { db in
            try db.run(
                "UPDATE http_request SET status = ?, body = ? WHERE asker = ? AND key = ?",
                [status, body?.storable, asker, key])
        }
    }

    /// Nothing was done: the key may be used again.
    package func forget(_ asker: String, _ key: String) throws(StoreError) {
        try store.write { db in
            try db.run("DELETE FROM http_request WHERE asker = ? AND key = ?", [asker, key])
        }
    }
}
