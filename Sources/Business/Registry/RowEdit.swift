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
    /// Adds several, or none of them.
    case addAll(SiteCollection, [SiteTree])
    /// Replaces a row, or adds it.
    case put(SiteCollection, SiteTree)
    /// Changes members; `null` takes one away.
    case patch(SiteCollection, String, SiteTree)
    /// The same of several rows, each with its id.
    case patchAll([(kind: SiteCollection, rows: [SiteTree])])
    /// The same of all stations of a kind.
    case patchKind(StationKind, SiteTree)
    /// History keeps the row.
    case retire(SiteCollection, String)
    /// The same of several, or none of them.
    case retireAll(SiteCollection, [String])
    /// Two beacons take each other's identity: each stays what it is to everybody, and is heard as the other was.
    case swap(String, String)
    /// Adds or replaces cards, and retires others, or does nothing of it: what a list of them says.
    case content([SiteTree], retiring: [String])
    /// Adds the exercises, device types or device rules that come with the program, but those whose ids are in use.
    case addStarter(SiteCollection)
    /// The members of the policy, as in the site file; one that is left out has its default.
    case policy(SiteTree)
    /// Settings, as in the site file: what is given changes.
    case settings(SiteTree)

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
        case .put, .patch, .retire, .policy, .settings: true
        case .add, .addAll, .retireAll, .swap, .addStarter, .patchAll, .patchKind, .content: false
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
        switch edit {
        case .policy(let tree):
            return [
                try SiteHead.change(
                    tree, of: SiteDocument.policySettings, isWhole: true, ifMatch: tag, by: asker,
                    db)
            ]
        case .settings(let tree):
            return [
                try SiteHead.change(
                    tree, of: SiteDocument.settings, isWhole: false, ifMatch: tag, by: asker, db)
            ]
        default: break
        }
        switch edit {
        case .retire(let kind, let slug):
            try refuse(ifNamed: slug, of: kind, readsPeople: readsPeople, db)
        case .retireAll(let kind, let slugs):
            for slug in slugs { try refuse(ifNamed: slug, of: kind, readsPeople: readsPeople, db) }
        default: break
        }
        let rows = try changes(edit, db)
        // All together: of two owners one may go, and not both.
        try RegistryRows.check(rows, at: asker.at, db)
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
        case .addAll(let kind, let rows): return try RowBatch(kind, db).read(rows)
        case .retireAll(let kind, let slugs):
            return try slugs.map { RowChange(kind, before: try existing(kind, $0, db), after: nil) }
        case .put(let kind, let row):
            return [
                try change(of: kind, try RowTable(kind).row(row["id"]?.string ?? "", db), row, db)
            ]
        case .patch(let kind, let slug, let members):
            let row = try existing(kind, slug, db)
            return [try change(of: kind, row, try patched(row, members, kind), db)]
        case .patchAll(let kinds):
            return try kinds.flatMap { kind, rows in
                try rows.map { members in
                    let row = try existing(kind, members["id"]?.string ?? "", db)
                    return try change(
                        of: kind, row, try patched(row, members.without("id"), kind), db)
                }
            }
        case .patchKind(let kind, let members):
            return try RowTable(.stations).rows(db).filter { $0["kind"]?.string == kind.rawValue }
                .map { row in
                    try change(of: .stations, row, try patched(row, members, .stations), db)
                }
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
        case .content(let rows, let retired):
            return try listed(rows, retiring: retired.count, db)
                + retired.map {
                    RowChange(.cards, before: try existing(.cards, $0, db), after: nil)
                }
        case .addStarter(let kind):
            let rows = kind.starter
            let known = try RowTable(kind).existing(rows.compactMap { $0["id"]?.string }, db)
            let new = rows.filter { !known.contains($0["id"]?.string ?? "") }
            try refuse(more: new.count, of: kind, db)
            return try new.map { try change(of: kind, nil, $0, db) }
        case .policy, .settings: preconditionFailure("no row")
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

    /// The cards of a list: what is wrong is told of each by its minor.
    private func listed(
        _ rows: [SiteTree], retiring gone: Int, _ db: Database
    ) throws -> [RowChange] {
        let (rules, table) = (RowRules(db), RowTable(.cards))
        var changes: [RowChange] = []
        var faults: [String] = []
        for row in rows where faults.count < 8 {
            do {
                let before = try table.row(row["id"]?.string ?? "", db)
                changes.append(
                    RowChange(.cards, before: before, after: try rules.read(row, of: .cards)))
            } catch let refusal as BooksRefusal {
                faults.append("beacon \(row["minor"]?.json ?? ""): \(refusal.text)")
            }
        }
        guard faults.isEmpty else {
            throw BooksRefusal(.schema, faults.joined(separator: "; "))
        }
        try refuse(more: changes.count { $0.before == nil } - gone, of: .cards, db)
        return changes
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

/// The settings of a site as the members of its file.
enum SiteHead {
    /// What is stored of the settings, or of the policy alone.
    static func tree(
        _ settings: [SettingMember<SiteDocument>], _ db: Database
    ) throws -> SiteTree? {
        try SiteRows.head(db).map { settings.tree(of: $0) }
    }

    /// Changes settings: what is given replaces what there is, a section member by member, `null` takes it away. With
    /// `isWhole` what is not given has its preset.
    static func change(
        _ given: SiteTree, of settings: [SettingMember<SiteDocument>], isWhole: Bool,
        ifMatch tag: String?, by asker: Asker, _ db: Database
    ) throws -> RowEdit.Changed {
        guard let old = try SiteRows.head(db) else {
            throw BooksRefusal(.unavailable, "the database holds no site")
        }
        let before = settings.tree(of: old)
        var document = old
        do throws(SettingsError) {
            let tree = isWhole ? given : before.changed(by: given)
            var reader = SettingsReader(SettingsNode(tree), named: "site")
            settings.read(&reader, &document)
            try reader.finish()
        } catch {
            throw BooksRefusal(.schema, RowRules.words(error))
        }
        guard tag == nil || tag == "*" || tag == RowEdit.tag(before) else {
            throw BooksRefusal.changed
        }
        let changes = document.changes(from: old)
        if !changes.isEmpty {
            if document.dayStart != old.dayStart, let day = try SiteImport.lockedThrough(db) {
                throw BooksRefusal(
                    .lockedPeriod,
                    """
                    site.day_start: days are locked through \(day), and it is when all days there ever were begin; \
                    import the site's file with force
                    """)
            }
            let revision = try RegistryRows.revise(changes, at: asker.at, db)
            try SiteImport.put(document, revision: revision, at: asker.at, db)
            try RegistryRows.audit(changes, of: revision, isImport: false, by: asker, db)
        }
        return RowEdit.Changed(before: before, after: settings.tree(of: document))
    }
}

extension SiteTree {
    /// A section with other members: those of sections in it one by one; `null` takes one away.
    fileprivate func changed(by given: SiteTree) -> SiteTree {
        guard case .section(var members) = self, case .section(let new) = given else {
            return given
        }
        for (key, value) in new {
            let index = members.firstIndex { $0.key == key }
            switch (index, value) {
            case (let index?, .null): members.remove(at: index)
            case (nil, .null): break
            case (let index?, _): members[index].value = members[index].value.changed(by: value)
            // Of a section that is not there nothing can be taken away.
            case (nil, _): members.append((key, SiteTree.section([]).changed(by: value)))
            }
        }
        return .section(members)
    }
}

extension SiteCollection {
    /// The rows of it that come with the program.
    fileprivate var starter: [SiteTree] {
        switch self {
        case .exercises: StarterExercises.rows
        case .deviceTypes: StarterDevices.types
        case .deviceRules: StarterDevices.rules
        default: []
        }
    }
}
