import Foundation
import Testing

@testable import SiteModel
@testable import SiteEngine
@testable import SitePipeline
@testable import SiteStore
@testable import Wire

/// What a coordinator sees that a person should look at: on its topic, in its metrics and its log.
@Suite(.ownThread) struct ProcessAlertTests {
    private func alerts(_ site: RunningSite) -> [CoreHealthPayload.Alert] {
        let topic = CoreTopics(coordinator: "main")[.coreHealth]
        return site.latest(topic, as: CoreHealthPayload.self)?.alerts ?? []
    }

    private func beat(_ site: RunningSite, boot: UInt64, ahead: Int64? = nil) throws {
        let now = site.now.milliseconds
        try site.watcher.publish(
            site.topics[.nodeBeat, "n-press"],
            NodeBeatPayload(
                boot: boot, tMs: now, wallMs: now + (ahead ?? 0), synced: ahead != nil, frameSeq: 0
            ).json)
    }

    @Test func `two nodes with one id are an alert`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        #expect(alerts(site) == [])
        #expect(try site.metric("mesh_alerts{alert=\"duplicate-id\"}") == 0)
        for boot in [1, 2, 1, 2, 1] as [UInt64] { try beat(site, boot: boot) }
        try site.wait("an alert") { !alerts(site).isEmpty }
        #expect(alerts(site).map(\.id) == ["duplicate-id"])
        #expect(alerts(site).first?.node == "n-press")
        #expect(try site.metric("mesh_alerts{alert=\"duplicate-id\"}") == 1)
        #expect(
            site.coordinator?.errors.contains(
                "alert duplicate-id: two nodes go by the id n-press") == true)
    }

    @Test func `a clock behind those that time servers keep is an alert within five seconds`()
        throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        let start = ContinuousClock.now
        for _ in 0..<2 { try beat(site, boot: 1, ahead: 3_600_000) }
        try site.wait("an alert", within: 5) { alerts(site).map(\.id) == ["clock-behind"] }
        #expect(ContinuousClock.now - start < .seconds(5))
        #expect(site.coordinator?.errors.contains("time servers told most nodes") == true)
    }

    /// A machine without a clock chip and without a network.
    @Test func `a clock behind the newest row is said at once, and the row is gone by`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let newest = site.now + .seconds(3600)
        let store = try Store(path: site.database)
        try store.commit([
            .site(SiteRow(clock: newest, next: 1, coverage: [], clocks: []))
        ])
        store.close()
        let start = ContinuousClock.now
        try site.startCoordinator(isReady: false)
        try site.wait("it says so", within: 5) {
            site.coordinator?.errors.contains("s behind the newest row of the database") == true
        }
        try site.wait("it is ready") { site.coordinator?.errors.contains(": ready\n") == true }
        #expect(ContinuousClock.now - start >= .seconds(StartClock.patience.seconds))
        try site.wait("an alert", within: 5) { alerts(site).map(\.id) == ["clock-behind"] }
        let health: CoreHealthPayload? = site.latest(CoreTopics(coordinator: "main")[.coreHealth])
        #expect(health.map { $0.tMs >= newest.milliseconds } == true)
        // And people come in all the same, in the hour that follows.
        try site.startNodes(["n-press"])
        site.air = ["n-press": [0: -50]]
        try site.wait("somebody is in") { site.attendance(0)?.state == .checkedIn }
        #expect(site.attendance(0)?.checkInMs.map { $0 >= newest.milliseconds } == true)
    }
}
