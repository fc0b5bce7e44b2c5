import Foundation
import GRDB
import Records
import SiteModel
import SiteStore

/// A calendar that programs subscribe to by a secret address.
package struct Feed: Equatable, Sendable {
    package enum Kind: String, CaseIterable, Sendable, Codable {
        case attendance
        /// Shifts that are planned.
        case shifts
    }

    /// Its row.
    package var id: Int64
    /// SHA-256 of its secret, 32 bytes. The secret itself is not kept.
    package var hash: [UInt8]
    /// Whose calendar it is, or `nil` for everybody's.
    package var user: UserID?
    package var kind: Kind
    /// When it was made.
    package var created: Timestamp
    /// Since when it is refused, or `nil` while it is open.
    package var revoked: Timestamp?
}

package struct Feeds: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Adds a feed of a person, or of everybody; `hash` is the SHA-256 of its secret. Returns its row.
    ///
    /// - Throws: `.store` with a reader's `StoreError`.
    @discardableResult
    package func add(
        hash: [UInt8], user: String?, kind: Feed.Kind, by asker: Asker
    ) throws(RosterError) -> Int64 {
        try Roster(store).change { db in
            let row = try user.map { try Roster.user($0, db) }
            try db.run(
                "INSERT INTO feed (secret_hash, user, kind, created_ms) VALUES (?, ?, ?, ?)",
                [Data(hash), row, kind.rawValue, asker.at.milliseconds])
            let id = db.lastInsertedRowID
            try Roster.note(
                "add", "feed", "\(id)", user: row.map { UserID($0) }, ["kind": kind.rawValue],
                by: asker, db)
            return id
        }
    }

    /// Refuses a feed from now on.
    ///
    /// - Throws: `.store` with a reader's `StoreError`.
    package func revoke(_ id: Int64, by asker: Asker) throws(RosterError) {
        try Roster(store).change { db in
            try db.run(
                "UPDATE feed SET revoked_ms = ? WHERE id = ? AND revoked_ms IS NULL",
                [asker.at.milliseconds, id])
            guard db.changesCount == 1 else { throw RosterError.unknownFeed(id) }
            try Roster.note("revoke", "feed", "\(id)", [:], by: asker, db)
        }
    }

    /// Every feed, revoked ones too.
    ///
    /// - Throws: `.store` with a reader's `StoreError`.
    package func all() throws(RosterError) -> [Feed] {
        try Roster(store).roster(reading: { db in
            try db.rows("SELECT * FROM feed ORDER BY id", as: feed)
        })
    }

    /// The open feed whose secret has this SHA-256, or `nil`.
    ///
    /// All open ones are compared, each in the same time whether it is nearly right or all wrong.
    ///
    /// - Throws: `.store` with a reader's `StoreError`.
    package func feed(hash: [UInt8]) throws(RosterError) -> Feed? {
        try Roster(store).roster(reading: { db in
            let open = try db.rows(
                "SELECT * FROM feed WHERE revoked_ms IS NULL ORDER BY id", as: feed)
            return open.filter { feed in
                feed.hash.count == hash.count
                    && zip(feed.hash, hash).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
            }.first
        })
    }

    private func feed(_ row: Row) throws -> Feed {
        guard let kind = Feed.Kind(rawValue: row["kind"]) else {
            throw DamagedRow("feed.kind", row["id"])
        }
        return Feed(
            id: row["id"], hash: Array(row["secret_hash"] as Data),
            user: row["user"], kind: kind,
            created: row["created_ms"], revoked: row["revoked_ms"])
    }
}
