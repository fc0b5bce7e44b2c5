import Foundation
import GRDB
import SiteModel
import SiteStore

/// A person who is being erased: what they were called, and where it may stand.
struct ErasedPerson {
    let user: UserID
    /// What they are called from now on.
    let pseudonym: String
    /// What each text becomes, wherever it stands as a word.
    private var replacements: [(text: String, by: String)]

    init(_ user: UserID, slug: String, _ db: Database) throws {
        self.user = user
        pseudonym = Self.random("u")
        let name = try String.fetchOne(
            db, sql: "SELECT name FROM user WHERE id = ?", arguments: [user.row])
        replacements = [(slug, pseudonym)]
        if let name, !name.isEmpty, name != slug { replacements.append((name, "erased")) }
    }

    /// A slug that says nothing: 80 random bits.
    private static func random(_ kind: String) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz234567")
        return "\(kind)-" + String((0..<16).map { _ in letters[Int.random(in: 0..<32)] })
    }

    /// Tables whose rows about a person are kept under the pseudonym: attendance, and the proof
    /// that what was done was allowed.
    private static let kept: Set = [
        "attendance_session", "statement", "correction", "beacon_binding", "consent", "audit_log",
        "shift_assignment", "leave_day", "disposal",
    ]
    /// What goes with attendance if that goes, children first.
    private static let attendance = [
        "correction", "statement", "shift_assignment", "leave_day", "attendance_session",
    ]
    /// What refers to rows of a person without naming them, children first.
    private static let children = [
        ("delivery", "notification", "notification"), ("workout_pause", "workout", "workout"),
        ("workout_set", "workout", "workout"), ("station_claim", "workout", "workout"),
    ]

    /// Deletes what no law asks to keep.
    func deleteRows(
        _ options: ErasureOptions, _ now: Timestamp, _ erasure: inout Erasure, _ db: Database
    ) throws {
        try db.run("INSERT INTO disposal (id, user) VALUES (1, ?)", [user.row])
        for (child, column, parent) in Self.children
        where try PersonExports.tables(holding: column, db).contains(child) {
            try delete(
                child, "\(column) IN (SELECT id FROM \(parent) WHERE user = ?)", &erasure, db)
        }
        for table in try PersonExports.tables(holding: "user", db) where !Self.kept.contains(table)
        {
            try delete(table, "user = ?", &erasure, db)
        }
        if options.deletesAttendance {
            for table in Self.attendance where try db.tableExists(table) {
                try delete(table, "user = ?", &erasure, db)
            }
        }
        try delete(
            "audit_value", "audit IN (SELECT id FROM audit_log WHERE user = ?)", &erasure, db)
        try db.run("DELETE FROM disposal")
        try db.run(
            "UPDATE consent SET withdrawn_ms = ? WHERE user = ? AND withdrawn_ms IS NULL",
            [now.milliseconds, user.row])
        // What people wrote about them may say anything.
        try db.run(
            """
            UPDATE correction SET reason = 'erased',
                decision_reason = iif(decision_reason IS NULL, NULL, 'erased')
            WHERE user = ?
            """, [user.row])
        try note(db.changesCount, in: "correction", &erasure)
        if try PersonExports.tables(holding: "reason", db).contains("statement") {
            try db.run(
                "UPDATE statement SET reason = 'erased' WHERE user = ? AND reason IS NOT NULL",
                [user.row])
            try note(db.changesCount, in: "statement", &erasure)
        }
    }

    private func delete(
        _ table: String, _ condition: String, _ erasure: inout Erasure, _ db: Database
    ) throws {
        try db.execute(sql: "DELETE FROM \(table) WHERE \(condition)", arguments: [user.row])
        if db.changesCount > 0 { erasure.deleted[table, default: 0] += db.changesCount }
    }

    private func note(_ count: Int, in table: String, _ erasure: inout Erasure) throws {
        if count > 0 { erasure.blanked[table, default: 0] += count }
    }

    /// Takes their beacons off them. A title like “Ann's tag” and a slug like `ann-tag` say whose
    /// it is, so both go. The nodes they carry are retired.
    mutating func renameBeacons(
        _ options: ErasureOptions, _ now: Timestamp, _ erasure: inout Erasure, _ db: Database
    ) throws {
        let beacons = try Row.fetchAll(
            db,
            sql: """
                SELECT id, slug, title, identity, EXISTS (SELECT 1 FROM beacon_binding AS open
                    WHERE open.beacon = beacon.id AND open.to_ms IS NULL AND open.user <> ?)
                    AS is_others
                FROM beacon WHERE id IN (SELECT beacon FROM beacon_binding WHERE user = ?)
                """, arguments: [user.row, user.row])
        for beacon in beacons where !(beacon["is_others"] as Bool) {
            let id: Int64 = beacon["id"]
            let slug = Self.random("b")
            replacements.append((beacon["slug"], slug))
            replacements.append((beacon["title"], "erased"))
            try db.run(
                "UPDATE beacon SET slug = ?, title = 'erased' WHERE id = ?", [slug, id])
            if !options.keepsBeacons {
                replacements.append((beacon["identity"], "erased"))
                try db.run(
                    """
                    UPDATE beacon SET identity = 'erased-' || id,
                        retired_ms = coalesce(retired_ms, ?) WHERE id = ?
                    """, [now.milliseconds, id])
                try db.run("DELETE FROM device_offset WHERE beacon = ?", [id])
            }
            try note(1, in: "beacon", &erasure)
        }
        try db.run(
            """
            DELETE FROM beacon_binding WHERE user = ? AND to_ms IS NULL AND from_ms >= ?
            """, [user.row, now.milliseconds])
        try db.run(
            "UPDATE beacon_binding SET to_ms = ? WHERE user = ? AND to_ms IS NULL",
            [now.milliseconds, user.row])
        for node in try Row.fetchAll(
            db, sql: "SELECT id, slug, name FROM node WHERE carrier = ?", arguments: [user.row])
        {
            let slug = Self.random("n")
            replacements.append((node["slug"], slug))
            replacements.append((node["name"], "erased"))
            try db.run(
                """
                UPDATE node SET slug = ?, name = 'erased', retired_ms = coalesce(retired_ms, ?)
                WHERE id = ?
                """, [slug, now.milliseconds, node["id"] as Int64])
            try note(1, in: "node", &erasure)
        }
    }

    /// Tables with nothing anybody wrote, or that are renamed by row.
    private static let spared: Set = [
        "site", "room", "station", "node", "user", "beacon", "event", "evidence", "node_cursor",
        "audit_log", "erased_slug", "disposal", "model", "site_state", "reasons", "device_offset",
        "attendance_session", "presence", "ledger",
    ]
    /// Columns of our own words.
    private static let words: Set = [
        "side", "salt", "source", "change", "state", "level", "kind", "table_name", "codes",
    ]
    /// Rows that are not rewritten but go if they name somebody.
    private static let going: Set = ["audit_value", "answer", "refused_input"]

    /// Goes through every other text and takes the names out of it, also as JSON writes them.
    func blankTexts(_ erasure: inout Erasure, _ db: Database) throws {
        let columns = try Row.fetchAll(
            db,
            sql: """
                SELECT tables.name AS table_name, columns.name AS column_name
                FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
                WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%'
                    AND columns.type = 'TEXT' ORDER BY 1, 2
                """
        ).map { ($0["table_name"] as String, $0["column_name"] as String) }
        for (table, column) in columns
        where !Self.spared.contains(table) && !Self.words.contains(column) {
            for (text, replacement) in Self.written(replacements) {
                try replace(text, by: replacement, in: table, column, &erasure, db)
            }
        }
    }

    /// Each text as it is, and as it stands within JSON and within our own escapes.
    private static func written(
        _ replacements: [(text: String, by: String)]
    ) -> [(text: String, by: String)] {
        replacements.filter { !$0.text.isEmpty }.flatMap { text, by in
            var forms = [text]
            for form in [text.storable, try? JSONText.text(of: text)].compactMap(\.self) {
                let inner = form.hasPrefix("\"") ? String(form.dropFirst().dropLast()) : form
                if !forms.contains(inner) { forms.append(inner) }
            }
            return forms.map { ($0, by) }
        }
    }

    private func replace(
        _ text: String, by replacement: String, in table: String, _ column: String,
        _ erasure: inout Erasure, _ db: Database
    ) throws {
        let found = try String.fetchAll(
            db,
            sql: """
                SELECT DISTINCT \(column) FROM \(table)
                WHERE instr(lower(\(column)), lower(?)) > 0
                """, arguments: [text])
        for old in found {
            let isGoing = Self.going.contains(table)
            // A line break is written `\n` there, and n is no part of the word behind it.
            let read = isGoing ? old.replacing(/\\+[bfnrt]/, with: " ") : old
            let new = read.replacingWord(text, by: replacement)
            guard new != read else { continue }
            if isGoing {
                try db.execute(
                    sql: "DELETE FROM \(table) WHERE \(column) = ?", arguments: [old])
                erasure.deleted[table, default: 0] += db.changesCount
                continue
            }
            try db.execute(
                sql: "UPDATE \(table) SET \(column) = ? WHERE \(column) = ?",
                arguments: [new, old])
            try note(db.changesCount, in: table, &erasure)
        }
    }
}

extension String {
    /// With every occurrence of `word`, in any case, replaced where it is not part of a longer
    /// word.
    func replacingWord(_ word: String, by replacement: String) -> String {
        var result = ""
        var rest = self[...]
        while let range = rest.range(of: word, options: .caseInsensitive) {
            let before = range.lowerBound > startIndex ? self[index(before: range.lowerBound)] : " "
            let after = range.upperBound < endIndex ? self[range.upperBound] : " "
            let isWord = !before.isLetter && !before.isNumber && !after.isLetter && !after.isNumber
            result += rest[..<range.lowerBound]
            result += isWord ? replacement : String(rest[range])
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}

/// What an erasure did.
package struct Erasure: Equatable, Sendable, Codable {
    /// The pseudonym under which attendance is kept; nothing leads from the old one to it.
    package var user: String
    /// Rows deleted, by table.
    package var deleted: [String: Int]
    /// Rows in which a name was blanked, by table.
    package var blanked: [String: Int]
    /// The number of sessions kept under the new pseudonym.
    package var sessionsKept: Int

    package enum CodingKeys: String, CodingKey {
        case user, deleted, blanked
        case sessionsKept = "sessions_kept"
    }
}

/// What an erasure spares, and what not.
package struct ErasureOptions: Equatable, Sendable, Codable {
    /// Also the attendance goes, which a law may ask to keep.
    package var deletesAttendance: Bool
    /// The beacons they carry stay registered, for somebody else; else they are retired and their
    /// identities and keys blanked.
    package var keepsBeacons: Bool

    package init(deletesAttendance: Bool = false, keepsBeacons: Bool = false) {
        self.deletesAttendance = deletesAttendance
        self.keepsBeacons = keepsBeacons
    }
}
