import Foundation
import FoundationNetworking
import GRDB
import Synchronization
import Testing

@testable import Wire

/// Processes that end: by a power cut, or because they were asked to.
@Suite(.ownThread) struct ProcessCrashTests {
    /// What may differ after a restart: counters, and when something was last said.
    func steady(_ kept: [String: [UInt8]]) -> [String: [UInt8]] {
        kept.filter { topic, _ in
            !topic.hasSuffix("/state") && !topic.hasSuffix("/presence")
                && !topic.hasSuffix("/health") && !topic.hasSuffix("/cursor")
                // Where somebody moved is in their day some seconds later.
                && !topic.hasSuffix("/day") && !topic.hasPrefix("mesh/v1/core/")
        }
    }

    @Test func `a power cut neither splits a session nor changes what is told`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes()
        site.air = ["n-press": [0: -50], "n-row": [1: -55]]
        try site.wait("they are at their stations") {
            site.presence(0)?.station == "press" && site.presence(1)?.station == "row"
        }
        try site.wait("both are in") {
            site.attendance(0)?.state == .checkedIn && site.attendance(1)?.state == .checkedIn
        }
        try site.ask(.startWorkout, user: 0, station: "press")
        let before = try site.retained()
        let presence = try #require(site.presence(0))
        let sessions = "SELECT session_id, user, check_in_ms, state FROM v_session ORDER BY 1"
        let stays = "SELECT stay_id, user, place, from_ms, to_ms FROM v_stay ORDER BY 1"
        let history = try site.rows(sessions) + site.rows(stays)
        #expect(history.count == 6)

        let status = CoreTopics(coordinator: "main")[.coreStatus]
        try #require(site.coordinator).kill()
        try site.wait("the broker says so") {
            site.latest(status, as: CoreStatusPayload.self)?.state == .offline
        }
        try site.startCoordinator()
        try site.wait("the broker says it is back") {
            site.latest(status, as: CoreStatusPayload.self)?.state == .online
        }
        try site.wait("everybody is where they were") {
            site.presence(0)?.station == "press" && site.presence(1)?.station == "row"
                && site.presence(0)?.state == .present && site.presence(1)?.state == .present
        }
        let after = try site.retained()
        // The first cursor, health and beat of a node may come at any moment.
        let isSteady = { (topic: String) in
            ["/cursor", "/health", "/beat"].allSatisfy { !topic.hasSuffix($0) }
        }
        #expect(after.keys.filter(isSteady).sorted() == before.keys.filter(isSteady).sorted())
        #expect(steady(after) == steady(before))
        #expect(site.presence(0)?.sinceMs == presence.sinceMs)
        try site.wait("the press is occupied again") { site.station("press")?.state == .occupied }
        #expect(try site.rows(sessions) + site.rows(stays) == history)
    }

    @Test func `a visit before a power cut and one after it are two`() throws {
        var text = SiteText()
        text.leave = 2
        text.mergeGap = 5
        let site = try RunningSite(text)
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes(["n-press"])
        site.air = ["n-press": [0: -50]]
        try site.wait("they are in") { site.attendance(0)?.state == .checkedIn }
        site.air = [:]
        try site.wait("they are out") { site.attendance(0)?.state == .checkedOut }
        let first = try #require(site.attendance(0))
        try #require(site.coordinator).kill()
        try site.startCoordinator()
        // Silence of up to ten seconds is no silence.
        try site.wait("a while") { site.now.milliseconds - (first.checkOutMs ?? 0) > 12_000 }
        site.air = ["n-press": [0: -50]]
        try site.wait("they are in again") {
            site.attendance(0)?.state == .checkedIn
                && site.attendance(0)?.session != first.session
        }
        let sessions = try site.rows("SELECT session_id, check_out_ms FROM v_session ORDER BY 1")
        #expect(
            sessions == [
                "\(first.session ?? 0) \(first.checkOutMs ?? 0)",
                "\(site.attendance(0)?.session ?? 0) -",
            ])
    }

    @Test func `asked to stop, both daemons end within two seconds and say goodbye`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes(["n-press"])
        site.air = ["n-press": [0: -50]]
        try site.wait("somebody is in") { site.attendance(0)?.state == .checkedIn }
        // A page that listens must not keep the coordinator alive.
        let address = try #require(site.dashboard.flatMap { URL(string: $0 + "api/v1/stream") })
        let page = OpenPage()
        let session = URLSession(configuration: .default, delegate: page, delegateQueue: nil)
        session.dataTask(with: address).resume()
        defer { session.invalidateAndCancel() }
        try site.wait("the page listens") { page.isOpen }

        let node = try #require(site.nodes["n-press"])
        #expect(try site.terminate(node) <= .seconds(2))
        #expect(node.status == 0, "\(node.errors)")
        let coordinator = try #require(site.coordinator)
        #expect(try site.terminate(coordinator) <= .seconds(2))
        #expect(coordinator.status == 0, "\(coordinator.errors)")

        let kept = try site.retained()
        let nodeStatus = try #require(kept[site.topics[.nodeStatus, "n-press"]])
        #expect(try NodeStatusPayload(json: nodeStatus.span).state == .offline)
        let status = try #require(kept[CoreTopics(coordinator: "main")[.coreStatus]])
        #expect(try CoreStatusPayload(json: status.span).state == .offline)
        #expect(try site.rows("SELECT state FROM v_session") == ["open"])
    }

    @Test func `asked to stop with the database locked, the coordinator says what is lost`() throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        let coordinator = try #require(site.coordinator)
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        let other = try DatabaseQueue(path: site.database, configuration: configuration)
        let request = RequestPayload(
            id: "late", args: .init(user: site.people[0].slug, station: "press"))
        try other.inDatabase { db in
            try db.execute(sql: "BEGIN IMMEDIATE")
            defer { _ = Result { try db.execute(sql: "ROLLBACK") } }
            try site.watcher.publish(
                site.topics[.request, "tests", "workout-start"], request.json)
            try site.wait("a fact waits") { try site.metric("mesh_facts_waiting") > 0 }
            #expect(try site.terminate(coordinator) <= .seconds(2))
        }
        #expect(coordinator.status == 75)
        #expect(coordinator.errors.contains("facts could not be stored"), "\(coordinator.errors)")
        // Nobody was told that it was done, so it can be asked for again.
        #expect(try site.rows("SELECT count(*) FROM v_workout") == ["0"])
        try site.startCoordinator()
        try site.ask(.startWorkout, user: 0, station: "press", id: "late")
        #expect(try site.rows("SELECT count(*) FROM v_workout") == ["1"])
    }

    @Test func `asked to stop while the broker is away, both daemons end all the same`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes(["n-press"])
        site.broker.stop()
        let daemons = [try #require(site.coordinator), try #require(site.nodes["n-press"])]
        for daemon in daemons {
            try site.wait("\(daemon.name) notices") { daemon.errors.contains("no broker at") }
            #expect(try site.terminate(daemon) <= .seconds(2))
            #expect(daemon.status == 0, "\(daemon.errors)")
        }
    }
}

/// A page that has begun to receive events.
private final class OpenPage: NSObject, URLSessionDataDelegate {
    private let hasData = Atomic<Bool>(false)

    var isOpen: Bool { hasData.load(ordering: .relaxed) }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        hasData.store(true, ordering: .relaxed)
    }
}
