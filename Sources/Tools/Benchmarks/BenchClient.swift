import Broker
import Glibc
import Platform
import Wire

/// An MQTT client of one thread that waits: to be connected, to be rid of what it has to say, for
/// an answer.
final class BenchClient {
    private final class State {
        var isConnected = false
        var fault: String?
    }

    /// A message that arrived.
    var onMessage: (_ topic: String, _ payload: Span<UInt8>) -> Void = { _, _ in }

    private let client: MQTTClient
    private let state = State()
    /// Looked at whenever it waits.
    private let goOn: () throws -> Void

    /// Connects to a broker on this machine within five seconds.
    init(_ id: String, port: Int, goOn: @escaping () throws -> Void) throws {
        client = MQTTClient(id: id)
        self.goOn = goOn
        let state = state
        client.onConnect = { code in
            if code == 0 { state.isConnected = true } else { state.fault = "refused (\(code))" }
        }
        client.onDisconnect = { code in state.fault = MQTTClient.fault(code) }
        client.onMessage = { [unowned self] topic, payload, _, _ in onMessage(topic, payload) }
        try client.connect(host: "127.0.0.1", port: port, keepalive: 60)
        try wait(seconds: 5, for: "the broker's answer") { state.isConnected }
    }

    /// Asks for messages.
    func subscribe(_ filters: [String]) throws { try client.subscribe(filters, quality: 1) }

    /// Publishes. What the socket does not take waits, until the next call has written it.
    func publish(_ publication: Publication) throws {
        while client.wantsWrite { try turn(milliseconds: 100) }
        try client.publish(publication)
    }

    /// Waits for the socket at most this long, then reads and writes what is possible.
    func turn(milliseconds: Int32) throws {
        try goOn()
        if let fault = state.fault { throw BenchFailure.failed("\(client.id): \(fault)") }
        guard let socket = client.descriptor else { return }
        var entry = pollfd(
            fd: socket, events: Int16(POLLIN | (client.wantsWrite ? POLLOUT : 0)), revents: 0)
        if poll(&entry, 1, milliseconds) > 0 {
            if Int32(entry.revents) & (POLLIN | POLLERR | POLLHUP) != 0 { client.readable() }
            if Int32(entry.revents) & POLLOUT != 0 { client.writable() }
        }
        client.misc()
    }

    /// Turns until something is so. `subject` is what is waited for, in words.
    func wait(seconds: Double, for subject: String, until isSo: () -> Bool) throws {
        let watch = Stopwatch()
        while !isSo() {
            guard watch.seconds < seconds else {
                throw BenchFailure.failed("\(client.id): no \(subject) within \(seconds) s")
            }
            try turn(milliseconds: 20)
        }
    }
}
