import GRDB
import TestSupport
import Testing

@testable import Simulation
@testable import SiteModel
@testable import SiteStore

/// Notifications are facts like any other: simulated, and kept through crashes of the coordinator.
struct SimulatedNotificationTests {
    @Test(arguments: TestLength.seeds(of: 40))
    func `everybody who comes or goes is told of once, whatever crashes`(seed: UInt64) throws {
        let faults = Faults(
            seed: seed, nodes: Layout.small.nodes.count,
            during: Interval(
                from: SimulatedSite.start + .seconds(20), to: SimulatedSite.start + .seconds(120)))
        var site = try SimulatedSite(seed: seed, faults: faults)
        defer { site.cleanUp() }
        try site.run(seconds: 128)
        let (comings, untold, unfounded) = try site.store.read { db in
            (
                try Int.fetchOne(
                    db,
                    sql: """
                        SELECT count(*) FROM event
                        WHERE kind IN ('attendance.checked-in', 'attendance.checked-out')
                        """),
                try Int.fetchOne(
                    db,
                    sql: """
                        SELECT count(*) FROM event
                        WHERE kind IN ('attendance.checked-in', 'attendance.checked-out')
                            AND (SELECT count(*) FROM notification
                                WHERE cause = 'event-' || event.id AND user = event.user
                                    AND at_ms = event.at_ms) <> 1
                        """),
                try Int.fetchOne(
                    db,
                    sql: """
                        SELECT count(*) FROM notification
                        WHERE kind IN ('arrival', 'departure')
                            AND NOT EXISTS (SELECT 1 FROM event WHERE 'event-' || id = cause)
                        """)
            )
        }
        #expect(try #require(comings) > 5, "seed \(seed)")
        #expect(untold == 0, "seed \(seed)")
        #expect(unfounded == 0, "seed \(seed)")
    }
}
