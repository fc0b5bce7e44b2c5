import Foundation
import Testing

@testable import Broker
@testable import SiteModel
@testable import Wire

/// A connection that is kept up, against a real mosquitto.
@Suite(.serialized) struct BrokerSessionTests {
    /// What became of a session.
    private final class Log {
        let session: BrokerSession
        var connects = 0
        var losses: [BrokerSession.Loss] = []
        var waits: [Timestamp.Span?] = []

        init(port: Int, isRepeated: Bool = true, will: Publication? = nil) {
            let started = ContinuousClock.now
            session = BrokerSession(
                id: "session", will: will, address: BrokerAddress(host: "127.0.0.1", port: port),
                keepalive: 5, isRepeated: isRepeated, seed: 1,
                now: {
                    let passed = ContinuousClock.now - started
                    return Timestamp(milliseconds: 1_000_000 + Int64(passed / .milliseconds(1)))
                })
            session.onConnect = { [unowned self] in connects += 1 }
            session.onLoss = { [unowned self] loss, wait in
                losses.append(loss)
                waits.append(wait)
            }
        }

        func run(_ seconds: Double = 10, until isDone: () -> Bool) -> Bool {
            session.run(within: .seconds(seconds), until: isDone)
        }
    }

    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test func `a broker that is not there yet is tried again, and found within five seconds`()
        throws
    {
        let broker = try PrivateBroker(directory: directory.path)
        broker.stop()
        let log = Log(port: broker.port)
        #expect(log.run { log.losses.count == 3 })
        #expect(log.connects == 0)
        #expect(log.waits.allSatisfy { $0.map { $0 <= Reconnect.longestHere } == true })
        try broker.start()
        #expect(log.run(5) { log.connects == 1 })
        #expect(log.session.client.isConnected)
    }

    @Test func `a broker that restarts is found again within five seconds`() throws {
        let broker = try PrivateBroker(directory: directory.path)
        let log = Log(port: broker.port)
        #expect(log.run { log.connects == 1 })
        broker.stop()
        #expect(log.run { !log.losses.isEmpty })
        #expect(!log.session.client.isConnected)
        try broker.start()
        #expect(log.run(5) { log.connects == 2 })
    }

    @Test func `a session that is not repeated makes one attempt`() throws {
        let broker = try PrivateBroker(directory: directory.path)
        broker.stop()
        let log = Log(port: broker.port, isRepeated: false)
        #expect(log.run { log.losses.count == 1 })
        #expect(log.waits == [nil])
        try broker.start()
        #expect(!log.run(1.5) { log.connects > 0 || log.losses.count > 1 })
    }

    @Test func `a broker that refuses is no broker that is gone`() throws {
        // One that lets nobody in who does not say a name.
        let script = "sed -i 's/anonymous true/anonymous false/' '\(directory.path)/mosquitto.conf'"
        let broker = try PrivateBroker(
            directory: directory.path,
            launcher: ["/bin/sh", "-c", script + " && exec \"$@\"", "sh"])
        let log = Log(port: broker.port)
        #expect(log.run { !log.losses.isEmpty })
        guard case .refused(let reason)? = log.losses.first else {
            Issue.record("\(log.losses)")
            return
        }
        let line = log.session.summary(of: .refused(reason), next: .seconds(2))
        #expect(line.hasPrefix("no broker at 127.0.0.1:\(broker.port): it refuses us: "))
        #expect(line.contains("; next attempt in 2.0 s ("))
    }

    @Test func `it wakes for another descriptor, and says for which`() throws {
        let broker = try PrivateBroker(directory: directory.path)
        let log = Log(port: broker.port)
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data([1]))
        let reading = pipe.fileHandleForReading.fileDescriptor
        #expect(log.session.turn(within: .seconds(60), or: [reading]) == [reading])
    }

    @Test func `ended, it has written all, and its will is not published`() throws {
        let broker = try PrivateBroker(directory: directory.path)
        let reader = try Loop.connected("reader", to: broker)
        try reader.subscribe("#")
        let will = Publication(topic: "will", payload: [0x78], quality: 1, isRetained: false)
        let log = Log(port: broker.port, will: will)
        #expect(log.run { log.connects == 1 })
        let large = Publication(
            topic: "last", payload: [UInt8](repeating: 0x78, count: 60_000), quality: 0,
            isRetained: false)
        for _ in 0..<20 { try log.session.client.publish(large) }
        log.session.end(within: .seconds(1))
        #expect(log.losses.isEmpty)
        #expect(reader.run { reader.messages.count == 20 })
        // The will, if there was one, came before this.
        let witness = try Loop.connected("witness", to: broker)
        try witness.publish("end", "")
        #expect(reader.run { reader.messages.last?.topic == "end" })
        #expect(!reader.messages.contains { $0.topic == "will" })
    }

    @Test(arguments: [false, true])
    func `a broker that never answers does not hold up the end`(isFull: Bool) throws {
        let listener = try SilentListener(isFull: isFull)
        defer { withExtendedLifetime(listener) {} }
        let log = Log(port: listener.port)
        #expect(!log.run(0.2) { log.connects > 0 })
        let start = ContinuousClock.now
        log.session.end(within: .seconds(1))
        #expect(ContinuousClock.now - start < .seconds(2))
        #expect(log.session.client.descriptor == nil)
    }

    @Test func `a broker that ceases to read holds up the end no longer than said`() throws {
        let broker = try PrivateBroker(directory: directory.path)
        let log = Log(port: broker.port)
        #expect(log.run { log.connects == 1 })
        let process = try #require(broker.processIdentifier)
        kill(process, SIGSTOP)
        let large = Publication(
            topic: "last", payload: [UInt8](repeating: 0x78, count: 60_000), quality: 0,
            isRetained: false)
        for _ in 0..<200 { try log.session.client.publish(large) }
        let start = ContinuousClock.now
        log.session.end(within: .seconds(1))
        let passed = ContinuousClock.now - start
        #expect(passed > .seconds(0.9) && passed < .seconds(2))
        kill(process, SIGCONT)
    }

    @Test func `what the broker refuses is asked for again until it is granted`() throws {
        let broker = try PrivateBroker(directory: directory.path)
        let proxy = try RefusingProxy(to: broker.port, refusing: 2)
        defer { proxy.stop() }
        let log = Log(port: proxy.port)
        var answers: [[String]] = []
        log.session.onSubscribed = { answers.append($0) }
        log.session.onConnect = {
            try? log.session.subscribe(["a/+", "b"], quality: 1)
        }
        #expect(log.run { answers.last == ["a/+", "b"] })
        #expect(log.run { answers.last == [] }, "\(answers)")
        // It was refused twice, and each time asked for on the same connection.
        #expect(answers.filter { !$0.isEmpty }.count >= 2)
        var got: [String] = []
        log.session.client.onMessage = { topic, _, _, _ in got.append(topic) }
        _ = try log.session.client.publish(
            Publication(topic: "a/x", payload: [1], quality: 1, isRetained: false))
        #expect(log.run { got == ["a/x"] })
        #expect(log.losses.isEmpty)
    }
}
