import Ciphers
import GRDB
import Operations
import Records
import Settings
import SiteModel
import SiteStore
import Wire

/// A change of single rows of a site, or of its policy, as somebody asks for it.
package enum RowEdit: Sendable {
    /// Refused where the id is in use.
    case add(SiteCollection, SiteTree)
    /// Replaces a row, or adds it.
    case put(SiteCollection, SiteTree)
    /// Changes members; `null` takes one away.
    case patch(SiteCollection, String, SiteTree)
    /// History keeps the row.
    case retire(SiteCollection, String)
    /// Two beacons take each other's identity: each stays what it is to everybody, and is heard as the other was.
    case swap(String, String)
    /// Adds the exercises that come with the program, but those whose ids are in use.
    case addStarter
    /// The members of the policy, as in the site file; one that is left out has its default.
    case policy(SiteTree)

    /// A row and what becomes of it.
    package struct Changed: Equatable, Sendable {
        /// What there was; `nil`: it is new, or back.
        package var before: SiteTree?
        /// What there is; `nil`: it is retired.
        package var after: SiteTree?

        package init(before: SiteTree?, after: SiteTree?) {
            self.before = before
            self.after = after
        }
    }

    /// Whether it is about one row that was there, so that somebody may say which it must still be.
    package var isOfOneRow: Bool {
        switch self {
        case .put, .patch, .retire, .policy: true
        case .add, .swap, .addStarter: false
        }
    }

    /// A row's tag: another one whenever anything of it changes.
    package static func tag(_ row: SiteTree) -> String {
        "\"" + SHA256.hexadecimal(of: row.json).prefix(16) + "\""
    }
}

/// Makes row edits. One checks, writes and audits the rows it is about and those that refer to them; of all others it
/// looks at what can contradict them, such as identities.
package struct RowEditor: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Makes an edit, as one revision. Returns the rows that were asked about, as they are now, also where nothing
    /// changed: the policy is one, too; of the starter exercises those that were added. Whoever does not `readPeople` is
    /// not told in a refusal what people carry. With `tag` the row must have that tag (`*`: any); that is looked at last, as
    /// what can never be is refused whatever the row is by now.
    ///
    /// - Throws: A `BooksRefusal` that says what is wrong (`notFound`, `alreadyExists`, `preconditionFailed`,
    ///   `schema`); a `StoreError`. Nothing is written then.
    @discardableResult
    package func perform(
        _ edit: RowEdit, ifMatch tag: String? = nil, readsPeople: Bool = true,
        by asker: Asker
    ) throws -> [RowEdit.Changed] {
        do {
            return try store.transaction { db in
                try changed(edit, tag, readsPeople, asker, db)
            }
        } catch let refusal as BooksRefusal {
            throw refusal
        } catch {
            throw StoreError(error, path: store.path)
        }
    }

    private func changed(
        _ edit: RowEdit, _ tag: String?, _ readsPeople: Bool, _ asker: Asker, _ db: Database
    ) throws -> [RowEdit.Changed] {
        guard asker.at.milliseconds >= 0 else {
            throw BooksRefusal(.unavailable, "the clock stands before 1970")
        }
        guard try SiteRows.head(db) != nil else {
            throw BooksRefusal(.unavailable, "the database holds no site")
        }
        if case .policy(let tree) = edit {
            return [try SitePolicy.put(tree, ifMatch: tag, by: asker, db)]
        }
        if case .retire(let kind, let slug) = edit {
            try refuse(ifNamed: slug, of: kind, readsPeople: readsPeople, db)
        }
        let rows = try changes(edit, db)
        for row in rows { try RegistryRows.check(row, at: asker.at, db) }
        if let first = rows.first { try check(first.before, tag) }
        let all = try rows + followers(of: rows, db)
        try RegistryRows.write(all.filter { $0.before != $0.after }, by: asker, db)
        return rows.map { RowEdit.Changed(before: $0.before, after: $0.after) }
    }

    private func check(_ row: SiteTree?, _ tag: String?) throws(BooksRefusal) {
        guard let tag else { return }
        guard let row, tag == "*" || tag == RowEdit.tag(row) else { throw .changed }
    }

    /// The rows that are asked about and what they become, by the rules of the file.
    private func changes(_ edit: RowEdit, _ db: Database) throws -> [RowChange] {
        switch edit {
        case .add(let kind, let row):
            let slug = row["id"]?.string ?? ""
            if try RowTable(kind).row(slug, db) != nil {
                throw BooksRefusal(.alreadyExists, "there is a \(kind.one) \(slug) already")
            }
            return [try change(of: kind, nil, row, db)]
        case .put(let kind, let row):
            return [
                try change(of: kind, try RowTable(kind).row(row["id"]?.string ?? "", db), row, db)
            ]
        case .patch(let kind, let slug, let members):
            let row = try existing(kind, slug, db)
            return [try change(of: kind, row, try patched(row, members, kind), db)]
        case .retire(let kind, let slug):
            let row = try existing(kind, slug, db)
            if kind == .rooms, try RowTable(kind).count(db) == 1 {
                throw BooksRefusal(.schema, "it is the last room, and a site has one at least")
            }
            return [RowChange(kind, before: row, after: nil)]
        case .swap(let a, let b):
            var (first, second) = (try existing(.beacons, a, db), try existing(.beacons, b, db))
            let identities = (first["identity"] ?? .null, second["identity"] ?? .null)
            let before = [first, second]
            first.set("identity", identities.1)
            second.set("identity", identities.0)
            let rules = RowRules(db, changing: [first, second])
            return try zip(before, [first, second]).map { old, new in
                RowChange(.beacons, before: old, after: try rules.read(new, of: .beacons))
            }
        case .addStarter:
            let rows = StarterExercises.rows
            let known = try RowTable(.exercises).existing(
                rows.compactMap { $0["id"]?.string }, db)
            let new = rows.filter { !known.contains($0["id"]?.string ?? "") }
            try refuse(more: new.count, of: .exercises, db)
            return try new.map { try change(of: .exercises, nil, $0, db) }
        case .policy: preconditionFailure("no row")
        }
    }

    private func existing(
        _ kind: SiteCollection, _ slug: String, _ db: Database
    ) throws -> SiteTree {
        guard let row = try RowTable(kind).row(slug, db) else {
            throw BooksRefusal(.notFound, "there is no \(kind.one) \(slug.quoted)")
        }
        return row
    }

    private func change(
        of kind: SiteCollection, _ before: SiteTree?, _ row: SiteTree, _ db: Database
    ) throws -> RowChange {
        let after = try RowRules(db).read(row, of: kind)
        if before == nil { try refuse(more: 1, of: kind, db) }
        return RowChange(kind, before: before, after: after)
    }

    private func refuse(more: Int, of kind: SiteCollection, _ db: Database) throws {
        guard more > 0, try RowTable(kind).count(db) + more > kind.most else { return }
        throw BooksRefusal(.schema, "a site has \(kind.most) \(kind.name) at most")
    }

    private func patched(
        _ row: SiteTree, _ changes: SiteTree, _ kind: SiteCollection
    ) throws -> SiteTree {
        if let fault = kind.fault(in: changes) { throw BooksRefusal(.schema, fault) }
        guard case .section(var members) = row, case .section(let new) = changes else {
            return row
        }
        for (key, value) in new {
            let mayBeNull = kind.members.contains { $0.name == key && $0.isNullable }
            members.removeAll { $0.key == key }
            if value != .null || mayBeNull { members.append((key, value)) }
        }
        guard SiteTree.section(members)["id"] == row["id"] else {
            throw BooksRefusal(
                .schema, "id: cannot be changed; add another \(kind.one) and retire this one")
        }
        return .section(members)
    }

    // MARK: What refers to a row

    /// Refuses to retire what other rows cannot be without.
    private func refuse(
        ifNamed slug: String, of kind: SiteCollection, readsPeople: Bool, _ db: Database
    ) throws {
        for other in SiteCollection.all {
            for member in other.members {
                guard case .reference(kind.name) = member.kind else { continue }
                let slugs = try RowTable(other).slugs(of: member, naming: slug, db)
                guard !slugs.isEmpty else { continue }
                let what = slugs.count == 1 ? other.one : other.name
                let areNamed =
                    try readsPeople
                    || other != .beacons
                        && slugs.allSatisfy { try RowTable(other).row($0, db)?["user"] == nil }
                let more = slugs.count > 3 ? " and \(slugs.count - 3) more" : ""
                let shown =
                    areNamed
                    ? "\(what) \(slugs.prefix(3).joined(separator: ", "))\(more)"
                    : "\(slugs.count) \(what)"
                throw BooksRefusal(
                    .schema,
                    """
                    it is the \(member.name) of \(shown): change or retire \
                    \(slugs.count == 1 ? "that" : "those") first
                    """)
            }
        }
    }

    /// What changes with rows: a list loses what is retired, and nodes follow their station into another room.
    private func followers(of rows: [RowChange], _ db: Database) throws -> [RowChange] {
        try rows.flatMap { row -> [RowChange] in
            guard let before = row.before, let slug = before["id"]?.string else { return [] }
            guard let after = row.after else { return try lists(without: slug, of: row.kind, db) }
            guard row.kind == .stations, let room = after["room"], room != before["room"] else {
                return []
            }
            guard let station = SiteCollection.nodes.members.first(where: { $0.name == "station" })
            else { return [] }
            return try RowTable(.nodes).slugs(of: station, naming: slug, db).map { node in
                let before = try existing(.nodes, node, db)
                var after = before
                after.set("room", room)
                return RowChange(.nodes, before: before, after: after)
            }
        }
    }

    private func lists(
        without slug: String, of kind: SiteCollection, _ db: Database
    ) throws -> [RowChange] {
        try SiteCollection.all.flatMap { other in
            try other.members.flatMap { member -> [RowChange] in
                guard case .list(.reference(kind.name)) = member.kind else { return [] }
                return try RowTable(other).slugs(of: member, naming: slug, db).map { named in
                    let before = try existing(other, named, db)
                    var after = before
                    let items = before[member.name]?.items?.filter { $0.string != slug } ?? []
                    after.set(member.name, .list(items))
                    if items.isEmpty { after = after.without(member.name) }
                    return RowChange(other, before: before, after: after)
                }
            }
        }
    }
}

extension BooksRefusal {
    package static let changed = BooksRefusal(
        .preconditionFailed, "it has changed since, or is not there: read it again")
}

/// The policy as the members of the site file.
enum SitePolicy {
    static func read(_ db: Database) throws -> Policy {
        guard let text = try String.fetchOne(db, sql: "SELECT policy FROM site") else {
            return Policy()
        }
        return try JSONText.value(Policy.self, from: text)
    }

    static func tree(_ policy: Policy) -> SiteTree {
        .section(SiteFileWriter.members(of: policy))
    }

    /// Replaces the policy.
    static func put(
        _ tree: SiteTree, ifMatch tag: String?, by asker: Asker, _ db: Database
    ) throws -> RowEdit.Changed {
        let policy: Policy
        do throws(SettingsError) {
            var settings = SettingsReader(SettingsNode(tree), named: "site")
            policy = Policy(&settings)
            try settings.finish()
        } catch {
            throw BooksRefusal(.schema, RowRules.words(error))
        }
        let old = try read(db)
        let (before, after) = (Self.tree(old), Self.tree(policy))
        guard tag == nil || tag == "*" || tag == RowEdit.tag(before) else {
            throw BooksRefusal.changed
        }
        if let said = Field.compare(old.fields, policy.fields) {
            let site = try String.fetchOne(db, sql: "SELECT slug FROM site") ?? ""
            try db.run("UPDATE site SET policy = ?", [try JSONText.text(of: policy)])
            let changes = [Change(.changed, .policy, site, said)]
            let revision = try RegistryRows.revise(changes, at: asker.at, db)
            try RegistryRows.audit(changes, of: revision, isImport: false, by: asker, db)
        }
        return RowEdit.Changed(before: before, after: after)
    }
}
