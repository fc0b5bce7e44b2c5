import Foundation
import GRDB
import TestSupport
import Testing

@testable import Wire

/// What a running site tells of what is near people: a real broker, coordinator and nodes, and simulated noise.
@Suite(.ownThread) struct ProcessNearTests {
    private struct Description: Decodable {
        struct Broker: Decodable { var port: Int }
        var broker: Broker
        var database: String
    }

    @Test func `whoever is somewhere is told what is near, and of nobody's tag who does not share`()
        throws
    {
        let demo = try Demonstration(.pipe, ["--port", "0", "--people", "40"])
        try demo.wait("ready", within: 120) { demo.isReady }
        let json = try Data(contentsOf: URL(fileURLWithPath: demo.directory + "/demo.json"))
        let description = try JSONDecoder().decode(Description.self, from: json)
        let carriers = try carriers(description.database)
        let watcher = try Watcher(port: description.broker.port)
        let seconds = TestLength.isLong ? 600.0 : 30
        let end = ContinuousClock.now + .seconds(seconds)
        var (messages, bytes, tags) = (0, 0, 0)
        var seen = 0
        var present: Set<String> = []
        var told: Set<String> = []
        while ContinuousClock.now < end {
            var isRead = false
            try demo.wait("a moment", within: 5) {
                defer { isRead = true }
                return isRead
            }
            watcher.work(milliseconds: 200)
            for message in watcher.messages[seen...] where message.topic.hasSuffix("/near") {
                let (topic, payload) = (message.topic, message.payload)
                messages += 1
                bytes += topic.utf8.count + payload.count
                let user = String(topic.split(separator: "/").dropLast().last ?? "")
                guard !payload.isEmpty else { continue }
                let near = try NearPayload(json: payload.span)
                told.insert(user)
                #expect(!near.nodes.isEmpty || near.beacons.isEmpty)
                for beacon in near.beacons {
                    guard let one = carriers[beacon.id] else { continue }
                    tags += 1
                    #expect(one.user != user, "\(user) is told of their own tag")
                    #expect(one.shares, "\(user) is told of \(beacon.id)")
                }
            }
            seen = watcher.messages.count
            for (topic, payload) in watcher.latest where topic.hasSuffix("/presence") {
                let presence = try PresencePayload(json: payload.span)
                if presence.state == .present {
                    present.insert(String(topic.split(separator: "/").dropLast().last ?? ""))
                }
            }
        }
        print(
            "\(told.count) people are told, \(messages) messages of \(bytes) bytes in \(Int(seconds)) s; "
                + "tags of others in \(tags) lines")
        // Whoever came in the last moments is told of soon.
        #expect(
            !present.isEmpty
                && Double(present.intersection(told).count) > 0.7 * Double(present.count))
        demo.kill(SIGTERM)
        try demo.wait("everything has ended", within: 10) { demo.isGone }
    }

    private func carriers(_ database: String) throws -> [String: (user: String, shares: Bool)] {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: database, configuration: configuration)
        let rows = try queue.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT beacon.slug AS beacon, user.slug AS user, EXISTS (
                        SELECT 1 FROM sharing WHERE sharing.user = user.id AND kind = 'place'
                    ) AS shares
                    FROM beacon_binding AS binding JOIN beacon ON beacon.id = binding.beacon
                        JOIN user ON user.id = binding.user WHERE to_ms IS NULL
                    """
            ).map {
                ($0["beacon"] as String, (user: $0["user"] as String, shares: $0["shares"] as Bool))
            }
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }
}
