import Foundation
import Testing

@testable import Broker
@testable import Wire

/// The access list that is shipped, in a real broker.
@Suite(.ownThread) struct ProcessAccessListTests {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appending(path: "../../deploy/mosquitto").standardized

    static func list() throws -> String {
        try String(contentsOf: folder.appending(path: "beaconmesh.acl"), encoding: .utf8)
    }

    /// A client of the secured broker that notes what it reads and what it may not write.
    final class Member {
        let client: MQTTClient
        private(set) var topics: Set<String> = []
        private(set) var refused: Set<String> = []
        private var sent: [Int32: String] = [:]
        private var answered: Set<Int32> = []
        private var isSubscribed = false

        init(_ user: String, of site: RunningSite, reading filter: String) throws {
            client = MQTTClient(id: "member-\(user)")
            client.onMessage = { [unowned self] topic, _, _, _ in topics.insert(topic) }
            client.onSubscribed = { [unowned self] _, _ in isSubscribed = true }
            client.onRefused = { [unowned self] message, _ in
                if let topic = sent[message] { refused.insert(topic) }
            }
            client.onPublished = { [unowned self] in answered.insert($0) }
            try client.connect(
                host: "127.0.0.1", port: site.secured?.port ?? 0, username: user,
                password: RunningSite.password(of: user))
            try site.wait("\(user) is in") { work { client.isConnected } }
            try client.subscribe([filter], quality: 1)
            try site.wait("\(user) listens") { work { isSubscribed } }
        }

        /// Writes to each topic, and waits until the broker has answered all.
        func write(_ topics: [String], at site: RunningSite) throws {
            for topic in topics {
                let message = try client.publish(
                    Publication(topic: topic, payload: [0x78], quality: 1, isRetained: false))
                sent[message] = topic
            }
            try site.wait("the broker answers") { work { answered.count == sent.count } }
        }

        func work(_ condition: () -> Bool = { true }) -> Bool {
            client.readable()
            client.writable()
            client.misc()
            return condition()
        }
    }

    @Test func `with it a coordinator and its nodes do all their work`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.secure(acl: Self.list(), more: ["tests"])
        let stray = site.topics.root + "room/sauna/info"
        try site.watcher.publish(stray, Array("{\"a\":1}".utf8), isRetained: true)
        try site.startCoordinator()
        try site.wait("strays are cleared") { site.watcher.latest[stray] == nil }
        try site.startNodes()
        site.air = ["n-press": [0: -50]]
        try site.wait("somebody is in") { site.attendance(0)?.state == .checkedIn }
        try site.wait("at the press") { site.presence(0)?.station == "press" }
        try site.ask(.startWorkout, user: 0, station: "press")
        for node in ["n-press", "n-row"] {
            try site.wait("\(node) is configured") {
                let topic = site.topics[.nodeConfigurationActive, node]
                return site.latest(topic, as: NodeConfigurationActivePayload.self)?.ok == true
            }
            // A minute has to end before there is evidence to store.
            try site.wait("\(node)'s evidence is stored and acknowledged", within: 100) {
                let cursor = site.latest(site.topics[.cursor, node], as: CursorPayload.self)
                return (cursor?.seq ?? 0) > 0
            }
        }
        // What it retains is there: all that another start would tell is told now.
        for topic in [
            site.topics[.siteInfo], site.topics[.siteState], site.topics[.roomInfo, "hall"],
            site.topics[.stationState, "press"],
            site.topics[.beaconInfo, site.people[0].beaconSlug],
            site.topics[.why, site.people[0].slug], CoreTopics(coordinator: "main")[.coreHealth],
        ] {
            #expect(site.watcher.latest[topic] != nil, "\(topic)")
        }
        let log = site.coordinator?.errors ?? ""
        #expect(!log.contains("access list") && !log.contains("no broker"), "\(log)")
        _ = try site.terminate(site.coordinator)
        let status = CoreTopics(coordinator: "main")[.coreStatus]
        try site.wait("it said goodbye") {
            site.latest(status, as: CoreStatusPayload.self)?.state == .offline
        }
    }

    @Test func `a node speaks and reads for itself only, and not for the coordinator`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.secure(acl: Self.list())
        let node = try Member("n-press", of: site, reading: "mesh/v1/#")
        let own = site.topics.root + "node/n-press/"
        let allowed = [
            "status", "info", "health", "beat", "frame", "rssi/b-1", "evidence", "event", "res",
            "raw", "config/active",
        ].map { own + $0 }
        let forbidden =
            ["cursor", "config/desired", "cmd", "other"].map { own + $0 }
            + ["status", "frame", "evidence", "cursor"].map {
                site.topics.root + "node/n-row/" + $0
            }
            + [
                "user/u-1/attendance", "room/hall/info", "req/n-press/attendance-check-in",
                "debug/lease/n-press", "event/session/1",
            ].map { site.topics.root + $0 } + ["mesh/v1/core/main/status", "elsewhere"]
        try node.write(allowed + forbidden, at: site)
        #expect(node.refused == Set(forbidden))
        // Of what others say it reads what is for it.
        let readable =
            ["config/desired", "cmd", "cursor"].map { own + $0 }
            + [site.topics[.debugLease, "n-press"]]
        for topic in allowed + forbidden + readable { try site.watcher.publish(topic, [0x79]) }
        try site.watcher.publish(own + "cmd", [0x7A])
        try site.wait("it reads") { node.work { node.topics.isSuperset(of: readable) } }
        #expect(node.topics == Set(readable))
    }

    @Test func `the coordinator says nothing for nodes`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.secure(acl: Self.list())
        let core = try Member("coordinator", of: site, reading: "mesh/v1/#")
        let forbidden = ["status", "frame", "evidence", "event", "config/active"].map {
            site.topics.root + "node/n-press/\($0)"
        }
        try core.write(forbidden + [site.topics[.cursor, "n-press"]], at: site)
        #expect(core.refused == Set(forbidden))
    }

    /// The broker refuses what nobody has a use for before it is read.
    @Test func `the broker's file limits packets to what all clients take`() throws {
        let text = try String(
            contentsOf: Self.folder.appending(path: "beaconmesh.conf"), encoding: .utf8)
        #expect(text.contains("\nmax_packet_size \(PacketSize.most)\n"))
        #expect(text.contains("\nacl_file /etc/mosquitto/beaconmesh.acl\n"))
    }
}
