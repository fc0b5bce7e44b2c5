import Testing

@testable import NodeEngine
@testable import SiteModel

/// The interval of a transmitter is learned through losses.
struct RhythmTests {
    var rhythm = Rhythm()

    /// Hears `count` advertisements sent every `interval` ms and up to 10 ms later, of which a share
    /// is lost; they are taken when the node next looks, every `rest` ms.
    private mutating func hear(
        _ count: Int, every interval: Int64, losing share: Double, rest: Int64 = 1,
        from start: Int64 = 0, _ dice: inout Dice
    ) -> Int64 {
        var sent = start
        var heard = 0
        while heard < count {
            sent += interval + Int64.random(in: 0...10, using: &dice)
            guard Double.random(in: 0..<1, using: &dice) >= share else { continue }
            heard += 1
            rhythm.heard(at: Timestamp(milliseconds: (sent + rest - 1) / rest * rest))
        }
        return sent
    }

    private var milliseconds: Double { rhythm.interval.map { Double($0.milliseconds) } ?? .nan }

    /// Whether what was learned is within a tenth of an interval and its mean delay.
    private func isNear(_ interval: Int64) -> Bool {
        abs(milliseconds / (Double(interval) + 5) - 1) <= 0.1
    }

    @Test(
        arguments: [100, 152, 300, 1000, 2500, 10_000] as [Int64], [0, 0.1, 0.3, 0.5])
    func `thirty receptions tell the interval within a tenth`(interval: Int64, share: Double) {
        for seed in UInt64(1)...200 {
            var dice = Dice(seed: seed)
            var test = self
            _ = test.hear(30, every: interval, losing: share, rest: 20, &dice)
            #expect(test.isNear(interval), "seed \(seed): \(test.milliseconds)")
        }
    }

    /// Where three of five are lost it happens that hardly any two in a row were heard.
    @Test(arguments: [100, 300, 1000, 10_000] as [Int64])
    func `with three of five lost it is wrong once in a hundred times at most`(interval: Int64) {
        var wrong = 0
        for seed in UInt64(1)...1000 {
            var dice = Dice(seed: seed)
            var test = self
            _ = test.hear(30, every: interval, losing: 0.6, rest: 20, &dice)
            if !test.isNear(interval) { wrong += 1 }
        }
        #expect(wrong <= 10)
    }

    @Test mutating func `too few receptions say nothing`() {
        var dice = Dice(seed: 3)
        _ = hear(Rhythm.fewest, every: 200, losing: 0, &dice)
        #expect(rhythm.interval == nil)
        _ = hear(1, every: 200, losing: 0, from: 1640, &dice)
        #expect(rhythm.interval != nil)
    }

    @Test mutating func `an advertisement heard twice counts once`() {
        for number in 0..<20 as Range<Int64> {
            rhythm.heard(at: Timestamp(milliseconds: number * 500))
            rhythm.heard(at: Timestamp(milliseconds: number * 500 + 3))
        }
        #expect(rhythm.interval == .milliseconds(500))
    }

    @Test mutating func `an absence and a clock that goes back teach nothing`() {
        var dice = Dice(seed: 5)
        let end = hear(20, every: 1000, losing: 0, &dice)
        for hour in 1...40 as ClosedRange<Int64> {
            rhythm.heard(at: Timestamp(milliseconds: end + hour * 3_600_000))
        }
        rhythm.heard(at: Timestamp(milliseconds: 0))
        #expect(isNear(1000))
    }

    @Test(arguments: [(1000, 100), (100, 1000)] as [(Int64, Int64)])
    mutating func `a transmitter that changes its mind is followed within a window`(
        before: Int64, after: Int64
    ) {
        var dice = Dice(seed: 7)
        let end = hear(100, every: before, losing: 0.2, &dice)
        #expect(isNear(before))
        _ = hear(32, every: after, losing: 0.2, from: end, &dice)
        #expect(isNear(after))
    }
}
