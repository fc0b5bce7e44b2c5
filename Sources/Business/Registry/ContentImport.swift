import Basics
import GRDB
import Operations
import Records
import SiteModel
import SiteStore

/// Cards of beacons by their minor, as a file says them and as one is written of them.
package struct ContentImport: Sendable {
    /// What came of a file.
    package struct Done: Equatable, Sendable {
        package var added = 0
        package var changed = 0
        package var retired = 0
        package var same = 0
        package var notes: [String] = []
        /// Names of pictures that are not there.
        package var missing: [String] = []

        package init() {}
    }

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Makes the cards of a group's minors, or of all beacons', those of a file. A card that the file does not name is
    /// retired; those of other things, and those in a language, stay.
    ///
    /// - Parameter isAsked: By a person, who may mean a file without any beacon.
    /// - Throws: A `BooksRefusal` with what is wrong, and of which beacon; a `StoreError`. Nothing is written then.
    package func perform(
        _ bytes: [UInt8], group: String?, isAsked: Bool = true, by asker: Asker
    ) throws -> Done {
        let file: ContentFile
        do throws(ContentFile.Fault) {
            file = try ContentFile(bytes)
        } catch {
            throw BooksRefusal(.schema, error.description)
        }
        guard isAsked || !file.entries.isEmpty else {
            throw BooksRefusal(.schema, "no beacon is in it: the cards stay as they are")
        }
        var done = Done()
        done.notes = file.notes
        try check(group)
        let (rows, retired) = try store.read { db in
            try Self.rows(of: file, group, &done, db)
        }
        if !rows.isEmpty || !retired.isEmpty {
            try RowEditor(store).perform(.content(rows, retiring: retired), by: asker)
        }
        done.missing = try store.write { db in
            try db.run(
                """
                INSERT INTO content_source (id, file, beacon_group, read_ms)
                VALUES (1, ?1, (SELECT id FROM beacon_group WHERE slug = ?2), ?3)
                ON CONFLICT (id) DO UPDATE SET file = excluded.file,
                    beacon_group = excluded.beacon_group, read_ms = excluded.read_ms
                """, [String(decoding: bytes, as: UTF8.self), group, asker.at.milliseconds])
            return try Self.missing(file, db)
        }
        return done
    }

    /// The file of a group's minors, or of all beacons': what was read last, byte for byte, while the cards say the same.
    ///
    /// - Throws: A `BooksRefusal`, `notFound`; a `StoreError`.
    package func file(of group: String?) throws -> String {
        try check(group)
        return try store.read { db in
            let entries = try Self.cards(of: group, db).compactMap { Self.entry($0) }
            guard let stored = try Self.stored(group, db) else { return ContentFile(entries).text }
            return stored.file.entries == entries ? stored.text : stored.file.with(entries).text
        }
    }

    /// Names of pictures of the file that was read last that are not there.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func missing(of group: String?) throws(StoreError) -> [String] {
        try store.read { db in
            try Self.stored(group, db).map { try Self.missing($0.file, db) } ?? []
        }
    }

    /// Whether the cards say what was read last.
    static func isAsRead(_ group: String?, _ db: Database) throws -> Bool {
        try stored(group, db)?.file.entries == cards(of: group, db).compactMap { entry($0) }
    }

    private static func stored(
        _ group: String?, _ db: Database
    ) throws -> (text: String, file: ContentFile)? {
        let text = try String.fetchOne(
            db,
            sql: """
                SELECT file FROM content_source WHERE file IS NOT NULL
                    AND beacon_group IS (SELECT id FROM beacon_group WHERE slug = ?)
                """, arguments: [group])
        return text.flatMap { text in
            (try? ContentFile(Array(text.utf8))).map { (text, $0) }
        }
    }

    private func check(_ group: String?) throws {
        guard let group, try SiteRows(store).row(.groups, group) == nil else { return }
        throw BooksRefusal(.notFound, "there is no group \(group.quoted)")
    }

    /// The cards that a file is about.
    private static func cards(of group: String?, _ db: Database) throws -> [SiteTree] {
        try RowTable(.cards).rows(
            db,
            where: """
                minor IS NOT NULL AND language IS NULL
                    AND beacon_group IS (SELECT id FROM beacon_group WHERE slug = ?)
                """, [group], orderedBy: "card.minor, card.id")
    }

    private static func entry(_ card: SiteTree) -> ContentFile.Entry? {
        guard case .scalar(let text)? = card["minor"], let minor = UInt16(text) else { return nil }
        return ContentFile.Entry(
            minor: minor, title: card["title"]?.string ?? "", subtitle: card["subtitle"]?.string,
            text: card["text"]?.string, picture: card["picture"]?.string,
            link: card["link"]?.string)
    }

    /// The rows to write, and the ids of those to retire.
    private static func rows(
        of file: ContentFile, _ group: String?, _ done: inout Done, _ db: Database
    ) throws -> (rows: [SiteTree], retired: [String]) {
        let named = Set(file.entries.map(\.minor))
        var before: [UInt16: SiteTree] = [:]
        var retired: [String] = []
        for card in try cards(of: group, db) {
            guard let entry = entry(card), before[entry.minor] == nil,
                named.contains(entry.minor)
            else {
                retired.append(card["id"]?.string ?? "")
                continue
            }
            before[entry.minor] = card
        }
        let taken = Set(
            try db.rows("SELECT slug FROM card WHERE retired_ms IS NULL") { $0["slug"] as String })
        var rows: [SiteTree] = []
        for entry in file.entries {
            let old = before[entry.minor]
            if let old, Self.entry(old) == entry {
                done.same += 1
                continue
            }
            if old == nil { done.added += 1 } else { done.changed += 1 }
            let id = old?["id"]?.string ?? freeID(of: entry.minor, group, taken)
            rows.append(row(id, entry, group))
        }
        done.retired = retired.count
        return (rows, retired)
    }

    private static func freeID(of minor: UInt16, _ group: String?, _ taken: Set<String>) -> String {
        let base = "\(group?.prefix(48) ?? "minor")-\(minor)"
        guard taken.contains(base) else { return base }
        return (2...).lazy.map { "\(base)-\($0)" }.first { !taken.contains($0) } ?? base
    }

    private static func row(
        _ id: String, _ entry: ContentFile.Entry, _ group: String?
    ) -> SiteTree {
        let texts: [(key: String, value: String?)] = [
            ("id", id), ("title", entry.title), ("subtitle", entry.subtitle), ("text", entry.text),
            ("picture", entry.picture), ("link", entry.link), ("group", group),
        ]
        return .section(
            texts.compactMap { key, text in text.map { (key, .text($0)) } }
                + [("minor", .scalar("\(entry.minor)"))])
    }

    private static func missing(_ file: ContentFile, _ db: Database) throws -> [String] {
        let names = Set(file.entries.compactMap(\.picture))
        let there = try Set(String.fetchAll(db, sql: "SELECT name FROM picture"))
        return names.subtracting(there).sorted()
    }
}
