import Basics
import Platform
import Registry
import Reporting
import SiteModel
import SiteStore
import SiteWriting
import WebServer

/// Rows as the command line has them.
extension RegistryEdit {
    /// The site of a database. Throws an `Exit` if it has none.
    package init(reading store: Store) throws {
        guard let document = try SiteImport(store).document() else {
            throw Exit(code: 78, text: "the database holds no site yet")
        }
        self.init(document)
    }

    /// The id of the row that is meant by its id or its name. Throws an `Exit`.
    package func find(_ kind: SiteCollection, _ text: String) throws(Exit) -> String {
        let things = rows(kind).map { row in
            NameResolver.Thing(
                id: row["id"]?.string ?? "", name: row[kind.label]?.string ?? "")
        }
        return try NameResolver(kind: kind.one, things: things).find(text).id
    }

    /// Adds a row of members as they are typed; others that it names by their ids or names.
    package mutating func add(
        _ kind: SiteCollection, _ id: String, _ members: [(key: String, value: String?)]
    ) throws {
        var row = SiteTree.section([("id", .text(id))])
        for (key, value) in members { row.set(key, try self.value(value, of: key, kind)) }
        try add(kind, row)
    }

    /// Changes members, as they are typed, of the row of an id or a name. Returns its id.
    @discardableResult
    package mutating func change(
        _ kind: SiteCollection, _ text: String, _ members: [(key: String, value: String?)]
    ) throws -> String {
        let id = try find(kind, text)
        let changes = try members.map {
            (key: $0.key, value: try value($0.value, of: $0.key, kind))
        }
        try patch(kind, id, .section(changes), ifMatch: nil)
        return id
    }

    private func value(
        _ text: String?, of key: String, _ kind: SiteCollection
    ) throws(Exit) -> SiteTree {
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

    private func meant(_ text: String, among name: String) throws(Exit) -> SiteTree {
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

    /// All rows of a list, one JSON array.
    package func json(of kind: SiteCollection) -> String { SiteTree.list(rows(kind)).json }

    /// One row as JSON, or `nil`.
    package func json(of kind: SiteCollection, _ id: String) -> String? { row(kind, id)?.json }

    /// All rows of a list, for people.
    package func table(of kind: SiteCollection) -> String {
        let rows = rows(kind)
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
    /// Changes rows of the site, on the newest revision. Returns what `body` does.
    @discardableResult
    package func change<Value>(_ body: (inout RegistryEdit) throws -> Value) throws -> Value {
        guard let (document, revision) = try SiteImport(store).current() else {
            throw Exit(code: 78, text: "the database holds no site yet")
        }
        do {
            var edit = RegistryEdit(document)
            let value = try body(&edit)
            _ = try write(.replaceSite(try edit.document(), revision: revision))
            return value
        } catch let fault as RegistryEdit.Fault {
            throw fault.exit
        }
    }
}

extension RegistryEdit.Fault {
    fileprivate var exit: Exit {
        let (code, text): (ProblemCode, String) =
            switch self {
            case .notFound(let what): (.notFound, "there is no \(what)")
            case .alreadyExists(let what): (.alreadyExists, "there is a \(what)")
            case .changed: (.preconditionFailed, "it has changed since")
            case .refused(let text): (.schema, text)
            }
        return Exit(code: code.exitCode, text: "\(code.rawValue): \(text)")
    }
}
