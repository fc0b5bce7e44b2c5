import Broker
import Glibc
import SiteModel
import Platform
import Wire

/// Listens to the frames of a running site's nodes.
package final class FrameListener {
    /// A frame, whose it is, and when it came.
    struct Heard {
        var node: String
        var frame: FramePayload
        var at: Timestamp
    }

    private let site: String
    private let clock: AnchoredClock
    private let session: BrokerSession
    private var heard: [Heard] = []
    private var online: Set<String> = []
    private var fault: String?
    private(set) var isListening = false

    /// Begins to connect. Throws an `Exit` if there is no broker.
    init(site: String, address: BrokerAddress, clock: AnchoredClock) throws {
        self.site = site
        self.clock = clock
        session = BrokerSession(
            id: "beaconmesh-calibrate-\(getpid())", address: address, tool: .calibrate,
            isRepeated: false, now: { clock.now })
        hook()
        var failure: String?
        session.onLoss = { loss, _ in failure = loss.reason }
        session.tick()
        if let failure { throw Exit(code: 69, text: "no broker at \(broker): \(failure)") }
        session.onLoss = { [unowned self] loss, _ in fault = fault ?? Self.text(loss, at: broker) }
    }

    /// Nodes that say they are online.
    var nodesOnline: [String] { online.sorted() }

    /// What has come since the last time.
    func take() -> [Heard] {
        defer { heard.removeAll(keepingCapacity: true) }
        return heard
    }

    /// Waits at most `milliseconds` for something from the broker, or for a line on `input`.
    /// Returns whether there is something to read on `input`.
    func work(milliseconds: Int64 = 100, input: Int32? = nil) throws -> Bool {
        let others = [StopSignal.descriptor] + (input.map { [$0] } ?? [])
        let ready = session.turn(within: .milliseconds(milliseconds), or: others)
        if let fault { throw Exit(code: 69, text: fault) }
        return input.map(ready.contains) ?? false
    }

    /// Says goodbye.
    package func end() { session.end(within: .seconds(1)) }

    private var broker: String { "\(session.address.host):\(session.address.port)" }

    private static func text(_ loss: BrokerSession.Loss, at broker: String) -> String {
        switch loss {
        case .refused(let reason): "the broker at \(broker) refuses us: \(reason)"
        case .gone(let reason): "the broker at \(broker) is gone: \(reason)"
        }
    }

    private func hook() {
        let topics = SiteTopics(site: site)
        session.onConnect = { [unowned self] in
            do {
                try session.client.subscribe(
                    [topics[.frame, "+"], topics[.nodeStatus, "+"]], quality: 0)
            } catch { fault = "\(error)" }
        }
        session.client.onSubscribed = { [unowned self] _, granted in
            isListening = true
            guard granted.contains(where: { $0 >= 128 }) else { return }
            fault = "the broker does not let us read \(topics[.frame, "+"]): see its access list"
        }
        session.client.onMessage = { [unowned self] topic, payload, isRetained, _ in
            switch Inbound.parse(topic, site: site) {
            case .nodeFrame(let node)? where !isRetained:
                guard let frame = try? FramePayload(json: payload) else { return }
                heard.append(Heard(node: node, frame: frame, at: clock.now))
            case .nodeStatus(let node)?:
                let state = (try? NodeStatusPayload(json: payload))?.state
                if state == .online { online.insert(node) } else { online.remove(node) }
            default: break
            }
        }
    }
}
