import Ciphers
import Foundation
import GRDB
import Permissions
import Records
import SiteModel
import SiteStore

/// The numbers by which people check in at a kiosk, and whom a kiosk finds.
package struct Pins: Sendable {
    /// So many digits has one.
    package static let digits = 6
    /// The shortest part of a name that a kiosk looks for, and the most people it shows.
    package static let shortestPart = 2
    package static let mostFound = 8

    /// Somebody, as a kiosk shows them.
    package struct Owner: Equatable, Sendable {
        package var user: String
        package var name: String
    }

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Gives somebody a number that nobody else has, in the place of the one before, and returns it: it is kept nowhere.
    ///
    /// - Throws: A `BooksRefusal` if there is nobody of that slug, else a writer's `StoreError`.
    package func make(for user: String, by asker: Asker) throws -> String {
        try store.transaction { db in
            let row = try Self.row(of: user, db)
            let taken = Set(
                try db.rows("SELECT hash FROM pin WHERE user <> ?", [row]) {
                    Array($0["hash"] as Data)
                })
            var pin = Self.drawn()
            while taken.contains(Self.hash(of: pin)) {
                // Half of all numbers are many more than people at a site.
                guard taken.count < Self.numbers / 2 else {
                    throw BooksRefusal(.badState, "no number is free")
                }
                pin = Self.drawn()
            }
            try db.run(
                """
                INSERT INTO pin (user, hash, made_ms) VALUES (?, ?, ?)
                ON CONFLICT (user) DO UPDATE SET hash = excluded.hash, made_ms = excluded.made_ms
                """, [row, Data(Self.hash(of: pin)), asker.at.milliseconds])
            try Self.note("set-pin", row, by: asker, db)
            return pin
        }
    }

    /// Takes somebody's number away. Without one nothing changes.
    ///
    /// - Throws: As `make`.
    package func remove(of user: String, by asker: Asker) throws {
        try store.transaction { db in
            let row = try Self.row(of: user, db)
            try db.run("DELETE FROM pin WHERE user = ?", [row])
            if db.changesCount > 0 { try Self.note("remove-pin", row, by: asker, db) }
        }
    }

    /// Since when somebody has the number they have; `nil`: they have none.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func made(of user: String) throws(StoreError) -> Timestamp? {
        try store.read { db in
            try Int64.fetchOne(
                db, sql: "SELECT made_ms FROM pin JOIN user ON user.id = pin.user WHERE slug = ?",
                arguments: [user]
            ).map(Timestamp.init(milliseconds:))
        }
    }

    /// Whose a number is; `nil`: nobody's who is registered still.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func owner(of pin: String) throws(StoreError) -> Owner? {
        try store.read { db in
            try db.rows(
                """
                SELECT slug, name FROM pin JOIN user ON user.id = pin.user
                WHERE hash = ? AND retired_ms IS NULL
                """, [Data(Self.hash(of: pin))], as: Self.owner
            ).first
        }
    }

    /// Who carries a tag at a moment.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func owner(ofBeacon beacon: String, at now: Timestamp) throws(StoreError) -> Owner? {
        try store.read { db in
            try db.rows(
                """
                SELECT user.slug, user.name FROM beacon_binding AS binding
                    JOIN beacon ON beacon.id = binding.beacon
                    JOIN user ON user.id = binding.user
                WHERE beacon.slug = ?1 AND beacon.retired_ms IS NULL AND user.retired_ms IS NULL
                    AND from_ms <= ?2 AND coalesce(to_ms, ?2 + 1) > ?2
                """, [beacon, now.milliseconds], as: Self.owner
            ).first
        }
    }

    /// Those whose name has a word that begins so, however it is written, by name; at most `mostFound`.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func people(named part: String) throws(StoreError) -> [Owner] {
        let asked = Self.plain(part)
        let all = try store.read { db in
            try db.rows(
                "SELECT slug, name FROM user WHERE retired_ms IS NULL ORDER BY name, slug",
                as: Self.owner)
        }
        let found = all.filter { one in
            let name = Self.plain(one.name)
            return name.hasPrefix(asked) || name.contains(" " + asked)
        }
        return Array(found.prefix(Self.mostFound))
    }

    private static let numbers = 1_000_000

    private static func drawn() -> String {
        let text = String(Int.random(in: 0..<numbers))
        return String(repeating: "0", count: digits - text.count) + text
    }

    private static func hash(of pin: String) -> [UInt8] {
        SHA256.digest(of: Array("beaconmesh pin \(pin)".utf8))
    }

    private static func plain(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }

    private static func owner(_ row: Row) -> Owner { Owner(user: row["slug"], name: row["name"]) }

    private static func row(of user: String, _ db: Database) throws -> Int64 {
        let row = try Int64.fetchOne(
            db, sql: "SELECT id FROM user WHERE slug = ? AND retired_ms IS NULL", arguments: [user])
        guard let row else { throw BooksRefusal(.notFound, "there is no user \(user)") }
        return row
    }

    private static func note(_ action: String, _ row: Int64, by asker: Asker, _ db: Database) throws
    {
        try AuditTrail.append(
            AuditEntry(
                at: asker.at, actor: asker.name, via: asker.via, action: action, entity: "user",
                entityID: "\(row)", user: UserID(row)), db)
    }
}
