import Foundation
import GRDB
import Testing

@testable import Wire

/// A database that takes nothing any more: it is mended or the process ends, and both are told.
@Suite(.ownThread) struct ProcessDamageTests {
    private let core = CoreTopics(coordinator: "main")

    private func alerts(_ site: RunningSite) -> [String]? {
        site.latest(core[.coreHealth], as: CoreHealthPayload.self)?.alerts.map(\.id)
    }

    private func isOffline(_ site: RunningSite) -> Bool {
        site.latest(core[.coreStatus], as: CoreStatusPayload.self)?.state == .offline
    }

    @Test func `a counter that rows have overtaken is mended by one refusal`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes(["n-press"])
        #expect(try site.get("healthz").status == 200)
        try site.wait("its health is told") { alerts(site) == [] }
        try site.execute(
            """
            WITH RECURSIVE number (n) AS (SELECT 1 UNION SELECT n + 1 FROM number WHERE n < 20)
            INSERT INTO event (id, kind, at_ms, user, subject) SELECT n, 'left', 1, 1, 1 FROM number
            """)
        site.air = ["n-press": [0: -50]]
        try site.wait("somebody is in") { site.attendance(0)?.state == .checkedIn }
        #expect(try site.rows("SELECT min(session_id) > 20 FROM v_session") == ["1"])
        #expect(try site.metric("mesh_facts_refused_total") == 1)
        #expect(try site.rows("SELECT count(*) FROM refused_input") == ["1"])
        // For a minute it is told, to whoever looks.
        let health = try site.get("healthz")
        #expect(health.status == 503 && health.body == Data("facts-refused\n".utf8))
        try site.wait("the broker is told") { alerts(site) == ["facts-refused"] }
        #expect(site.coordinator?.isRunning == true)
    }

    @Test func `refused again and again, the coordinator ends and says so`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.execute(
            """
            CREATE TRIGGER refuse_all BEFORE INSERT ON site_state
            BEGIN SELECT RAISE(ABORT, 'not today'); END
            """)
        try site.startCoordinator()
        try site.startNodes(["n-press"])
        site.air = ["n-press": [0: -50]]
        let coordinator = try #require(site.coordinator)
        try site.wait("the coordinator ends") { !coordinator.isRunning }
        #expect(coordinator.status == 70)
        #expect(
            coordinator.errors.contains("refuses what is decided again and again"),
            "\(coordinator.errors)")
        #expect(coordinator.errors.contains("not today"))
        try site.wait("the broker is told") {
            alerts(site) == ["facts-refused"] && isOffline(site)
        }
        // The last note may not be written any more.
        #expect(try site.rows("SELECT count(*) >= 4 FROM refused_input") == ["1"])
        // Once what refuses is gone, it goes on.
        try site.execute("DROP TRIGGER refuse_all")
        try site.startCoordinator()
        try site.wait("somebody is in") { site.attendance(0)?.state == .checkedIn }
        try site.wait("the broker is told") { alerts(site) == [] && !isOffline(site) }
    }

    @Test func `a database damaged while it is used ends the coordinator`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes(["n-press"])
        let coordinator = try #require(site.coordinator)
        let page: UInt64 = 4096
        let file = try #require(FileHandle(forUpdatingAtPath: site.database))
        let size = try file.seekToEnd()
        #expect(size > 20 * page)
        try file.seek(toOffset: page)
        try file.write(contentsOf: Data(repeating: 0xFF, count: Int(size - page)))
        try file.close()
        // Pages are read again after the next commit.
        site.air = ["n-press": [0: -50]]
        try site.wait("the coordinator ends") { !coordinator.isRunning }
        #expect(coordinator.status == 74)
        #expect(coordinator.errors.contains("damaged ("), "\(coordinator.errors)")
        try site.wait("the broker is told") {
            alerts(site) == ["database-damaged"] && isOffline(site)
        }
        try site.startCoordinator(isReady: false)
        try site.wait("the next one ends") { site.coordinator?.isRunning == false }
        #expect(site.coordinator?.status == 78)
    }
}
