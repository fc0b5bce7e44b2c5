import GRDB
import Records
import SiteModel
import SiteStore

/// A row of a site and what becomes of it.
struct RowChange {
    let kind: SiteCollection
    /// What is stored; `nil`: nothing, or it is retired.
    var before: SiteTree?
    /// What is to be; `nil`: it is retired.
    var after: SiteTree?

    init(_ kind: SiteCollection, before: SiteTree?, after: SiteTree?) {
        self.kind = kind
        self.before = before
        self.after = after
    }

    var slug: String { (after ?? before)?["id"]?.string ?? "" }

    /// What the audit and people are told of it; `nil` if nothing changes.
    var said: Change? {
        let subject = Change.Subject(rawValue: kind.one)
        switch (before, after) {
        case (nil, let row?): return Change(.added, subject, slug, kind.words(ofNew: row))
        case (_?, nil): return Change(.retired, subject, slug, "")
        case (let before?, let after?):
            return kind.difference(from: before, to: after).map {
                Change(.changed, subject, slug, $0)
            }
        case (nil, nil): return nil
        }
    }
}

/// Writing the rows of the registry. Each thing is found by its slug and keeps its row.
enum RegistryRows {
    /// So many changes at most have a line each in the audit; of more there is one line of the revision.
    private static let mostAudited = 16
    /// What is referred to is written before what refers to it.
    private static let writingOrder: [SiteCollection] =
        [
            .rooms, .exercises, .stations, .users, .nodes, .beacons, .groups, .cards, .deviceTypes,
            .deviceRules,
        ]

    /// Refuses what history forbids, whatever the rows say.
    ///
    /// - Throws: A `BooksRefusal`, `schema`.
    static func check(_ rows: [RowChange], at now: Timestamp, _ db: Database) throws {
        let faults = try faults(of: rows, at: now, db)
        if !faults.isEmpty { throw BooksRefusal(.schema, faults.joined(separator: "; ")) }
    }

    static func faults(
        of rows: [RowChange], at now: Timestamp, _ db: Database
    ) throws -> [String] {
        let people = rows.filter { $0.kind == .users }
        let leaving = Set(people.filter { $0.after == nil }.map(\.slug))
        let new = people.filter { $0.before == nil }.map(\.slug)
        var faults: [String] = []
        if !new.isEmpty {
            faults += try Erasures.erased(among: new, db).map {
                "user \($0.quoted): was erased; whoever comes back gets a new id"
            }
        }
        if !leaving.isEmpty {
            faults += try Departures.faults(without: { leaving.contains($0) }, db)
        }
        for row in rows where row.kind == .beacons {
            guard let until = moment(row.after), until <= now,
                let old = row.before, old["user"] == row.after?["user"],
                moment(old).map({ $0 > now }) ?? true
            else { continue }
            faults.append(
                "beacon \(row.slug.quoted): until is over: leave the user out to end it now")
        }
        return faults
    }

    private static func moment(_ beacon: SiteTree?) -> Timestamp? {
        beacon?["until"]?.string.flatMap { StatedMoment.exact($0) }
    }

    /// Writes rows as one revision, with what the audit says of them. Nothing if there are none.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    static func write(_ rows: [RowChange], by asker: Asker, _ db: Database) throws {
        let said = rows.compactMap(\.said)
        guard !said.isEmpty else { return }
        let revision = try revise(said, at: asker.at, db)
        try put(rows, by: asker, db)
        try audit(said, of: revision, isImport: false, by: asker, db)
    }

    /// Puts down a new revision, and returns it.
    static func revise(_ changes: [Change], at now: Timestamp, _ db: Database) throws -> Int64 {
        let revision = (try Int64.fetchOne(db, sql: "SELECT revision FROM site") ?? 0) + 1
        try db.run(
            "INSERT INTO revision (revision, at_ms, changes) VALUES (?, ?, ?)",
            [revision, now.milliseconds, changes.map(\.description).joined(separator: "\n")])
        try db.run("UPDATE site SET revision = ?", [revision])
        return revision
    }

    /// Puts down what the audit says of a revision, once its rows are written.
    ///
    /// - Parameter locked: The last locked date, where days up to it change.
    static func audit(
        _ changes: [Change], of revision: Int64, isImport: Bool, over locked: String? = nil,
        by asker: Asker, _ db: Database
    ) throws {
        if isImport || changes.count > mostAudited {
            try AuditTrail.append(
                AuditEntry(
                    at: asker.at, actor: asker.name, via: asker.via,
                    action: isImport ? "import" : "change", entity: "revision",
                    entityID: "\(revision)",
                    after: try JSONText.text(
                        of: ImportAudit(changes: changes.count, forced_over: locked))), db)
        } else {
            for change in changes {
                try AuditTrail.append(
                    entry(of: change, revision: revision, over: locked, by: asker, db), db)
            }
        }
    }

    /// What the audit says of an import.
    private struct ImportAudit: Encodable {
        var changes: Int
        /// The last locked date, where days up to it change.
        var forced_over: String?
    }

    /// What the audit says of a changed row: its number, and its slug where an erasure reaches it.
    private static func entry(
        of change: Change, revision: Int64, over locked: String?, by asker: Asker,
        _ db: Database
    ) throws -> AuditEntry {
        let action =
            switch change.kind {
            case .added: "add"
            case .changed: "change"
            case .retired: "retire"
            }
        let row =
            try SiteCollection.of(change.subject).flatMap {
                try RowTable($0).number(of: change.slug, db)
            } ?? 1
        var said: [(key: String, value: SiteTree)] = [
            ("id", .text(change.slug)), ("revision", .scalar("\(revision)")),
        ]
        // Neither holds anybody's name.
        if change.subject == .site || change.subject == .policy {
            said.append(("changes", .text(change.detail)))
        }
        if let locked, change.subject == .site { said.append(("forced_over", .text(locked))) }
        return AuditEntry(
            at: asker.at, actor: asker.name, via: asker.via, action: action,
            entity: change.subject.rawValue, entityID: "\(row)",
            user: change.subject == .user ? UserID(row) : nil,
            after: SiteTree.section(said).json)
    }

    /// Writes rows. Beacons are retired first, also those that only change, so that two of them can swap identities
    /// although an identity is unique.
    static func put(_ rows: [RowChange], by asker: Asker, _ db: Database) throws {
        for row in rows where row.kind == .beacons && row.before != nil {
            try db.run(
                "UPDATE beacon SET retired_ms = ? WHERE slug = ?",
                [asker.at.milliseconds, row.slug])
        }
        for row in rows where row.after == nil { try retire(row.kind, row.slug, by: asker, db) }
        for kind in writingOrder {
            for row in rows where row.kind == kind {
                if let after = row.after { try RowTable(kind).put(after, by: asker, db) }
            }
        }
    }

    private static func retire(
        _ kind: SiteCollection, _ slug: String, by asker: Asker, _ db: Database
    ) throws {
        let now = asker.at
        if kind == .beacons {
            try BeaconRows.identify(slug, by: nil, at: now, db)
            try BeaconRows.bind(slug, to: nil, until: nil, at: now, db)
            try BeaconRows.fix(slug, room: nil, station: nil, at: now, db)
        }
        try db.run(
            "UPDATE \(kind.table) SET retired_ms = ? WHERE slug = ?", [now.milliseconds, slug])
        if kind == .nodes { try Departures.end(ofNode: slug, by: asker, db) }
        if kind == .users {
            let user = try Corrections.user(slug: slug, db)
            try Amendments.carryOutRest(of: user, db)
            try Departures.end(of: user, by: asker, db)
        }
    }
}
