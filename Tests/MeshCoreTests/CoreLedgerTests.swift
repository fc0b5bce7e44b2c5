import Basics
import Testing

@testable import SiteEngine
@testable import SiteModel

/// Sessions from heard seconds: entry 10 s, leaving 90 s.
@Suite struct CoreLedgerTests {
    let timing = Policy.Timing(enter: .seconds(10), lost: .seconds(30), leave: .seconds(90))
    let hall = RoomID(1)
    let annex = RoomID(2)

    func second(_ count: Int) -> Timestamp { Timestamp(second: Int64(count)) }

    func stretch(_ seconds: Range<Int>, joining: Timestamp.Span) -> IntervalSet {
        IntervalSet(
            [Interval(from: second(seconds.lowerBound), to: second(seconds.upperBound))],
            joining: joining)
    }

    func coverage(_ hall: Range<Int>...) -> [RoomTime] {
        [
            RoomTime(
                room: self.hall,
                seconds: IntervalSet(
                    hall.map { Interval(from: second($0.lowerBound), to: second($0.upperBound)) },
                    joining: Frame.joining))
        ]
    }

    func ledger(_ stretches: Range<Int>...) -> Ledger {
        var ledger = Ledger()
        for stretch in stretches {
            for count in stretch { _ = ledger.add(second: second(count), room: hall) }
        }
        return ledger
    }

    func sessions(
        _ ledger: Ledger, _ coverage: [RoomTime], now: Int
    ) -> [String] {
        ledger.sessions(
            coverage: coverage, timing: timing, policy: AttendancePolicy(mergeGap: .seconds(0)),
            now: second(now)
        ).map {
            "\($0.from.second)–\($0.to.map { "\($0.second)" } ?? "open")"
        }
    }

    @Test func `too short a visit is none`() {
        #expect(sessions(ledger(0..<9), coverage(0..<300), now: 300) == [])
        #expect(sessions(ledger(0..<10), coverage(0..<300), now: 300) == ["0–10"])
    }

    @Test func `a session ends at the last heard second`() {
        #expect(sessions(ledger(0..<60), coverage(0..<1000), now: 149) == ["0–open"])
        #expect(sessions(ledger(0..<60), coverage(0..<1000), now: 150) == ["0–60"])
    }

    @Test func `silence splits only when it was listened to`() {
        let visits = ledger(0..<60, 300..<360)
        #expect(sessions(visits, coverage(0..<1000), now: 1000) == ["0–60", "300–360"])
        // The node was dead from 70 to 290: 20 s of silence were listened to.
        #expect(sessions(visits, coverage(0..<70, 290..<1000), now: 1000) == ["0–360"])
    }

    @Test func `a dead node checks nobody out`() {
        let visit = ledger(0..<60)
        #expect(sessions(visit, coverage(0..<60), now: 100_000) == ["0–open"])
        // Another room listens all the time, but it never heard this user.
        let both =
            coverage(0..<60) + [
                RoomTime(room: annex, seconds: stretch(0..<100_000, joining: Frame.joining))
            ]
        #expect(sessions(visit, both, now: 100_000) == ["0–open"])
    }

    @Test func `restarts neither split nor merge`() {
        // Twenty seconds up, thirty down: 5 s of silence before the first crash, then 20 s each time,
        // so that 90 s are reached 5 s into the sixth time, at 255 s.
        let listened = (0..<12).map { $0 * 50..<20 + $0 * 50 }
        let set = IntervalSet(
            listened.map { Interval(from: second($0.lowerBound), to: second($0.upperBound)) },
            joining: Frame.joining)
        let coverage = [RoomTime(room: hall, seconds: set)]
        let visit = ledger(0..<15)
        #expect(sessions(visit, coverage, now: 254) == ["0–open"])
        #expect(sessions(visit, coverage, now: 255) == ["0–15"])
    }

    /// Any order, any repetition: the same sessions, and those of a slow and simple reckoning.
    @Test(arguments: UInt64(1)...200) func `order and repetition do not matter`(seed: UInt64) {
        var dice = Dice(seed: seed)
        var heard: Set<Int> = []
        var now = 0
        for _ in 0..<6 {
            now += dice.roll(200)
            for _ in 0..<dice.roll(60) {
                now += 1 + dice.roll(4)
                heard.insert(now)
            }
        }
        var seconds = heard.sorted() + heard.filter { _ in dice.roll(3) == 0 }.sorted()
        let covered = coverage(0..<10_000)
        var straight = Ledger()
        for count in heard.sorted() { _ = straight.add(second: second(count), room: hall) }
        seconds.shuffle(using: &dice)
        var mixed = Ledger()
        for count in seconds { _ = mixed.add(second: second(count), room: hall) }
        #expect(mixed == straight, "seed \(seed)")
        #expect(
            sessions(mixed, covered, now: 10_000) == simple(heard.sorted(), timing), "seed \(seed)")
    }

    /// With everything covered: gaps under 90 s join, groups under 10 s vanish.
    func simple(_ heard: [Int], _ timing: Policy.Timing) -> [String] {
        var groups: [(from: Int, to: Int)] = []
        for second in heard {
            if let last = groups.last, second - last.to < 90 {
                groups[groups.count - 1].to = second + 1
            } else {
                groups.append((second, second + 1))
            }
        }
        return groups.filter { $0.to - $0.from >= 10 }.map { "\($0.from)–\($0.to)" }
    }
}

/// Intervals against the seconds they stand for.
@Suite struct CoreIntervalTests {
    @Test(arguments: UInt64(1)...200) func `a set is what its seconds say`(seed: UInt64) {
        var dice = Dice(seed: seed)
        let joining = Int64(dice.roll(4))
        var set = IntervalSet(joining: .seconds(Double(joining)))
        var seconds: Set<Int64> = []
        for _ in 0..<30 {
            let from = Int64(dice.roll(200))
            let to = from + 1 + Int64(dice.roll(6))
            set.insert(
                Interval(from: Timestamp(second: from), to: Timestamp(second: to)))
            for second in from..<to { seconds.insert(second) }
        }
        for second in seconds.sorted() {
            let next = seconds.filter { $0 > second }.min()
            if let next, next - second - 1 <= joining {
                for filled in second..<next { seconds.insert(filled) }
            }
        }
        let window = Interval(from: Timestamp(second: 50), to: Timestamp(second: 120))
        let inside = seconds.filter { (50..<120).contains($0) }.count
        #expect(set.covered(in: window) == .seconds(Double(inside)), "seed \(seed)")
        for (one, two) in zip(set.intervals, set.intervals.dropFirst()) {
            #expect(two.from - one.to > .seconds(Double(joining)), "seed \(seed)")
        }
    }

    @Test func `exponential and logarithm are right to twelve digits`() {
        let known: [(Double, Double)] = [
            (0, 1), (1, 2.718281828459045), (-1, 0.36787944117144233),
            (10, 22026.465794806718), (-20, 2.061153622438558e-09), (0.5, 1.6487212707001282),
        ]
        for (x, e) in known {
            #expect(abs(Exponential.exp(x) / e - 1) < 1e-12)
            #expect(abs(Exponential.ln(e) - x) < 1e-12 * max(1, abs(x)))
        }
        #expect(Exponential.exp(-1000) == 0)
        #expect(abs(Exponential.log10(1000) - 3) < 1e-12)
    }
}
