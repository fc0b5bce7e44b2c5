import Foundation
import GRDB
import Permissions
import SiteModel
import SiteStore

/// What the rooms were asked with an `Idempotency-Key`, and what they answered, for 24 hours: one row each, stored
/// in the transaction of what was asked for. The answers of the machines are in the same table.
package struct AnsweredRequests: Sendable {
    /// That somebody asks for something with a key.
    package struct Claim: Equatable, Sendable {
        /// Who asks, as machines call a client.
        package var asker: String
        package var key: String
        /// SHA-256 of all that is asked for.
        package var digest: [UInt8]

        package init(asker: String, key: String, digest: [UInt8]) {
            self.asker = asker
            self.key = key
            self.digest = digest
        }
    }

    /// What is known of a key.
    package enum Known: Equatable, Sendable {
        /// Nothing was done with it.
        case nothing
        /// `body` is `nil` where it had a secret.
        case answered(status: Int, body: String?)
        /// It was used for something else.
        case other
        /// They have used `mostKeys` within the day.
        case tooMany
    }

    /// So many keys one asker may use at the rooms within the time they are kept.
    package static let mostKeys = Principal.mostRequestsADay

    private static let kept = Timestamp.Span.seconds(24 * 3600)

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// What was done with a key.
    package func known(_ claim: Claim, at now: Timestamp) throws(StoreError) -> Known {
        let oldest = (now - Self.kept).milliseconds
        return try store.read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT digest, status, body FROM answered_request
                    WHERE asker = ? AND key = ? AND at_ms >= ?
                    """, arguments: [claim.asker.storable, claim.key.storable, oldest])
            if let row {
                guard (row["digest"] as Data?).map(Array.init) == claim.digest else {
                    return .other
                }
                return .answered(status: row["status"], body: row["body"])
            }
            // Of the rooms, by their index alone: what is older goes within a minute.
            let count = try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM answered_request WHERE asker = ? AND digest IS NOT NULL
                    """, arguments: [claim.asker.storable])
            return count ?? 0 < Self.mostKeys ? .nothing : .tooMany
        }
    }

    /// Whether the machines or a room have answered a key of somebody.
    package func isAnswered(_ key: String, of asker: String) throws(StoreError) -> Bool {
        try store.read { db in
            let rows = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM answered_request WHERE asker = ? AND key = ?",
                arguments: [asker.storable, key.storable])
            return rows ?? 0 > 0
        }
    }

    /// Notes what was answered; in the transaction of what was done, if there was one.
    package func keep(
        _ claim: Claim, status: Int, body: String?, at now: Timestamp
    ) throws(StoreError) {
        try store.write { db in
            try db.run(
                """
                INSERT OR REPLACE INTO answered_request (asker, key, digest, at_ms, status, body)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
                [
                    claim.asker.storable, claim.key.storable, Data(claim.digest),
                    now.milliseconds, status, body?.storable,
                ])
        }
    }
}
