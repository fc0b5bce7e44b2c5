import SiteModel
import Wire

// What other people's networks tell.
extension Pipeline {
    /// A message of another network.
    mutating func hearForeign(
        _ topic: String, _ payload: Span<UInt8>, isRetained: Bool, at now: Timestamp
    ) -> [Effect] {
        // What was heard before belongs to seconds that are over.
        let effects = foreignFrames(at: now)
        switch foreign.heard(topic, payload, isRetained: isRetained, names: names, at: now) {
        case .refused(let reason): return effects + refuse(reason)
        case .taken(let node): return effects + (node.map { [status(of: $0, .online, now)] } ?? [])
        case .gone(let node):
            return effects + [status(of: node, .offline, now)]
                + handle(.node(node, isOnline: false), at: now)
        }
    }

    mutating func foreignFrames(at now: Timestamp) -> [Effect] {
        var effects: [Effect] = []
        for (node, frame) in foreign.frames(at: now) {
            effects += handle(.frame(frame, from: node), at: now)
        }
        return effects
    }

    /// What a node of ours would say of itself, for the page.
    private func status(
        of node: NodeID, _ state: NodeStatusPayload.State, _ now: Timestamp
    ) -> Effect {
        let payload = NodeStatusPayload(
            state: state, boot: UInt64(bitPattern: now.milliseconds), sinceMs: now.milliseconds)
        return .show(
            Publication(
                topic: board.paths.nodeStatus(names.nodes.slug(node)), payload: payload.json,
                quality: 0, isRetained: true))
    }
}
