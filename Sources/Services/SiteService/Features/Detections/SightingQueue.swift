import SiteModel
import Synchronization
import Wire

/// What nodes tell of strangers' devices, until it is stored.
package final class SightingQueue: Sendable {
    /// What one node told at once.
    struct Told: Sendable {
        var node: String
        var payload: SightingsPayload
        var at: Timestamp
    }

    /// So many messages wait at most; what comes then is left out.
    private static let most = 1000

    /// So many of one node.
    private static let mostOfNode = 100

    private struct State {
        var told: [Told] = []
        var ofNode: [String: Int] = [:]
        var leftOut = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Takes what a node told. Nothing where that cannot be read.
    package func take(_ node: String, _ payload: Span<UInt8>, at now: Timestamp) {
        guard let payload = try? SightingsPayload(json: payload) else {
            return state.withLock { $0.leftOut += 1 }
        }
        state.withLock { state in
            guard state.told.count < Self.most,
                state.ofNode[node, default: 0] < Self.mostOfNode
            else {
                state.leftOut += 1
                return
            }
            state.ofNode[node, default: 0] += 1
            state.told.append(Told(node: node, payload: payload, at: now))
        }
    }

    /// What came since.
    func drain() -> [Told] {
        state.withLock { state in
            defer { (state.told, state.ofNode) = ([], [:]) }
            return state.told
        }
    }

    /// So many devices were taken and are given up, as others came.
    func leaveOut(_ count: Int) { state.withLock { $0.leftOut += count } }

    /// How many messages, or devices of them, were left out so far: there were too many, or they could not be read.
    var leftOut: Int { state.withLock { $0.leftOut } }
}
