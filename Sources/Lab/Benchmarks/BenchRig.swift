import Broker
import Foundation
import Platform
import SiteModel
import Synchronization
import Wire

/// A private broker and the real processes around it. They end with `stop`.
final class BenchRig {
    /// The coordinator's slug.
    static let coordinator = "bench"

    /// Its files.
    let folder: String
    /// The broker's port on this machine.
    var port: Int { broker.port }

    private let broker: PrivateBroker
    private var children: [Child] = []

    /// Starts a broker. Throws `.skipped` where there is none.
    init(folder: String) throws(BenchFailure) {
        self.folder = folder
        do {
            broker = try PrivateBroker(directory: folder)
        } catch .notInstalled {
            throw .skipped("\(PrivateBroker.Failure.notInstalled)")
        } catch {
            throw .failed("\(error)")
        }
    }

    /// Starts a coordinator of a site.
    func startCoordinator(of site: BenchSite) throws -> Child {
        try start(
            "beacon-coordinator",
            """
            coordinator: \(Self.coordinator)
            broker: {host: 127.0.0.1, port: \(port)}
            http: {host: 127.0.0.1, port: 0, anonymous_reading: true}
            log: warning
            sites:
              - id: \(site.names.site)
                database: "\(site.database)"

            """)
    }

    /// Starts a node that listens to a btsnoop stream on a Unix socket.
    func startNode(_ slug: String, site: String, radio: String) throws -> Child {
        try start(
            "beacon-node",
            """
            node: \(slug)
            site: \(site)
            radio: "btsnoop:unix:\(radio)"
            broker: {host: 127.0.0.1, port: \(port)}
            state: "\(folder)/state"
            outbox: {megabytes: 1}
            log: warning

            """)
    }

    /// Ends everything, and waits for it at most three seconds.
    func stop() {
        for child in children { child.terminate() }
        let deadline = ContinuousClock.now + .seconds(3)
        for child in children { child.end(by: deadline) }
        broker.stop()
    }

    /// The resident memory of a process in units of 1,000,000 bytes.
    func residentMegabytes(of child: Child) throws(BenchFailure) -> Double {
        guard let process = child.processIdentifier,
            let size = try Self.residentMegabytes(of: "\(process)")
        else { throw .failed("\(child.name) has ended: \(lastWords(of: child))") }
        return size
    }

    /// The same by its number, or of `self`; `nil`: there is none.
    static func residentMegabytes(of process: String) throws(BenchFailure) -> Double? {
        guard let status = FileManager.default.contents(atPath: "/proc/\(process)/status") else {
            return nil
        }
        // The line reads “VmRSS:     1234 kB”, and means 1,024 bytes.
        for line in String(decoding: status, as: UTF8.self).split(separator: "\n")
        where line.hasPrefix("VmRSS:") {
            let words = line.split { $0 == " " || $0 == "\t" }
            if words.count == 3, let size = Double(words[1]) { return size * 1024 / 1e6 }
        }
        throw .failed("the kernel does not say how much memory \(process) has")
    }

    private func start(_ program: String, _ configuration: String) throws -> Child {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let executable = own.deletingLastPathComponent().appendingPathComponent(program).path
        guard FileManager.default.isExecutableFile(atPath: executable) else {
            throw BenchFailure.failed("\(executable) is not there: build it first")
        }
        let file = "\(folder)/\(program).yaml"
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: file))
        let child = Child(
            name: program, executable: executable, arguments: ["--config", file],
            log: log(of: program))
        try child.start()
        children.append(child)
        return child
    }

    private func log(of program: String) -> String { "\(folder)/\(program).log" }

    private func lastWords(of child: Child) -> String {
        let data = FileManager.default.contents(atPath: log(of: child.name)) ?? Data()
        return String(String(decoding: data, as: UTF8.self).suffix(500))
    }
}

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

    /// Waits for the socket at most this long, then reads and writes what is possible.
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

/// Takes every message of a site on a thread of its own and does nothing with it, except that it
/// answers requests: what is left of a coordinator when there is nothing to decide.
final class IdleSubscriber: Sendable {
    private let isStopping = Atomic<Bool>(false)
    private let fault = Mutex<String?>(nil)
    private let ended = MonotonicSemaphore()

    /// Connects to a broker on this machine and listens to what a coordinator of `site` would.
    init(site: String, port: Int) {
        Thread.detachNewThread {
            do {
                try self.listen(site: site, port: port)
            } catch {
                self.fault.withLock { $0 = "\(error)" }
            }
            self.ended.signal()
        }
    }

    /// Ends it. Throws what went wrong on its thread, if anything did.
    func stop() throws(BenchFailure) {
        isStopping.store(true, ordering: .relaxed)
        ended.wait()
        if let fault = fault.withLock({ $0 }) { throw .failed("idle subscriber: \(fault)") }
    }

    private func listen(site: String, port: Int) throws {
        let topics = SiteTopics(site: site)
        let root = topics.root + "req/"
        var requests: [String] = []
        let client = try BenchClient("bench-idle", port: port) {}
        client.onMessage = { topic, _ in
            if topic.hasPrefix(root) { requests.append(String(topic.dropFirst(root.count))) }
        }
        try client.subscribe(topics.inboundFilters)
        while !isStopping.load(ordering: .relaxed) {
            try client.turn(milliseconds: 100)
            for request in requests {
                try client.publish(
                    Publication(
                        topic: "\(topics.root)res/\(request)", payload: [0x7B, 0x7D], quality: 0,
                        isRetained: false))
            }
            requests.removeAll(keepingCapacity: true)
        }
    }
}
