import Basics
import SiteModel
import Wire

/// The nodes of other networks that stand for nodes of a site: their messages in, frames out.
///
/// Nodes and beacons the site does not know are counted and not remembered, so that a hostile
/// network costs no memory.
package struct ForeignNodes: Sendable {
    /// What came of a message.
    enum Outcome: Equatable {
        /// It was taken in; the node's slug if it has just appeared.
        case taken(appeared: NodeID?)
        /// The node went away.
        case gone(NodeID)
        /// It was refused for a reason of ours.
        case refused(String)
    }

    /// The networks listened to.
    let networks: [ForeignNetwork]
    private var isRegistered: Set<NodeID> = []
    /// What the site's beacons are recognised by, and which they are.
    private var rules = IdentityRules([])
    private var beacons: [BeaconID] = []
    private var leave: Timestamp.Span
    /// By node.
    private var listeners: [ForeignListener] = []

    init(_ networks: [ForeignNetwork], plan: Plan) {
        self.networks = networks
        leave = plan.policy.site.leave
        adopt(plan)
    }

    /// A new plan: what was learned of nodes that are still registered is kept.
    mutating func adopt(_ plan: Plan) {
        leave = plan.policy.site.leave
        guard !networks.isEmpty else { return }
        isRegistered = Set(plan.nodes.map(\.id))
        rules = IdentityRules(plan.beacons.map(\.identity))
        beacons = plan.beacons.map(\.id)
        listeners.removeAll { !isRegistered.contains($0.node) }
    }

    /// What to subscribe to.
    var filters: [String] { networks.flatMap(\.filters) }

    /// Whether a topic is one of these networks'.
    func owns(_ topic: String) -> Bool { networks.contains { topic.hasPrefix("\($0.root)/") } }

    /// A message arrived.
    mutating func heard(
        _ topic: String, _ payload: Span<UInt8>, isRetained: Bool, names: Names, at now: Timestamp
    ) -> Outcome {
        for network in networks {
            do throws(ForeignRefusal) {
                guard let report = try network.read(topic, payload, isRetained: isRetained) else {
                    continue
                }
                return take(report, of: network, names: names, at: now)
            } catch {
                return .refused(error.reason)
            }
        }
        return .refused("foreign-topic")
    }

    /// The connection to the broker is gone.
    mutating func disconnected() {
        for index in listeners.indices { listeners[index].lost() }
    }

    /// The frames of all seconds that have ended, by node.
    mutating func frames(at now: Timestamp) -> [(node: NodeID, frame: Frame)] {
        var all: [(node: NodeID, frame: Frame)] = []
        for index in listeners.indices {
            let node = listeners[index].node
            all += listeners[index].frames(at: now, leave: leave).map { (node, $0) }
        }
        return all
    }

    private mutating func take(
        _ report: ForeignReport, of network: ForeignNetwork, names: Names, at now: Timestamp
    ) -> Outcome {
        guard let node = names.nodes.id(network.slug(ofNode: report.node)),
            isRegistered.contains(node)
        else { return .refused("unknown-node") }
        let index = index(of: node, kind: network.kind)
        let wasConnected = listeners[index].isConnected
        switch report.content {
        case .heard(let name, let level):
            if let beacon = beacon(name, of: network, names: names) {
                listeners[index].heard(beacon, level: level, at: now)
            } else {
                listeners[index].spoke(at: now)
            }
        case .alive: listeners[index].spoke(at: now)
        case .known: return .taken(appeared: nil)
        case .gone:
            listeners[index].lost()
            return .gone(node)
        }
        return .taken(appeared: wasConnected ? nil : node)
    }

    /// The registered beacon a network means: by our own list of its names, as our nodes would
    /// recognise it, by our slug, which some networks can be told to use.
    private func beacon(
        _ name: ForeignName, of network: ForeignNetwork, names: Names
    ) -> BeaconID? {
        if let slug = network.beacons[name.name] { return names.beacons.id(slug) }
        return place(of: name).map { beacons[$0] } ?? names.beacons.id(name.name)
    }

    /// Where in the list a transmitter's beacon is: whole identities go before rules.
    private func place(of name: ForeignName) -> Int? {
        for identity in name.identities {
            if let place = rules.place(of: identity) { return place }
        }
        let shown = Array((name.shown ?? "").utf8)
        let named = shown.isEmpty ? nil : rules.place(ofName: shown.span, isComplete: true)
        let beacon = name.identities.first { rules.region(of: $0) != nil }
        return rules.rule(for: beacon, named: named)
    }

    private mutating func index(of node: NodeID, kind: ForeignNetwork.Kind) -> Int {
        let index = listeners.partitioningIndex { $0.node >= node }
        if index == listeners.count || listeners[index].node != node {
            listeners.insert(ForeignListener(node: node, kind: kind), at: index)
        }
        return index
    }
}
