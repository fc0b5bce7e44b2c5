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
    private(set) var replacements: [ErasureDebt.Replacement]

    init(_ user: UserID, slug: String, _ db: Database) throws {
        self.user = user
        pseudonym = Self.random("u")
        let name = try String.fetchOne(
            db, sql: "SELECT name FROM user WHERE id = ?", arguments: [user.row])
        replacements = [.init(text: slug, by: pseudonym)]
        if let name, !name.isEmpty, name != slug { note(name, by: "erased") }
        try noteNames(db)
    }

    /// What they sign in with. Such a name may be any word, so that it counts only where it stands as one
    /// of these.
    private mutating func noteNames(_ db: Database) throws {
        let tables = [("account", "account"), ("token", "token"), ("broker_identity", "mqtt")]
        for (table, prefix) in tables where try db.tableExists(table) {
            let names = try String.fetchAll(
                db, sql: "SELECT name FROM \(table) WHERE user = ?", arguments: [user.row])
            for name in names {
                note("\(prefix):\(name)", by: "erased")
                note("\"name\":\"\(name)\"", by: "\"name\":\"erased\"")
            }
        }
    }

    /// A slug that says nothing: 80 random bits.
    private static func random(_ kind: String) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz234567")
        return "\(kind)-" + String((0..<16).map { _ in letters[Int.random(in: 0..<32)] })
    }

    private mutating func note(_ text: String, by replacement: String) {
        replacements.append(.init(text: text, by: replacement))
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
                    WHERE open.beacon = beacon.id AND coalesce(open.to_ms > ?, 1) AND open.user <> ?)
                    AS is_others
                FROM beacon WHERE id IN (SELECT beacon FROM beacon_binding WHERE user = ?)
                """, arguments: [now.milliseconds, user.row, user.row])
        for beacon in beacons where !(beacon["is_others"] as Bool) {
            let id: Int64 = beacon["id"]
            let slug = Self.random("b")
            note(beacon["slug"], by: slug)
            note(beacon["title"], by: "erased")
            try db.run(
                "UPDATE beacon SET slug = ?, title = 'erased' WHERE id = ?", [slug, id])
            if !options.keepsBeacons {
                note(beacon["identity"], by: "erased")
                for old in try String.fetchAll(
                    db, sql: "SELECT DISTINCT identity FROM beacon_identity WHERE beacon = ?",
                    arguments: [id])
                {
                    note(old, by: "erased")
                }
                try db.run("DELETE FROM beacon_identity WHERE beacon = ?", [id])
                try db.run(
                    """
                    UPDATE beacon SET identity = 'erased-' || id,
                        retired_ms = coalesce(retired_ms, ?) WHERE id = ?
                    """, [now.milliseconds, id])
                try db.run("DELETE FROM device_offset WHERE beacon = ?", [id])
            }
            erasure.blanked["beacon", default: 0] += 1
        }
        try db.run(
            """
            DELETE FROM beacon_binding WHERE user = ?1 AND from_ms >= ?2
                AND coalesce(to_ms > ?2, 1)
            """, [user.row, now.milliseconds])
        try db.run(
            """
            UPDATE beacon_binding SET to_ms = min(coalesce(to_ms, ?1), ?1), until_ms = NULL
            WHERE user = ?2 AND (coalesce(to_ms > ?1, 1) OR until_ms IS NOT NULL)
            """, [now.milliseconds, user.row])
        for node in try Row.fetchAll(
            db, sql: "SELECT id, slug, name FROM node WHERE carrier = ?", arguments: [user.row])
        {
            let slug = Self.random("n")
            note(node["slug"], by: slug)
            note(node["name"], by: "erased")
            try db.run(
                """
                UPDATE node SET slug = ?, name = 'erased', retired_ms = coalesce(retired_ms, ?)
                WHERE id = ?
                """, [slug, now.milliseconds, node["id"] as Int64])
            erasure.blanked["node", default: 0] += 1
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
