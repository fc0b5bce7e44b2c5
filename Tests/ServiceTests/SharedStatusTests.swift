import Testing

@testable import CoordinatorService
@testable import Positioning
@testable import SiteModel

/// What a monitoring system is told.
struct SharedStatusTests {
    let status = SharedStatus()

    private var lines: [String] { status.metrics.split(separator: "\n").map(String.init) }

    @Test func `changes of place and flaps are counted`() {
        status.update { $0.changes = ChangeCounts(changes: 12, flaps: 3) }
        #expect(lines.contains("mesh_place_changes_total 12"))
        #expect(lines.contains("mesh_place_flaps_total 3"))
        #expect(!lines.contains { $0.contains("shadow") }, "only if one runs")
    }

    @Test func `refused facts and alerts are told`() {
        #expect(lines.contains("mesh_facts_refused_total 0"))
        #expect(lines.contains("mesh_alerts{alert=\"facts-refused\"} 0"))
        #expect(status.health.fault() == nil)
        status.update {
            $0.factsRefused = 3
            $0.troubles = ["facts-refused"]
        }
        #expect(lines.contains("mesh_facts_refused_total 3"))
        #expect(lines.contains("mesh_alerts{alert=\"facts-refused\"} 1"))
        #expect(status.health.fault() == "facts-refused")
    }

    @Test func `how a shadow compares is told by role and method`() {
        let now = Timestamp(milliseconds: 0)
        status.update {
            $0.shadow = ShadowState(
                since: now, at: now, seconds: 100, agreed: 90,
                deciding: ShadowState.Side(method: .auto, alone: 1, changes: 2, probability: 0.5),
                shadow: ShadowState.Side(method: .zoneLevel))
        }
        for line in [
            "mesh_shadow_seconds_total{places=\"same\"} 90",
            "mesh_shadow_seconds_total{places=\"different\"} 10",
            "mesh_shadow_alone_seconds_total{role=\"deciding\",method=\"auto\"} 1",
            "mesh_shadow_place_changes_total{role=\"shadow\",method=\"zone-level\"} 0",
            "mesh_shadow_probability{role=\"deciding\",method=\"auto\"} 0.5",
        ] { #expect(lines.contains(line), "\(line)") }
        let types = lines.filter { $0.hasPrefix("# TYPE") }
        #expect(Set(types).count == types.count, "a type is said once")
    }
}
