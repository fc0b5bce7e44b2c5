/// Lays environment variables over a file: `BEACONMESH_BROKER__PORT=1884` is `broker.port`.
///
/// Two underscores go one level down, letters are lower-cased, a number names an existing item of
/// a list (`BEACONMESH_SITES__0__DATABASE`). An empty variable counts as not set, which is how a
/// container passes on what it was not given. A variable that names no known key is a fault, like
/// any unknown key, when the section is read.
package enum EnvironmentOverrides {
    /// What the names of all our variables begin with.
    static let prefix = "BEACONMESH_"

    /// An environment for a program whose file says everything: without our variables.
    package static func removed(from environment: [String: String]) -> [String: String] {
        environment.filter { !$0.key.hasPrefix(prefix) }
    }

    /// Changes `root` and returns what does not fit its shape. Variables are taken by name, so the
    /// result does not depend on the order of the dictionary.
    static func apply(
        _ environment: [String: String], to root: inout SettingsNode, of file: String
    ) -> [SettingsError.Fault] {
        var faults: [SettingsError.Fault] = []
        for (name, text) in environment.sorted(by: { $0.key < $1.key })
        where name.hasPrefix(prefix) && !text.isEmpty {
            let keys = levels(name.dropFirst(prefix.count).lowercased())
            let scalar = SettingsNode(
                value: .scalar(SettingsNode.Scalar(text: text, style: .untyped)),
                source: .variable(name))
            let problem =
                keys.contains("")
                ? "names no key, expected BEACONMESH_SECTION__KEY"
                : set(scalar, at: keys[...], in: &root)
            if let problem {
                faults.append(
                    SettingsError.Fault(file: file, source: .variable(name), problem: problem))
            }
        }
        return faults
    }

    /// The parts between double underscores; a single one belongs to a key.
    private static func levels(_ name: String) -> [String] {
        var levels = [""]
        var rest = Substring(name)
        while let first = rest.first {
            if rest.hasPrefix("__"), levels.last?.isEmpty == false {
                levels.append("")
                rest.removeFirst(2)
            } else {
                levels[levels.count - 1].append(first)
                rest.removeFirst()
            }
        }
        return levels
    }

    /// Returns what is wrong, or `nil` when `new` has taken its place.
    private static func set(
        _ new: SettingsNode, at keys: ArraySlice<String>, in node: inout SettingsNode
    ) -> String? {
        guard let key = keys.first else {
            node = new
            return nil
        }
        switch node.value {
        case .empty:
            node = SettingsNode(value: .section([]), source: new.source)
            return set(new, at: keys, in: &node)
        case .section(var entries):
            let index = entries.firstIndex { $0.key == key } ?? entries.count
            if index == entries.count {
                let empty = SettingsNode(value: .empty, source: new.source)
                entries.append(SettingsNode.Entry(key: key, node: empty))
            }
            let problem = set(new, at: keys.dropFirst(), in: &entries[index].node)
            node.value = .section(entries)
            return problem
        case .list(var items):
            guard let index = Int(key), items.indices.contains(index) else {
                return "\"\(key.shown)\" is no item of a list of \(items.count)"
            }
            let problem = set(new, at: keys.dropFirst(), in: &items[index])
            node.value = .list(items)
            return problem
        case .scalar:
            return "\"\(key.shown)\" lies inside a single value, expected a section there"
        }
    }
}
