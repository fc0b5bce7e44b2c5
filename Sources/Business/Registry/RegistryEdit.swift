import Ciphers
import Settings
import SiteModel
import Wire

/// A change of a site's rows, tried on the file that the site is: one set of rules for both.
package struct RegistryEdit {
    /// Why a change is refused.
    package enum Fault: Error, Equatable {
        case notFound(String)
        case alreadyExists(String)
        /// The row is another one by now.
        case changed
        /// The site would be wrong with it.
        case refused(String)
    }

    /// The site as a file.
    package private(set) var tree: SiteTree

    package init(_ document: SiteDocument) { tree = SiteFileWriter(document).tree }

    /// The rows of a list, in their order.
    package func rows(_ kind: SiteCollection) -> [SiteTree] {
        guard let rows = tree[kind.name]?.items else { return [] }
        return rows
    }

    package func row(_ kind: SiteCollection, _ slug: String) -> SiteTree? {
        rows(kind).first { $0["id"]?.string == slug }
    }

    /// A row's tag: another one whenever anything of it changes.
    package static func tag(_ row: SiteTree) -> String {
        "\"" + SHA256.hexadecimal(of: row.json).prefix(16) + "\""
    }

    /// Throws `.changed` unless a row is there and has this tag; `*`: any.
    package func check(_ kind: SiteCollection, _ slug: String, _ tag: String) throws(Fault) {
        guard let row = row(kind, slug) else { throw .changed }
        try Self.check(row, tag)
    }

    /// Adds a row.
    package mutating func add(_ kind: SiteCollection, _ row: SiteTree) throws(Fault) {
        let slug = row["id"]?.string ?? ""
        guard self.row(kind, slug) == nil else { throw .alreadyExists("\(kind.one) \(slug)") }
        tree.set(kind.name, .list(rows(kind) + [row]))
    }

    /// Replaces a row, or adds it. `tag`: only if it is that one.
    package mutating func put(_ kind: SiteCollection, _ row: SiteTree, ifMatch tag: String?)
        throws(Fault)
    {
        var rows = rows(kind)
        let slug = row["id"]?.string ?? ""
        if let index = rows.firstIndex(where: { $0["id"]?.string == slug }) {
            try Self.check(rows[index], tag)
            rows[index] = row
        } else {
            guard tag == nil else { throw .changed }
            rows.append(row)
        }
        tree.set(kind.name, .list(rows))
    }

    /// Changes members of a row; `null` takes one away.
    package mutating func patch(
        _ kind: SiteCollection, _ slug: String, _ changes: SiteTree, ifMatch tag: String?
    ) throws(Fault) {
        guard case .section(let members)? = row(kind, slug), case .section(let new) = changes else {
            throw .notFound("\(kind.one) \(slug)")
        }
        var patched = members
        for (key, value) in new {
            let mayBeNull = kind.members.contains { $0.name == key && $0.isNullable }
            patched.removeAll { $0.key == key && value == .null }
            guard value != .null || mayBeNull else { continue }
            if let index = patched.firstIndex(where: { $0.key == key }) {
                patched[index].value = value
            } else {
                patched.append((key, value))
            }
        }
        guard SiteTree.section(patched)["id"]?.string == slug else {
            throw .refused("id: cannot be changed; add another \(kind.one) and retire this one")
        }
        try put(kind, .section(patched), ifMatch: tag)
    }

    /// Retires a row: history keeps it.
    package mutating func retire(_ kind: SiteCollection, _ slug: String, ifMatch tag: String?)
        throws(Fault)
    {
        var rows = rows(kind)
        guard let index = rows.firstIndex(where: { $0["id"]?.string == slug }) else {
            throw .notFound("\(kind.one) \(slug)")
        }
        try Self.check(rows[index], tag)
        rows.remove(at: index)
        tree.set(kind.name, .list(rows))
        takeAway(slug, of: kind)
    }

    /// Takes a row that is retired out of the lists of others.
    private mutating func takeAway(_ slug: String, of kind: SiteCollection) {
        for other in SiteCollection.all {
            for member in other.members {
                guard case .list(.reference(kind.name)) = member.kind else { continue }
                let rows = rows(other).map { row -> SiteTree in
                    guard let items = row[member.name]?.items else { return row }
                    var changed = row
                    changed.set(member.name, .list(items.filter { $0.string != slug }))
                    return changed
                }
                tree.set(other.name, .list(rows))
            }
        }
    }

    /// Two beacons take each other's identity: each stays what it is to everybody, and is heard as
    /// the other was.
    package mutating func swap(_ a: String, _ b: String) throws(Fault) {
        guard var first = row(.beacons, a), var second = row(.beacons, b) else {
            throw .notFound("beacon \(row(.beacons, a) == nil ? a : b)")
        }
        guard let own = first["identity"], let other = second["identity"] else { return }
        first.set("identity", other)
        second.set("identity", own)
        try put(.beacons, first, ifMatch: nil)
        try put(.beacons, second, ifMatch: nil)
    }

    /// The lists in which another site differs, and `nil` if anything else does: the site itself, privacy, policy.
    package func changedKinds(to other: RegistryEdit) -> [SiteCollection?] {
        var changed: [SiteCollection?] = SiteCollection.all.filter { rows($0) != other.rows($0) }
        if rest != other.rest { changed.append(nil) }
        return changed
    }

    /// Which nodes people carry, and who.
    package var carriers: Set<[String]> {
        Set(
            rows(.nodes).compactMap { row in
                row["user"]?.string.map { [row["id"]?.string ?? "", $0] }
            })
    }

    /// What is no list of rows.
    private var rest: SiteTree {
        guard case .section(let members) = tree else { return .section([]) }
        return .section(members.filter { SiteCollection.named($0.key) == nil })
    }

    /// The members of the policy, beside the lists and the site itself.
    package mutating func replacePolicy(_ policy: SiteTree) {
        guard case .section(let members) = tree, case .section(let new) = policy else { return }
        let kept = ["site", "privacy"] + SiteCollection.all.map(\.name)
        tree = .section(members.filter { kept.contains($0.key) } + new)
    }

    /// The policy's members alone.
    package var policy: SiteTree {
        guard case .section(let members) = tree else { return .section([]) }
        let others = ["site", "privacy"] + SiteCollection.all.map(\.name)
        return .section(members.filter { !others.contains($0.key) })
    }

    /// The site with the change, by the rules of the file. Faults name the key, and the row if it is
    /// another one than the last that was changed.
    package func document() throws(Fault) -> SiteDocument {
        do {
            return try SiteFile(written: tree.file).document
        } catch {
            let faults = error.faults.prefix(8).map { fault in
                fault.path.isEmpty ? fault.problem : "\(fault.path): \(fault.problem)"
            }
            throw .refused(faults.joined(separator: "; "))
        }
    }

    private static func check(_ row: SiteTree, _ tag: String?) throws(Fault) {
        guard tag == nil || tag == "*" || tag == Self.tag(row) else { throw .changed }
    }
}
