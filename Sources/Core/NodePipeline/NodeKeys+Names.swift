import NodeEngine
import SiteModel
import Wire

extension NodeKeys {
    /// A line for each key: what its holder calls it, and what it is called elsewhere.
    package var names: [String] {
        func line(_ label: ShortText, _ identity: Identity) -> String {
            "key \(label.text) is \(identity.text)"
        }
        return resolving.indices.map { line(resolving[$0].label, ownName(resolving: $0)) }
            + ephemeral.indices.map { line(ephemeral[$0].label, ownName(ephemeral: $0)) }
    }
}
