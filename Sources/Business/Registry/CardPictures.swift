import Ciphers
import Foundation
import GRDB
import Records
import SiteModel
import SiteStore

/// The pictures that cards show, by name.
package struct CardPictures: Sendable {
    /// One of them.
    package struct Kept: Equatable, Sendable {
        package var name: String
        /// Another picture of the name has another one.
        package var version: String
        package var bytes: Int
    }

    /// So many a site has at most.
    package static let most = 200
    /// The longest PNG, in bytes: backups hold it, too.
    package static let longest = 2 << 20

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// All of them, by name.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func all() throws(StoreError) -> [Kept] {
        try store.read { db in try Self.kept("TRUE", [], db) }
    }

    /// The PNG of a name; `nil` if there is none.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func png(of name: String) throws(StoreError) -> [UInt8]? {
        try store.read { db in
            try Row.fetchOne(db, sql: "SELECT png FROM picture WHERE name = ?", arguments: [name])
                .map { Array($0["png"] as Data) }
        }
    }

    /// Keeps a picture, in the place of the one of that name. Cards show it from then on.
    ///
    /// - Throws: A `BooksRefusal`, `schema`, if there are too many; a writer's `StoreError`; nothing was written.
    package func put(_ png: [UInt8], named name: String, by asker: Asker) throws -> Kept {
        guard png.count <= Self.longest else {
            throw BooksRefusal(.schema, "png: more than \(Self.longest) bytes as we write it")
        }
        let version = HexText.text(SHA256.digest(of: png).prefix(8))
        let kept: Kept? = try store.write { db in
            let known = try Self.kept("name = ?", [name], db).first
            if known == nil,
                try Int.fetchOne(db, sql: "SELECT count(*) FROM picture") ?? 0 >= Self.most
            {
                return nil
            }
            guard known?.version != version else { return known }
            try db.run(
                """
                INSERT INTO picture (name, version, png) VALUES (?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET version = excluded.version, png = excluded.png
                """, [name, version, Data(png)])
            try Self.note(known == nil ? .added : .changed, name, by: asker, db)
            return try Self.kept("name = ?", [name], db).first
        }
        guard let kept else {
            throw BooksRefusal(.schema, "a site has \(Self.most) pictures at most")
        }
        return kept
    }

    /// Takes a picture away. `false` if there is none.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func remove(_ name: String, by asker: Asker) throws(StoreError) -> Bool {
        try store.write { db in
            try db.run("DELETE FROM picture WHERE name = ?", [name])
            guard db.changesCount == 1 else { return false }
            try Self.note(.retired, name, by: asker, db)
            return true
        }
    }

    /// A revision, so that topics tell of it.
    private static func note(
        _ kind: Change.Kind, _ name: String, by asker: Asker, _ db: Database
    ) throws {
        let change = Change(kind, Change.Subject(rawValue: "picture"), name, "")
        let revision = try RegistryRows.revise([change], at: asker.at, db)
        try RegistryRows.audit([change], of: revision, isImport: false, by: asker, db)
    }

    private static func kept(
        _ condition: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> [Kept] {
        try db.rows(
            """
            SELECT name, version, length(png) AS bytes FROM picture WHERE \(condition) ORDER BY name
            """, arguments
        ) { Kept(name: $0["name"], version: $0["version"], bytes: $0["bytes"]) }
    }
}
