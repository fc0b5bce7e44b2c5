import Foundation
import Testing

@testable import Radio
@testable import Simulation
@testable import SiteModel
@testable import Wire

/// A node by itself: what it is told, what it keeps, and a recording that ends too early.
@Suite(.ownThread) struct ProcessNodeTests {
    /// What a coordinator would tell a node.
    func configuration(_ revision: Int64, _ people: [Person]) -> NodeConfigurationPayload {
        NodeConfigurationPayload(
            rev: revision, profile: .ranging, publishUnregistered: false, maxRangeM: 50,
            beacons: people.map { .init(id: $0.beaconSlug, identity: $0.identity) })
    }

    /// What beacons the node's last frame names.
    func heard(_ site: RunningSite) -> [String] {
        let frame = site.latest(site.topics[.frame, "n-press"], as: FramePayload.self)
        return frame?.r.map(\.beacon) ?? []
    }

    @Test func `a node obeys a good configuration, refuses a bad one, and keeps the good`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let topics = site.topics
        let active = { () -> NodeConfigurationActivePayload? in
            site.latest(topics[.nodeConfigurationActive, "n-press"])
        }
        try site.startNodes(["n-press"])
        site.air = ["n-press": [0: -50, 1: -55]]
        try site.wait("it says what it does") { active()?.rev == 0 }
        #expect(heard(site) == [])

        let good = configuration(7, [site.people[0]])
        try site.watcher.publish(
            topics[.nodeConfiguration, "n-press"], good.json, isRetained: true)
        try site.wait("it obeys") { active()?.rev == 7 }
        #expect(active()?.ok == true)
        try site.wait("it hears one") { heard(site) == [site.people[0].beaconSlug] }

        var twice = configuration(8, site.people)
        twice.beacons[1].id = twice.beacons[0].id
        try site.watcher.publish(
            topics[.nodeConfiguration, "n-press"], twice.json, isRetained: true)
        try site.wait("it refuses") { active()?.ok == false }
        #expect(active()?.rev == 8)
        #expect(active()?.error?.contains("two beacons are called") == true)
        try site.watcher.publish(
            topics[.nodeConfiguration, "n-press"], Array("{\"rev\":9,".utf8), isRetained: true)
        try site.wait("it refuses that, too") { active()?.error?.contains("no JSON") == true }
        let count = site.watcher.messages.count { $0.topic == topics[.frame, "n-press"] }
        try site.wait("two more frames") {
            site.watcher.messages.count { $0.topic == topics[.frame, "n-press"] } >= count + 2
        }
        #expect(heard(site) == [site.people[0].beaconSlug])

        // Started anew without a broker, it still knows.
        #expect(try site.terminate(site.nodes["n-press"]) <= .seconds(2))
        site.broker.stop()
        try site.startNodes(["n-press"], isReady: false)
        let node = try #require(site.nodes["n-press"])
        try site.wait("it misses the broker") { node.errors.contains("no broker at") }
        #expect(node.errors.contains("starting with the kept configuration 7"), "\(node.errors)")
        try site.broker.start()
        try site.watchAgain()
        try site.wait("it says what it does again") { active()?.rev == 7 && active()?.ok == true }
        try site.wait("it hears one again") { heard(site) == [site.people[0].beaconSlug] }
    }

    @Test func `of a recording that is cut off, the node uses what can be read`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        var bytes = BTSnoopWriter.header
        var last = 0
        let people = site.people
        for index in 0..<40 {
            last = bytes.count
            let at = Timestamp(milliseconds: 1_790_000_000_000 + Int64(index) * 100)
            let emission = Emission(
                node: 0, at: at, rssi: UInt8(bitPattern: -50), sender: .person(index % 3))
            bytes += BTSnoopWriter.record(of: emission.packet(of: people), at: at)
        }
        let file = site.file("cut.btsnoop")
        try Data(bytes.dropLast(5)).write(to: URL(fileURLWithPath: file))
        try site.startNode(
            "n-press", radio: "btsnoop:\(file)", more: "publish_unregistered: true")
        let node = try #require(site.nodes["n-press"])
        try site.wait("it says where it ends") { node.errors.contains("cut off") }
        #expect(
            node.errors.contains("cut.btsnoop: cut off in what begins at byte \(last), after 39"),
            "\(node.errors)")
        let frames = site.watcher.messages.filter {
            $0.topic == site.topics[.frame, "n-press"]
        }.compactMap { try? FramePayload(json: $0.payload.span) }
        let heard = Set(frames.flatMap { $0.r.map(\.beacon) })
        #expect(heard == Set(people.map(\.identity.text)))
        try site.wait("the end is told") {
            let health: NodeHealthPayload? = site.latest(site.topics[.nodeHealth, "n-press"])
            return health?.adapter == .ended
        }
        #expect(node.isRunning)
        #expect(try site.terminate(node) <= .seconds(2))
        #expect(node.status == 0)
    }

    @Test func `a recording that is none is said so`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let file = try site.write("dear diary", to: "diary.txt")
        try site.startNode("n-press", radio: "btsnoop:\(file)")
        let node = try #require(site.nodes["n-press"])
        try site.wait("it says so") {
            node.errors.contains("diary.txt: not a btsnoop recording of version 1 (byte 0)")
        }
    }
}
