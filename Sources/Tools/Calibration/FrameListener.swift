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
    private let address: BrokerAddress
    private let clock: AnchoredClock
    private let client: MQTTClient
    private var heard: [Heard] = []
    private var online: Set<String> = []
    private var fault: String?
    private(set) var isListening = false

    /// Begins to connect. Throws an `Exit` if there is no broker.
    init(site: String, address: BrokerAddress, clock: AnchoredClock) throws {
        self.site = site
        self.address = address
        self.clock = clock
        client = MQTTClient(
            id: "beaconmesh-calibrate-\(getpid())", version: address.version)
        hook()
        do {
            try client.connect(
                host: address.host, port: address.port, username: address.username,
                password: address.password)
        } catch {
            throw Exit(code: 69, text: "no broker at \(broker): \(error.reason)")
        }
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
    func work(milliseconds: Int32 = 100, input: Int32? = nil) throws -> Bool {
        let events = POLLIN | (client.wantsWrite ? POLLOUT : 0)
        var entries = [
            pollfd(fd: client.descriptor ?? -1, events: Int16(events), revents: 0),
            pollfd(fd: StopSignal.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: input ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        poll(&entries, nfds_t(entries.count), milliseconds)
        client.readable()
        client.writable()
        client.misc()
        if let fault { throw Exit(code: 69, text: fault) }
        return input != nil && entries[2].revents != 0
    }

    /// Says goodbye.
    package func end() {
        client.onDisconnect = { _ in }
        client.disconnect()
        client.writable()
    }

    private var broker: String { "\(address.host):\(address.port)" }

    private func hook() {
        let topics = SiteTopics(site: site)
        client.onConnect = { [unowned self] code in
            guard code == 0 else {
                fault = "the broker at \(broker) refuses us: \(client.reason(code))"
                return
            }
            do {
                try client.subscribe(
                    [topics.nodeFrame("+"), topics.nodeStatus("+")], quality: 0)
            } catch { fault = "\(error)" }
        }
        client.onSubscribed = { [unowned self] _, granted in
            isListening = true
            guard granted.contains(where: { $0 >= 128 }) else { return }
            fault = "the broker does not let us read \(topics.nodeFrame("+")): see its access list"
        }
        client.onDisconnect = { [unowned self] code in
            fault = fault ?? "the broker at \(broker) is gone: \(MQTTClient.fault(code))"
        }
        client.onMessage = { [unowned self] topic, payload, isRetained, _ in
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
