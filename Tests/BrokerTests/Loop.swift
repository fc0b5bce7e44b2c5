import Foundation
import Testing

@testable import Broker
@testable import Wire

/// A client in a loop of its own, with everything that happened to it.
final class Loop {
    struct Message: Equatable {
        var topic: String
        var payload: [UInt8]
        var isRetained: Bool
        var quality: Int
    }

    let client: MQTTClient
    private(set) var connects: [Int32] = []
    private(set) var disconnects: [Int32] = []
    private(set) var messages: [Message] = []
    private(set) var published: [Int32] = []
    private(set) var granted: [[Int32]] = []

    init(_ client: MQTTClient) {
        self.client = client
        client.onConnect = { [unowned self] in connects.append($0) }
        client.onDisconnect = { [unowned self] in disconnects.append($0) }
        client.onPublished = { [unowned self] in published.append($0) }
        client.onSubscribed = { [unowned self] in granted.append($1) }
        client.onMessage = { [unowned self] topic, payload, isRetained, quality in
            var bytes: [UInt8] = []
            for index in payload.indices { bytes.append(payload[index]) }
            messages.append(
                Message(topic: topic, payload: bytes, isRetained: isRetained, quality: quality))
        }
    }

    /// A connected client.
    static func connected(
        _ id: String, to broker: PrivateBroker, will: Publication? = nil,
        version: MQTTClient.Version = .five
    ) throws -> Loop {
        let loop = Loop(MQTTClient(id: id, will: will, version: version))
        try loop.client.connect(host: "127.0.0.1", port: broker.port, keepalive: 5)
        #expect(loop.run { loop.connects == [0] })
        return loop
    }

    /// Polls until `isDone`, at most ten seconds. Whether it got there.
    func run(_ isDone: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + .seconds(10)
        var lastMisc = ContinuousClock.now
        while !isDone() {
            guard ContinuousClock.now < deadline else { return false }
            var entry = pollfd(
                fd: client.descriptor ?? -1,
                events: Int16(POLLIN) | (client.wantsWrite ? Int16(POLLOUT) : 0), revents: 0)
            poll(&entry, 1, 20)
            if entry.revents & Int16(POLLIN | POLLERR | POLLHUP) != 0 { client.readable() }
            if entry.revents & Int16(POLLOUT) != 0 { client.writable() }
            if ContinuousClock.now - lastMisc > .seconds(1) {
                client.misc()
                lastMisc = .now
            }
        }
        return true
    }

    func subscribe(_ filters: String..., quality: Int = 1) throws {
        let before = granted.count
        try client.subscribe(filters, quality: quality)
        #expect(run { self.granted.count > before })
    }

    func publish(_ topic: String, _ text: String, quality: Int = 1, isRetained: Bool = false) throws
    {
        let number = try client.publish(
            Publication(
                topic: topic, payload: Array(text.utf8), quality: quality, isRetained: isRetained))
        #expect(run { self.published.contains(number) })
    }

    var texts: [String] { messages.map { String(decoding: $0.payload, as: UTF8.self) } }
}

/// A directory that goes away with it.
final class TemporaryDirectory {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "broker-\(UUID())").path()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
