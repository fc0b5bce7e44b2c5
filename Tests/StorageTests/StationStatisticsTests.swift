import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore
@testable import Workouts

/// How stations were used is what anybody would add up from the claims.
struct StationStatisticsTests {
    private let scratch: Scratch
    private let store: Store
    /// 2025-10-09T08:53:20Z, 10:53:20 in Berlin.
    private let day = Interval(from: at(-3600), to: at(80_000))

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
    }

    private func uses(now: Double = 10_000) throws -> [String: StationStatistics.Use] {
        let uses = try StationStatistics(store).uses(in: day, HistoryText.berlin, now: at(now))
        return Dictionary(uniqueKeysWithValues: uses.map { ($0.station, $0) })
    }

    private func write(
        _ id: Int64, _ state: Workout.State, at station: StationID, from: Double, to: Double?
    ) throws {
        try store.commit([
            .workout(
                Workout(
                    id: id, user: [ann, bob, cid][Int(id) % 3], station: station, state: state,
                    from: at(from), to: to.map { at($0) }, pauses: [], pausedSince: nil)),
            .claim(
                Claim(
                    id: id, station: station, slot: 1, user: [ann, bob, cid][Int(id) % 3],
                    workout: id, from: at(from), to: to.map { at($0) })),
        ])
    }

    @Test func `a station that nobody used is told of, too`() throws {
        #expect(try uses()["rower"] == StationStatistics.Use(station: "rower"))
    }

    @Test func `uses are cut to the time asked for, and cancelled ones do not count`() throws {
        try write(1, .completed, at: rack, from: -7200, to: -3000)
        try write(2, .completed, at: rack, from: 0, to: 600)
        try write(3, .cancelled, at: rack, from: 700, to: 1300)
        try write(4, .active, at: rack, from: 9000, to: nil)
        let use = try uses()["rack"]
        #expect(use?.uses == 3)
        #expect(use?.time == .seconds(600 + 600 + 1000))
        // From 9:53 to 10:03, from 10:53 to 11:03, and from 13:23 on.
        #expect(use?.peakHour == 13)
        #expect(try uses(now: 9001)["rack"]?.peakHour == 10)
    }

    @Test func `a use over hours is shared out among them`() throws {
        // 10:53:20 to 13:53:20: of 11 and 12 the whole hour.
        try write(1, .completed, at: rack, from: 0, to: 10_800)
        #expect(try uses(now: 20_000)["rack"]?.peakHour == 11)
    }

    @Test func `waits and the median of those who got it`() throws {
        try store.write { db in
            for (number, (length, outcome)) in [
                (60, "accepted"), (600, "accepted"), (120, "accepted"), (9999, "left"),
            ].enumerated() {
                try db.execute(
                    sql: """
                        INSERT INTO station_queue (station, user, joined_ms, offered_until_ms,
                            ended_ms, outcome) VALUES (1, 1, ?, ?, ?, ?)
                        """,
                    arguments: [
                        at(Double(number)), at(50_000), at(Double(number + length)), outcome,
                    ])
            }
        }
        let use = try uses()["rack"]
        #expect(use?.waits == 4 && use?.medianWait == .seconds(120))
    }
}
