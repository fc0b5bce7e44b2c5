import Settings
import SitePipeline

extension ForeignNetwork {
    /// Reads `kind`, `root`, and the tables `nodes` (their name of a node: ours) and `beacons`
    /// (what they call a transmitter: our beacon).
    package init(_ network: inout SettingsReader) {
        let kind: Kind = network.choice("kind")
        let root = network.string("root", default: kind.usualRoot, length: Self.longestRoot)
        let nodes = network.slugs("nodes")
        self.init(kind: kind, root: root, nodes: nodes, beacons: network.slugs("beacons"))
        if !root.isEmpty, !Self.isRoot(root) {
            network.refuse(
                "root", "expected the beginning of a topic, without + and #, outside of mesh/")
        }
        let twice = Dictionary(grouping: nodes.keys.sorted()) { nodes[$0] ?? "" }
            .filter { $0.value.count > 1 }
        for (slug, names) in twice.sorted(by: { $0.key < $1.key }) {
            network.refuse("nodes", "\(names.joined(separator: " and ")) cannot both be \(slug)")
        }
    }
}

extension SettingsReader {
    /// The section at `key` as a table: keys of the author's choice, each with a slug. An absent
    /// section is an empty table.
    fileprivate mutating func slugs(_ key: String) -> [String: String] {
        sectionIfPresent(key) { table in
            var slugs: [String: String] = [:]
            for name in table.keys { slugs[name] = table.slug(name) }
            return slugs
        } ?? [:]
    }
}
