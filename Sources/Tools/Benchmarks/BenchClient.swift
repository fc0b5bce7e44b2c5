import Broker
import Platform
import SiteModel
import Wire

/// An MQTT client of one thread that waits: to be connected, to be rid of what it has to say, for
/// an answer.
final class BenchClient {
    /// A message that arrived.
    var onMessage: (_ topic: String, _ payload: Span<UInt8>) -> Void = { _, _ in }

    private let session: BrokerSession
    private var isConnected = false
    private var fault: String?
    /// Looked at whenever it waits.
    private let goOn: () throws -> Void

    /// Connects to a broker on this machine within five seconds.
    init(_ id: String, port: Int, goOn: @escaping () throws -> Void) throws {
        let clock = AnchoredClock()
        session = BrokerSession(
            id: id, address: BrokerAddress(host: "127.0.0.1", port: port), keepalive: 60,
            isRepeated: false, now: { clock.now })
        self.goOn = goOn
        session.onConnect = { [unowned self] in isConnected = true }
        session.onLoss = { [unowned self] loss, _ in fault = loss.reason }
        session.client.onMessage = { [unowned self] topic, payload, _, _ in
            onMessage(topic, payload)
        }
        try wait(seconds: 5, for: "the broker's answer") { isConnected }
    }

    /// Asks for messages.
    func subscribe(_ filters: [String]) throws {
        try session.client.subscribe(filters, quality: 1)
    }

    /// Publishes. What the socket does not take waits, until the next call has written it.
    func publish(_ publication: Publication) throws {
        while session.client.wantsWrite { try turn(milliseconds: 100) }
        try session.client.publish(publication)
    }

    /// Reads and writes what is possible, waiting at most so long for something to be.
    func turn(milliseconds: Int64) throws {
        try goOn()
        if let fault { throw BenchFailure.failed("\(session.client.id): \(fault)") }
        session.turn(within: .milliseconds(milliseconds))
    }

    /// Turns until something is so. `subject` is what is waited for, in words.
    func wait(seconds: Double, for subject: String, until isSo: () -> Bool) throws {
        let watch = Stopwatch()
        while !isSo() {
            guard watch.seconds < seconds else {
                throw BenchFailure.failed("\(session.client.id): no \(subject) within \(seconds) s")
            }
            try turn(milliseconds: 20)
        }
    }
}
