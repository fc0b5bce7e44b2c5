import Basics
import Platform
import Registry
import SiteModel
import SiteStore
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

    /// Adds a row of members as they are typed.
    package mutating func add(
        _ kind: Kind, _ id: String, _ members: [(key: String, value: String?)]
    ) throws {
        var row = SiteTree.section([("id", .text(id))])
        for (key, value) in members { row.set(key, value.map(Self.value) ?? .null) }
        try add(kind, row)
    }

    /// Changes members of a row as they are typed.
    package mutating func change(
        _ kind: Kind, _ id: String, _ members: [(key: String, value: String?)]
    ) throws {
        let changes = members.map { (key: $0.key, value: $0.value.map(Self.value) ?? .null) }
        try patch(kind, id, .section(changes), ifMatch: nil)
    }

    /// All rows of a list, one JSON array.
    package func json(of kind: Kind) -> String { SiteTree.list(rows(kind)).json }

    /// One row as JSON, or `nil`.
    package func json(of kind: Kind, _ id: String) -> String? { row(kind, id)?.json }

    /// All rows of a list, for people.
    package func table(of kind: Kind) -> String {
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
    /// Changes rows of the site, on the newest revision.
    package func change(_ body: (inout RegistryEdit) throws -> Void) throws {
        guard let (document, revision) = try SiteImport(store).current() else {
            throw Exit(code: 78, text: "the database holds no site yet")
        }
        do {
            var edit = RegistryEdit(document)
            try body(&edit)
            _ = try write(.replaceSite(try edit.document(), revision: revision))
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
