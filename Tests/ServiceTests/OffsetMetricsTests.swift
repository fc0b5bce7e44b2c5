import Testing

@testable import CoordinatorService
@testable import SiteModel
@testable import Wire

/// Offsets in `/metrics`.
struct OffsetMetricsTests {
    @Test func `metrics say what was learned and what of it is taken off`() {
        let names = Names(
            site: "gym", siteName: "Gym", timeZone: "Europe/Berlin", isDemo: false,
            rooms: NameTable([]), stations: NameTable([]),
            nodes: NameTable([.init(id: NodeID(1), slug: "n-hall", name: "Hall")]),
            beacons: NameTable([.init(id: BeaconID(1), slug: "b-ann", name: "Tag")]),
            users: NameTable([]))
        let moment = Timestamp(milliseconds: 0)
        let rows = [
            OffsetRow(
                device: .node(NodeID(1)), place: nil, position: nil, offset: -7.5, applied: -6,
                weight: 900, since: moment, at: moment, isProven: true),
            OffsetRow(
                device: .beacon(BeaconID(1)), place: nil, position: nil, offset: 2, applied: 0,
                weight: 900, since: moment, at: moment, isProven: false, drift: 8),
        ]
        let status = SharedStatus()
        status.update {
            $0.offsets = rows.map { .init($0, names: names) }
            $0.surveyBias = [.init(.node(NodeID(1)), decibels: -5.96, names: names)]
        }
        let lines = status.health.metrics().split(separator: "\n")
        #expect(lines.contains("mesh_offset_db{node=\"n-hall\"} -7.5"))
        #expect(lines.contains("mesh_offset_applied_db{node=\"n-hall\"} -6.0"))
        #expect(lines.contains("mesh_offset_drift_db{node=\"n-hall\"} 0.0"))
        #expect(lines.contains("mesh_offset_drift_db{beacon=\"b-ann\"} 8.0"))
        #expect(lines.contains("mesh_survey_bias_db{node=\"n-hall\"} -6.0"))
    }
}
