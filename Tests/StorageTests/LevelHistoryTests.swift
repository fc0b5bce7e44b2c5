import Testing

@testable import Registry
@testable import SiteModel
@testable import SiteStore

/// How loud a beacon was at each node, from what nodes kept.
struct LevelHistoryTests {
    private let site: BooksSite
    private let minute = at(3600)

    init() throws { site = try BooksSite() }

    private func run(_ beacon: Int64, _ first: Int, _ level: Double, count: Int) -> Evidence.Run {
        Evidence.Run(
            beacon: BeaconID(beacon), first: first, last: first + 9, count: count,
            strongest: RSSI(dBm: level + 5), mean: RSSI(dBm: level))
    }

    private func keep(_ node: Int64, _ number: Int64, at from: Timestamp?, _ runs: [Evidence.Run])
        throws
    {
        let own = from ?? minute
        try site.store.commit([
            .evidence(
                EvidenceRow(
                    node: NodeID(node),
                    evidence: Evidence(
                        record: Record(log: 1, sequence: number, after: number - 1), boot: 1,
                        from: own,
                        to: own + .seconds(60), listened: .seconds(60), floor: RSSI(dBm: -95),
                        isSynced: true,
                        gaps: [], runs: runs), at: own, from: from, verdict: .taken))
        ])
    }

    private func told(hours: Double = 24) throws -> LevelHistory.Told {
        let beacon = try #require(try SiteRows(site.store).all(.beacons).first?["id"]?.string)
        return try #require(
            try LevelHistory(site.store).told(
                of: beacon,
                in: Interval(from: minute - .seconds(hours * 3600), to: minute + .seconds(3600))))
    }

    @Test func `what was heard within a span is one level, weighed by how much was heard`() throws {
        try keep(
            1, 1, at: minute,
            [run(1, 0, -60, count: 30), run(2, 0, -40, count: 99), run(1, 40, -80, count: 10)])
        try keep(1, 2, at: minute + .seconds(600), [run(1, 0, -70.5, count: 1)])
        try keep(2, 1, at: minute, [run(1, 0, -90, count: 2)])
        let told = try told()
        #expect(told.step.seconds == 312.5)
        #expect(told.nodes.map { $0.levels.map(\.mean) } == [[-65, -70.5], [-90]])
        #expect(told.nodes[0].levels.map(\.strongest) == [-55, -65.5])
        #expect(told.nodes[0].levels.map(\.count) == [40, 1])
        for level in told.nodes[0].levels {
            #expect((level.at - told.from).milliseconds % 312_500 == 156_250)
        }
    }

    @Test func `what is older, of another tag, or of no known time is left out`() throws {
        try keep(1, 1, at: minute - .seconds(7200), [run(1, 0, -60, count: 30)])
        try keep(1, 2, at: nil, [run(1, 0, -60, count: 30)])
        try keep(1, 3, at: minute, [run(257, 0, -60, count: 30), run(2, 0, -60, count: 3)])
        #expect(try told(hours: 1).nodes.isEmpty)
        #expect(try told(hours: 3).nodes.count == 1)
        #expect(
            try LevelHistory(site.store).told(of: "none", in: Interval(from: minute, to: minute))
                == nil)
    }

    @Test func `where its carrier was is told for as long as they carried it`() throws {
        let beacon = try #require(try SiteRows(site.store).all(.beacons).first?["id"]?.string)
        try site.store.write { db in
            try db.run("DELETE FROM beacon_binding WHERE beacon = 1")
            try db.run(
                "INSERT INTO beacon_binding (beacon, user, from_ms, to_ms) VALUES (1, 1, ?, ?)",
                [(minute + .seconds(600)).milliseconds, (minute + .seconds(1200)).milliseconds])
        }
        let rack = StationID(1)
        try site.store.commit([
            .stay(
                Stay(
                    id: 8, user: UserID(1), place: .station(rack), from: minute,
                    to: minute + .seconds(900))),
            .stay(
                Stay(
                    id: 9, user: UserID(1), place: .station(rack), from: minute + .seconds(1000),
                    to: nil)),
            .stay(
                Stay(
                    id: 10, user: UserID(2), place: .station(rack), from: minute,
                    to: minute + .seconds(3000))),
        ])
        let told = try #require(
            try LevelHistory(site.store).told(
                of: beacon, in: Interval(from: minute, to: minute + .seconds(3600))))
        let spans = told.stays.map { stay in
            [stay.from, stay.to ?? minute].map { ($0 - minute).seconds }
        }
        #expect(spans == [[600, 900], [1000, 1200]])
    }
}
