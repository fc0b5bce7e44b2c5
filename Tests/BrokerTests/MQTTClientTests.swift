import Foundation
import Testing

@testable import Broker
@testable import Wire

/// Against a real mosquitto.
@Suite(.serialized) struct MQTTClientTests {
    let directory: TemporaryDirectory
    let broker: PrivateBroker

    init() throws {
        directory = try TemporaryDirectory()
        broker = try PrivateBroker(directory: directory.path)
    }

    /// MQTT promises an order only among messages of one quality.
    @Test(arguments: MQTTClient.Version.allCases, [0, 1])
    func `what is published arrives in order`(version: MQTTClient.Version, quality: Int) throws {
        let reader = try Loop.connected("reader", to: broker, version: version)
        try reader.subscribe("a/#", "b")
        #expect(reader.granted == [[1, 1]])
        let writer = try Loop.connected("writer", to: broker, version: version)
        for number in 0..<500 {
            try writer.client.publish(
                Publication(
                    topic: "a/\(number % 3)", payload: Array("\(number)".utf8), quality: quality,
                    isRetained: false))
        }
        #expect(writer.run { writer.published.count == 500 })
        #expect(reader.run { reader.messages.count == 500 })
        let isInOrder = reader.texts == (0..<500).map(String.init)
        #expect(isInOrder)
        #expect(reader.messages.allSatisfy { $0.quality == quality && !$0.isRetained })
        try writer.publish("b", "")
        #expect(reader.run { reader.messages.count == 501 })
        #expect(reader.messages.last?.payload == [])
    }

    @Test func `a retained message reaches a late subscriber and says so`() throws {
        let writer = try Loop.connected("writer", to: broker)
        try writer.publish("kept", "state", isRetained: true)
        let reader = try Loop.connected("reader", to: broker)
        try reader.subscribe("kept")
        #expect(reader.run { reader.messages.count == 1 })
        try writer.publish("kept", "live", isRetained: true)
        #expect(reader.run { reader.messages.count == 2 })
        #expect(reader.messages.map(\.isRetained) == [true, false])
    }

    @Test func `a cut connection publishes the will, a goodbye does not`() throws {
        let reader = try Loop.connected("reader", to: broker)
        try reader.subscribe("will/#")
        func will(_ name: String) -> Publication {
            Publication(topic: "will/\(name)", payload: [0x78], quality: 1, isRetained: true)
        }
        let polite = try Loop.connected("polite", to: broker, will: will("polite"))
        polite.client.disconnect()
        #expect(polite.run { !polite.disconnects.isEmpty })
        #expect(polite.disconnects == [0])
        #expect(polite.client.descriptor == nil)
        let dropped = try Loop.connected("dropped", to: broker, will: will("dropped"))
        dropped.client.drop()
        #expect(dropped.disconnects.count == 1)
        #expect(reader.run { !reader.messages.isEmpty })
        #expect(reader.messages.map(\.topic) == ["will/dropped"])
    }

    @Test func `a broker that goes away is noticed once, and the caller can come back`() throws {
        let loop = try Loop.connected("node", to: broker)
        broker.stop()
        #expect(loop.run { !loop.disconnects.isEmpty })
        #expect(loop.disconnects.count == 1)
        #expect(throws: MQTTError.self) { try loop.client.publish(Self.small) }
        // Nobody listens: the system may say so at once or a moment later.
        let isBegun = (try? loop.client.connect(host: "127.0.0.1", port: broker.port)) != nil
        #expect(loop.run { loop.client.descriptor == nil })
        #expect(loop.disconnects.count == (isBegun ? 2 : 1))
        #expect(!loop.client.isConnected)
        try broker.start()
        try loop.client.connect(host: "127.0.0.1", port: broker.port)
        #expect(loop.run { loop.client.isConnected })
        try loop.subscribe("echo")
        try loop.publish("echo", "again")
        #expect(loop.run { loop.texts == ["again"] })
    }

    @Test func `nothing unacknowledged is sent again behind the caller's back`() throws {
        let loop = try Loop.connected("node", to: broker)
        try loop.client.publish(
            Publication(topic: "late", payload: [1], quality: 1, isRetained: true))
        loop.client.drop()
        broker.stop()
        try broker.start()
        try loop.client.connect(host: "127.0.0.1", port: broker.port)
        #expect(loop.run { loop.client.isConnected })
        try loop.subscribe("late", "fence")
        try loop.publish("fence", "f")
        #expect(loop.run { !loop.messages.isEmpty })
        #expect(loop.texts == ["f"])
    }

    @Test func `a payload of a megabyte arrives whole`() throws {
        let payload = (0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let loop = try Loop.connected("node", to: broker)
        try loop.subscribe("big")
        try loop.client.publish(
            Publication(topic: "big", payload: payload, quality: 1, isRetained: false))
        #expect(loop.run { loop.messages.count == 1 })
        #expect(loop.messages.first?.payload == payload)
    }

    @Test func `a message larger than any of ours does not reach us, and the next does`() throws {
        // A broker that takes what MQTT allows, on the port of ours.
        broker.stop()
        let loose = Process()
        loose.executableURL = URL(fileURLWithPath: "/usr/sbin/mosquitto")
        loose.arguments = ["-p", "\(broker.port)"]
        loose.standardOutput = FileHandle.nullDevice
        loose.standardError = FileHandle.nullDevice
        try loose.run()
        defer {
            // A child may have inherited that SIGTERM is blocked.
            kill(loose.processIdentifier, SIGKILL)
            loose.waitUntilExit()
        }
        let reader = Loop(MQTTClient(id: "reader"))
        for _ in 0..<500 where !reader.client.isConnected {
            try? reader.client.connect(host: "127.0.0.1", port: broker.port, keepalive: 5)
            _ = reader.run { reader.client.descriptor == nil || reader.client.isConnected }
            // Until it listens it refuses at once.
            if !reader.client.isConnected { Thread.sleep(forTimeInterval: 0.01) }
        }
        try reader.subscribe("a")
        let writer = try Loop.connected("writer", to: broker)
        for size in [PacketSize.most, 8 << 20, 1, PacketSize.most - 100] {
            let number = try writer.client.publish(
                Publication(
                    topic: "a", payload: [UInt8](repeating: 0x20, count: size), quality: 1,
                    isRetained: false))
            #expect(writer.run { writer.published.contains(number) })
        }
        #expect(reader.run { reader.messages.count >= 2 })
        #expect(reader.messages.map(\.payload.count) == [1, PacketSize.most - 100])
        #expect(reader.client.isConnected)
    }

    @Test func `our own broker lets nobody send larger ones, and the others go on`() throws {
        let reader = try Loop.connected("reader", to: broker)
        try reader.subscribe("a")
        let large = Publication(
            topic: "a", payload: [UInt8](repeating: 0x20, count: PacketSize.most), quality: 1,
            isRetained: false)
        // One that was told the limit, and one whose protocol has no word for it.
        let told = try Loop.connected("told", to: broker)
        #expect(throws: MQTTError.self) { try told.client.publish(large) }
        let untold = try Loop.connected("untold", to: broker, version: .threeOneOne)
        _ = try? untold.client.publish(large)
        #expect(untold.run { !untold.disconnects.isEmpty })
        try told.publish("a", "small")
        #expect(reader.run { reader.messages.count == 1 })
        #expect(reader.texts == ["small"])
    }

    @Test func `publishing inside the message callback works`() throws {
        let loop = try Loop.connected("node", to: broker)
        try loop.subscribe("ping", "pong")
        let note = loop.client.onMessage
        loop.client.onMessage = { [unowned loop] topic, payload, isRetained, quality in
            note(topic, payload, isRetained, quality)
            guard topic == "ping" else { return }
            _ = try? loop.client.publish(
                Publication(topic: "pong", payload: [], quality: 1, isRetained: false))
        }
        try loop.publish("ping", "")
        #expect(loop.run { loop.messages.map(\.topic) == ["ping", "pong"] })
    }

    @Test func `a topic with a wildcard is refused with its name`() throws {
        let loop = try Loop.connected("node", to: broker)
        let error = #expect(throws: MQTTError.self) {
            try loop.client.publish(
                Publication(topic: "a/#", payload: [], quality: 0, isRetained: false))
        }
        #expect(error?.subject == "a/#")
        #expect(loop.client.isConnected)
    }

    @Test func `a second client of the same name ends the first one's connection`() throws {
        let first = try Loop.connected("same", to: broker)
        let second = try Loop.connected("same", to: broker)
        #expect(first.run { first.disconnects.count == 1 })
        #expect(second.client.isConnected)
    }

    @Test(arguments: [false, true])
    func `a host that stays silent holds up nobody and is given up`(isFull: Bool) throws {
        let listener = try SilentListener(isFull: isFull)
        let loop = Loop(MQTTClient(id: "node"))
        let start = ContinuousClock.now
        try loop.client.connect(host: "127.0.0.1", port: listener.port, keepalive: 5)
        #expect(ContinuousClock.now - start < .seconds(1))
        #expect(loop.run { loop.disconnects.count == 1 })
        #expect(loop.connects.isEmpty)
    }

    static let small = Publication(topic: "t", payload: [], quality: 0, isRetained: false)
}
