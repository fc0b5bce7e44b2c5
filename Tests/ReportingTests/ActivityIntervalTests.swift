import Testing

@testable import ActivityEngine
@testable import SiteModel

/// When something ends that nobody has ended.
struct ActivityIntervalTests {
    private static let begin = Timestamp(milliseconds: 1_790_000_000_000)

    private func minute(_ minute: Double) -> Timestamp { Self.begin + .seconds(minute * 60) }

    private func end(
        _ evidence: [(Double, Double)], next: Double? = nil, at now: Double
    ) -> Double? {
        ActivityInterval(kind: .walking, from: Self.begin).end(
            evidence: evidence.map { Interval(from: minute($0.0), to: minute($0.1)) },
            next: next.map { minute($0) }, at: minute(now)
        ).map { ($0 - Self.begin).seconds / 60 }
    }

    @Test func `what was said stands`() {
        let said = ActivityInterval(kind: .running, from: Self.begin, to: minute(5))
        #expect(said.end(evidence: [], at: minute(900)) == minute(5))
    }

    @Test func `one that was forgotten ends with the last evidence`() {
        #expect(end([(0, 15), (15, 30)], at: 59) == nil)
        #expect(end([(0, 15), (15, 30)], at: 60) == nil)
        #expect(end([(0, 15), (15, 30)], at: 61) == 30)
        // What comes after a long silence is something else.
        #expect(end([(0, 15), (46, 60)], at: 61) == 15)
        #expect(end([(0, 15), (45, 60)], at: 61) == nil)
        // What was before its beginning tells nothing, what begins before it and lasts does.
        #expect(end([(-10, 0)], at: 239) == nil)
        #expect(end([(-10, 5)], at: 61) == 5)
    }

    @Test func `evidence that comes late moves the end`() {
        #expect(end([(0, 15)], at: 500) == 15)
        #expect(end([(0, 15), (20, 40), (60, 70)], at: 500) == 70)
    }

    @Test func `who carries no phone has four hours to say when it ended`() {
        #expect(end([], at: 240) == nil)
        #expect(end([], at: 241) == 0)
        #expect(end([(239, 240)], at: 241) == nil)
    }

    @Test func `another one of its source ends it, and a day at the latest`() {
        #expect(end([(0, 15), (20, 40)], next: 30, at: 60) == 30)
        #expect(end([(0, 15)], next: 30, at: 60) == 15)
        let walks = (0..<200).map { (Double($0) * 15, Double($0) * 15 + 15) }
        #expect(end(walks, at: 1439) == nil)
        #expect(end(walks, at: 1441) == 1440)
    }

    @Test func `of heart rates the least, the mean and the most are told`() throws {
        let rates = [60, 90, 120].map { HeartRate(at: Self.begin, rate: $0) }
        let span = try #require(rates.range)
        #expect(span.least == 60 && span.mean == 90 && span.most == 120)
        #expect([HeartRate]().range == nil)
    }

    @Test func `ways between stations are straight, and end where somebody was elsewhere`() {
        func stay(_ from: Double, _ to: Double?, _ x: Double?, _ y: Double = 0) -> StationStay {
            StationStay(
                from: minute(from), to: to.map { minute($0) },
                position: x.map { Position(x: $0, y: y) })
        }
        let legs = StationLeg.all(between: [
            stay(0, 5, 0), stay(6, 20, 3, 4), stay(31, 40, 0), stay(41, 50, nil), stay(51, 52, 1),
            stay(52, nil, 1, 2.5), stay(60, nil, 9),
        ])
        #expect(
            legs == [
                StationLeg(at: minute(6), distance: 5_000_000),
                StationLeg(at: minute(52), distance: 2_500_000),
            ])
    }
}
