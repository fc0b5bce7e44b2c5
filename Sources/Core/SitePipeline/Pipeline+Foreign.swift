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
            board.paths.message(.nodeStatus, names.nodes.slug(node), saying: payload))
    }
}

/// Unregistered devices shown on the page, forgotten a minute after they were last heard.
struct Sightings: Sendable {
    static let life: Int64 = 60_000
    static let limit = 2048

    private var heard: [String: Int64] = [:]
    private var looked: Int64 = 0

    /// Notes that `topic` was heard. `false` if there is no room for another one.
    mutating func saw(_ topic: String, at now: Timestamp) -> Bool {
        guard heard[topic] != nil || heard.count < Self.limit else { return false }
        heard[topic] = now.milliseconds
        return true
    }

    /// The topics not heard for a minute, sorted; looked up at most every five seconds.
    mutating func expired(at now: Timestamp) -> [String] {
        guard now.milliseconds - looked >= 5000 else { return [] }
        looked = now.milliseconds
        let old = heard.filter { now.milliseconds - $0.value > Self.life }.keys.sorted()
        for topic in old { heard[topic] = nil }
        return old
    }
}
