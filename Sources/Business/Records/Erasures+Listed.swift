import Ciphers
import GRDB
import SiteModel
import SiteStore

/// Erasures that a restored backup has undone.
extension Erasures {
    /// What was begun again.
    package struct Repetition: Sendable {
        /// The runs that do the rest; all of them are owed.
        package var runs: [ErasureRun] = []
        /// Who cannot be erased yet, by slug, and what to do about it.
        package var refused: [(slug: String, advice: String)] = []
    }

    /// Begins anew the erasure of everybody on the list beside the database who stands in it readable: then
    /// a backup from before has taken its place. Their slugs are refused from then on, also of those whom
    /// the backup did not know yet. A database in which all is done is only read.
    ///
    /// - Throws: A writer's `StoreError`; it can be tried again.
    package func eraseListed(at now: Timestamp) throws(StoreError) -> Repetition {
        var repetition = Repetition()
        let lines = try ErasedList(beside: store.path).lines()
        guard !lines.isEmpty else { return repetition }
        let (returned, isForgotten) = try store.read { db in
            let own = try Self.own(lines, db)
            return (try Self.returned(own, db), try !Self.remembers(own, db))
        }
        if isForgotten {
            try store.write { db in
                for line in try Self.own(lines, db) {
                    try db.run(
                        "INSERT OR IGNORE INTO erased_slug (digest, salt) VALUES (?, ?)",
                        [line.digest, line.salt])
                }
            }
        }
        for (slug, line) in returned {
            let begun = try begin(
                user: slug, reason: "was erased before this backup was restored",
                options: ErasureOptions(deletesAttendance: line.deletesAttendance), by: "core",
                via: .core, at: now)
            switch begun {
            case .success(let run): repetition.runs.append(run)
            case .failure(let refusal): repetition.refused.append((slug, refusal.text))
            }
        }
        return repetition
    }

    /// Those that are of this site.
    private static func own(_ lines: [ErasedList.Line], _ db: Database) throws -> [ErasedList.Line]
    {
        let origin = try ErasedList.origin(of: db)
        return lines.filter { $0.origin == origin }
    }

    private static func remembers(_ lines: [ErasedList.Line], _ db: Database) throws -> Bool {
        let known = Set(try String.fetchAll(db, sql: "SELECT digest FROM erased_slug"))
        return lines.allSatisfy { known.contains($0.digest) }
    }

    /// Who is back, by slug. A row that an older backup did not have yet may be somebody else's by now, so
    /// that both row and slug count.
    private static func returned(
        _ lines: [ErasedList.Line], _ db: Database
    ) throws -> [(slug: String, line: ErasedList.Line)] {
        var found: [(slug: String, line: ErasedList.Line)] = []
        for line in lines where !found.contains(where: { $0.line.user == line.user }) {
            let slug = try String.fetchOne(
                db, sql: "SELECT slug FROM user WHERE id = ? AND erased_ms IS NULL",
                arguments: [line.user])
            guard let slug, SHA256.hexadecimal(of: line.salt + slug) == line.digest else {
                continue
            }
            found.append((slug, line))
        }
        return found
    }
}
