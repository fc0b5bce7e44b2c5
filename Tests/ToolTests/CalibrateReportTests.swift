import Registry
import Testing

@testable import Calibration
@testable import Positioning
@testable import SiteModel
@testable import SiteStore

/// What is gathered is put together so that silence is never taken for distance, and warnings say
/// what to expect.
struct CalibrateReportTests {
    private let scratch: CalibrateScratch
    private var site: CalibrationSite { scratch.site }
    private let west = Ear.node(NodeID(1))
    private let east = Ear.node(NodeID(2))
    private let saw = Place(room: RoomID(1), station: StationID(1))
    private let lathe = Place(room: RoomID(1), station: StationID(2))

    init() throws { scratch = try CalibrateScratch() }

    private func leg(
        _ place: Place, _ levels: [(Ear, Double)], count: Int = 60, stretch: Int64,
        carrier: String = "b-1"
    ) -> SurveyLeg {
        let ears = levels.map(\.0)
        let seconds = (0..<count).map { index in
            // A little noise, the same each time.
            let noise = Double((index * 7 + Int(stretch) * 3) % 5) - 2
            return Survey.Second(
                place: place, at: Timestamp(second: 1_790_000_000 + 100 * stretch + Int64(index)),
                heard: levels.map { .init(ear: $0.0, level: RSSI(dBm: $0.1 + noise)) })
        }
        return SurveyLeg(
            place: place, source: .stand, carrier: carrier, ears: ears, seconds: seconds,
            stretch: stretch)
    }

    @Test func `a node that listened at all places last time counts, older legs without it go`() {
        let gathered = Gathered(
            [
                leg(saw, [(west, -50)], stretch: 1), leg(lathe, [(west, -70)], stretch: 2),
                leg(saw, [(west, -50), (east, -80)], stretch: 3),
                leg(lathe, [(west, -70), (east, -60)], stretch: 4),
            ], at: site)
        #expect(gathered.survey.ears == [west, east])
        #expect(gathered.survey.stretches.count == 2)
        #expect(gathered.through == 4)
        #expect(gathered.notes.contains { $0.hasPrefix("120 older s") }, "\(gathered.notes)")
    }

    @Test func `a survey is what it would have been with receivers corrected as they were`() throws
    {
        // Then the west node was 6 dB too loud, and corrected by as much. Now it is 2 dB too deaf.
        func row(_ applied: Double) throws {
            try site.store.write { db in
                let at = Timestamp(second: 1_790_000_000)
                let node = try #require(site.plan.nodes.first { self.west == .node($0.id) })
                try OffsetRow(
                    device: west, place: node.place, position: node.position, offset: applied,
                    applied: applied, weight: 3600, since: at, at: at, isProven: true
                ).replace(db)
            }
        }
        func levels(_ legs: [SurveyLeg], _ site: CalibrationSite) -> Set<Double> {
            Set(Gathered(legs, at: site).survey.stretches.joined().map { $0.heard[0].level.dBm })
        }
        try row(6)
        let then = try CalibrationSite(database: site.store.path, isReading: true)
        let loud = then.correcting(leg(saw, [(self.west, -50)], count: 5, stretch: 1))
        then.store.close()
        #expect(loud.corrections == [-6])
        try row(-2)
        let now = try CalibrationSite(database: site.store.path, isReading: true)
        defer { now.store.close() }
        let deaf = now.correcting(leg(saw, [(self.west, -58)], count: 5, stretch: 1))
        #expect(levels([loud], now) == levels([deaf], now))
        #expect(levels([deaf], now).max() == -54)
        var old = deaf
        old.corrections = nil
        #expect(levels([old], now) == levels([deaf], now), "corrected as now")
    }

    @Test func `a node that was off at one place does not count, and that is said`() {
        let gathered = Gathered(
            [
                leg(saw, [(west, -50), (east, -80)], stretch: 1),
                leg(lathe, [(west, -70)], stretch: 2),
            ], at: site)
        #expect(gathered.survey.ears == [west])
        #expect(gathered.survey.stretches.count == 2)
        #expect(gathered.survey.stretches[0].allSatisfy { $0.heard.map(\.ear) == [west] })
        #expect(
            gathered.notes == [
                "n-east does not count: it did not listen when lathe was learned last; stand there "
                    + "again"
            ])
    }

    @Test func `a walk is one stretch, and places that are gone are left out`() {
        let gone = Place(room: RoomID(9), station: nil)
        let gathered = Gathered(
            [
                leg(saw, [(west, -50)], stretch: 1), leg(lathe, [(west, -70)], stretch: 1),
                leg(gone, [(west, -70)], count: 7, stretch: 2),
            ], at: site)
        #expect(gathered.survey.stretches.map(\.count) == [120])
        #expect(gathered.notes == ["7 s at places the site has no more are left out"])
        #expect(Gathered([], at: site).survey.stretches == [])
    }

    @Test func `people with nodes and people with beacons are not mixed`() {
        let anchor = Ear.beacon(BeaconID(2))
        let gathered = Gathered(
            [
                leg(saw, [(west, -50)], stretch: 1),
                leg(lathe, [(anchor, -50)], count: 30, stretch: 2, carrier: "n-phone"),
            ], at: site)
        #expect(gathered.survey.ears == [west])
        #expect(gathered.notes.count == 1 && gathered.notes[0].hasPrefix("30 s are left out"))
    }

    @Test func `warnings say what cannot be told apart and how often it is right`() {
        let confusion = Confusion(
            places: [saw, lathe], seconds: [[30, 30], [20, 40]])
        #expect(confusion.right(at: saw) == 0.5)
        #expect(confusion.takenFor(lathe)?.share == 1.0 / 3)
        #expect(confusion.right(at: Place(room: RoomID(2), station: nil)) == nil)
        let lines = CalibrationReport.pairs(confusion, site)
        #expect(
            lines == [
                "saw and lathe cannot be told apart by these nodes: 58 % of 120 s held back are "
                    + "right"
            ])
        let well = Confusion(places: [saw, lathe], seconds: [[59, 1], [0, 60]])
        #expect(CalibrationReport.pairs(well, site) == [])
        let empty = Confusion(places: [saw, lathe], seconds: [[0, 0], [0, 0]])
        #expect(CalibrationReport.pairs(empty, site) == [])
    }

    @Test func `few seconds and a single carrier are said`() {
        let report = CalibrationReport(
            Gathered([leg(saw, [(west, -50)], count: 12, stretch: 1)], at: site), at: site)
        #expect(report.learned.map(\.name) == ["saw"])
        #expect(report.warnings.contains { $0.hasPrefix("saw was learned from 12 s only") })
        #expect(report.warnings.contains { $0.contains("one carrier only (b-1: all)") })
        #expect(report.missing == ["hall", "lathe", "station/yard", "room/yard"])
        #expect(report.text.contains("saw"))
        let two = CalibrationReport(
            Gathered(
                [
                    leg(saw, [(west, -50)], stretch: 1),
                    leg(saw, [(west, -50)], stretch: 2, carrier: "b-3"),
                ], at: site), at: site)
        #expect(!two.warnings.contains { $0.contains("carrier") }, "\(two.warnings)")
    }

    private func report(_ legs: [SurveyLeg]) -> CalibrationReport {
        CalibrationReport(Gathered(legs, at: site), at: site)
    }

    @Test func `one place of five promises nothing, however often somebody stood there`() throws {
        let one = report([
            leg(saw, [(west, -50)], stretch: 1), leg(saw, [(west, -51)], stretch: 2),
        ])
        #expect(one.accuracy == nil && one.learned[0].right == nil)
        #expect(
            one.promise
                == "nothing is promised: 1 of 5 places is learned, 1 of them has a second stand to "
                + "hold back; stand at least twice at half of them, and at two or more")
        #expect(one.text.contains(one.promise) && !one.text.contains("expect"))
        #expect(try !one.json.contains("expected_accuracy"))
        #expect(try one.json.contains(#""held_back":{"seconds":120,"stands":2}"#))
    }

    @Test func `a promise needs a second stand at half of the places, and says how it is known`() {
        let ears: [(Ear, Double)] = [(west, -50), (east, -80)]
        let others: [(Ear, Double)] = [(west, -80), (east, -50)]
        let hall = Place(room: RoomID(1), station: nil)
        let middle: [(Ear, Double)] = [(west, -64), (east, -66)]
        let few = [
            leg(saw, ears, stretch: 1), leg(saw, ears, stretch: 2), leg(lathe, others, stretch: 3),
            leg(hall, middle, stretch: 4),
        ]
        #expect(report(few).accuracy == nil)
        #expect(
            report(few).promise.hasPrefix(
                "nothing is promised: 3 of 5 places are learned, 1 of them has"))
        let half = few + [leg(lathe, others, count: 30, stretch: 5)]
        #expect(report(half).accuracy == 1)
        #expect(
            report(half).promise
                == "expect the right place 100 % of the time at 2 of 5 places (held back: 4 stands, "
                + "210 s): so often learned spots alone are right there, levels alone 50 %")
        #expect(report(half).held.all == CalibrationReport.Held(count: 4, seconds: 210))
        #expect(report(half).learned.map(\.held?.count) == [nil, 2, 2])
        #expect(report(half).text.contains("of 270 s, held back in parts of 20 s"))
    }

    @Test func `nothing gathered says how to begin`() throws {
        let report = CalibrationReport(Gathered([], at: site), at: site)
        #expect(report.model == nil)
        #expect(report.text.contains("calibrate stand"))
        #expect(try report.json.contains("\"places\":[]"))
    }
}
