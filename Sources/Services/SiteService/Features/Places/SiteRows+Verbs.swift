import Basics
import Platform
import Registry
import Reporting
import SiteModel
import SiteStore
import WebServer

/// Rows as the command line has them.
extension SiteRows {
    /// The rows of a database. Throws an `Exit` if it holds no site.
    package init(reading store: Store) throws {
        self.init(store)
        guard try site() != nil else {
            throw Exit(code: 78, text: "the database holds no site yet")
        }
    }

    /// The id of the row that is meant by its id or its name. Throws an `Exit`.
    package func find(_ kind: SiteCollection, _ text: String) throws -> String {
        let things = try labels(kind).map { NameResolver.Thing(id: $0.id, name: $0.label) }
        return try NameResolver(kind: kind.one, things: things).find(text).id
    }

    /// Members as they are typed; others that they name by their ids or names. Throws an `Exit`.
    package func members(
        _ typed: [(key: String, value: String?)], of kind: SiteCollection
    ) throws -> SiteTree {
        .section(try typed.map { ($0.key, try value($0.value, of: $0.key, kind)) })
    }

    private func value(
        _ text: String?, of key: String, _ kind: SiteCollection
    ) throws -> SiteTree {
        guard let text else { return .null }
        switch kind.members.first(where: { $0.name == key })?.kind {
        case .reference(let name)?:
            return try meant(text, among: name)
        case .list(.reference(let name))?:
            var items: [SiteTree] = []
            for item in Self.items(text) { items.append(try meant(item, among: name)) }
            return .list(items)
        case .list(.word)?: return .list(Self.items(text).map { .text($0) })
        case .map?:
            return .section(
                Self.items(text).map { item in
                    let parts = item.split(separator: ":", maxSplits: 1)
                    return (
                        Self.trimmed(parts.first ?? ""),
                        .text(parts.count > 1 ? Self.trimmed(parts[1]) : "")
                    )
                })
        case .text?, .freeText?, .slug?, .word?: return .text(text)
        default: return Self.value(text)
        }
    }

    private func meant(_ text: String, among name: String) throws -> SiteTree {
        guard let other = SiteCollection.named(name) else { return .text(text) }
        return .text(try find(other, text))
    }

    /// What stands between commas, in brackets or without: `[a, b]` and `a,b`.
    private static func items(_ text: String) -> [String] {
        text.filter { !"[]{}".contains($0) }.split(separator: ",").map { trimmed($0) }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// All rows of a list, for people.
    package static func table(of rows: [SiteTree]) -> String {
        var keys: [String] = []
        for case .section(let members) in rows {
            for member in members where !keys.contains(member.key) { keys.append(member.key) }
        }
        var table = TextTable(keys)
        for row in rows { table.add(keys.map { row[$0].map(Self.text) ?? "–" }) }
        return table.text
    }

    private static func text(_ value: SiteTree) -> String {
        switch value {
        case .text(let text): text
        default: value.json
        }
    }

    /// A number, a flag or a list is typed as such; everything else is a text.
    private static func value(_ text: String) -> SiteTree {
        if text == "true" || text == "false" || Double(text)?.isFinite == true {
            return .scalar(text)
        }
        if text.hasPrefix("["), text.hasSuffix("]") {
            return .list(
                text.dropFirst().dropLast().split(separator: ",").map {
                    value(String($0.filter { $0 != " " }))
                })
        }
        return .text(text)
    }
}

extension SiteAccess {
    /// Adds a row of members as they are typed.
    package func add(
        _ kind: SiteCollection, _ id: String, _ members: [(key: String, value: String?)]
    ) throws {
        var row = SiteTree.section([("id", .text(id))])
        if case .section(let members) = try SiteRows(reading: store).members(members, of: kind) {
            for member in members { row.set(member.key, member.value) }
        }
        _ = try write(.edit(.add(kind, row)))
    }

    /// Changes members, as they are typed, of the row of an id or a name. Returns its id.
    @discardableResult
    package func change(
        _ kind: SiteCollection, _ text: String, _ members: [(key: String, value: String?)]
    ) throws -> String {
        let rows = try SiteRows(reading: store)
        let id = try rows.find(kind, text)
        _ = try write(.edit(.patch(kind, id, try rows.members(members, of: kind))))
        return id
    }

    /// Retires the row of an id or a name. Returns its id.
    package func retire(_ kind: SiteCollection, _ text: String) throws -> String {
        let id = try SiteRows(reading: store).find(kind, text)
        _ = try write(.edit(.retire(kind, id)))
        return id
    }
}
