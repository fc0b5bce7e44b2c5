import Foundation
import Glibc

@testable import Broker
@testable import Wire

/// An MQTT client that notes everything said under `mesh/v1/`.
final class Watcher {
    /// One message as it arrived.
    struct Message {
        var topic: String
        var payload: [UInt8]
    }

    private final class Heard {
        var messages: [Message] = []
        /// The last message of each topic; an empty one clears it.
        var latest: [String: [UInt8]] = [:]
        /// What the broker had kept of each topic when it was asked.
        var kept: [String: [UInt8]] = [:]
        var isAccepted = false
        var isSubscribed = false
        var isLost = false
        var acknowledged: Set<Int32> = []
        /// A message of our own came back: everything sent before it has arrived.
        var isComplete = false
    }

    private let client: MQTTClient
    private let heard = Heard()
    /// A topic that it may write and read.
    private let marker: String

    /// Connects, subscribes, and takes in everything the broker keeps. `marked`: what it may write begins
    /// with this.
    init(
        port: Int, username: String? = nil, password: String? = nil, marked: String = "mesh-tests/"
    ) throws {
        marker = marked + UUID().uuidString
        client = MQTTClient(id: "tests-\(UUID().uuidString.prefix(8))")
        let (heard, marker) = (heard, marker)
        client.onConnect = { code in heard.isAccepted = code == 0 }
        client.onDisconnect = { _ in heard.isLost = true }
        client.onSubscribed = { _, _ in heard.isSubscribed = true }
        client.onPublished = { message in heard.acknowledged.insert(message) }
        client.onMessage = { topic, payload, isRetained, _ in
            guard topic != marker else {
                heard.isComplete = true
                return
            }
            let bytes = payload.indices.map { payload[$0] }
            heard.messages.append(Message(topic: topic, payload: bytes))
            heard.latest[topic] = bytes.isEmpty ? nil : bytes
            if isRetained { heard.kept[topic] = bytes }
        }
        try client.connect(
            host: "127.0.0.1", port: port, username: username, password: password)
        try work { heard.isAccepted }
        try client.subscribe(["mesh/v1/#", marker], quality: 0)
        try work { heard.isSubscribed }
        // Of quality 0 like the subscription, so that it can overtake nothing.
        try client.publish(
            Publication(topic: marker, payload: [1], quality: 0, isRetained: false))
        try work { heard.isComplete }
    }

    /// All messages in order, those the broker had kept first.
    var messages: [Message] { heard.messages }

    /// The last message of each topic that was not cleared.
    var latest: [String: [UInt8]] { heard.latest }

    /// What the broker had kept of each topic when this connected.
    var kept: [String: [UInt8]] { heard.kept }

    /// Whether the broker has gone.
    var isLost: Bool { heard.isLost }

    /// Says something and waits until the broker has taken it.
    func publish(_ topic: String, _ payload: [UInt8], isRetained: Bool = false) throws {
        let message = try client.publish(
            Publication(topic: topic, payload: payload, quality: 1, isRetained: isRetained))
        try work { heard.acknowledged.contains(message) }
    }

    /// Takes what comes within a moment.
    func work(milliseconds: Int32) {
        guard let socket = client.descriptor else {
            usleep(useconds_t(milliseconds) * 1000)
            return
        }
        let events = POLLIN | (client.wantsWrite ? POLLOUT : 0)
        var entry = pollfd(fd: socket, events: Int16(events), revents: 0)
        if poll(&entry, 1, milliseconds) > 0 {
            client.readable()
            client.writable()
        }
        client.misc()
    }

    private func work(until condition: () -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while !condition() {
            guard !heard.isLost, ContinuousClock.now < deadline else {
                throw RunningProgram.Fault(description: "the broker does not answer the tests")
            }
            work(milliseconds: 10)
        }
    }
}
