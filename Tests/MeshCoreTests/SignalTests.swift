import Testing

@testable import NodeEngine
@testable import SiteModel

struct SmootherTests {
    var smoother = Smoother()

    /// Readings at a steady rate; the next one is due at the moment returned.
    @discardableResult
    private mutating func hear(
        _ level: Double, _ count: Int, every step: Int64 = 100, from start: Int64 = 0
    ) -> Int64 {
        var moment = start
        for _ in 0..<count {
            smoother.heard(RSSI(dBm: level), at: Timestamp(milliseconds: moment))
            moment += step
        }
        return moment
    }

    private var level: Double { smoother.level?.dBm ?? .nan }

    @Test func `nothing heard has no level`() {
        #expect(smoother.level == nil && smoother.newest == nil)
        #expect(smoother.count == 0 && smoother.spread == 0)
    }

    @Test mutating func `the first reading is the level`() {
        hear(-60, 1)
        #expect(level == -60 && smoother.spread == 0 && smoother.count == 1)
    }

    @Test(arguments: [100, 300, 1000, 2000] as [Int64])
    mutating func `a step of 25 dB is followed within five readings or two seconds`(
        step: Int64
    ) {
        let moment = hear(-60, 100, every: step)
        let after = hear(-85, Int(max(5, 2000 / step)), every: step, from: moment)
        #expect(abs(level - -85) < 0.5)
        hear(-60, Int(max(5, 2000 / step)), every: step, from: after)
        #expect(abs(level - -60) < 0.5)
    }

    /// A gate that refuses what is too far from its mean stays shut for ever after a step.
    @Test mutating func `a thousand readings of -85 after -60 are believed`() {
        let moment = hear(-60, 1)
        hear(-85, 1000, from: moment)
        #expect(abs(level - -85) < 0.1)
    }

    @Test(arguments: [-20.0, 20, 42, -119], [5, 6, 40])
    mutating func `one wrong reading among steady ones hardly counts`(
        wrong: Double, before: Int
    ) {
        var moment = hear(-70, before)
        moment = hear(wrong, 1, from: moment)
        #expect(abs(level - -70) < 0.5)
        for _ in 0..<30 {
            moment = hear(-70, 1, from: moment)
            #expect(abs(level - -70) < 0.5)
        }
    }

    @Test(arguments: [42, 21, -121, Double.infinity, -Double.infinity, Double.nan])
    mutating func `levels no radio reports are ignored`(level wrong: Double) {
        hear(wrong, 3)
        #expect(smoother.level == nil)
        hear(-70, 3)
        hear(wrong, 1000, from: 300)
        #expect(level == -70 && smoother.count == 3)
    }

    @Test mutating func `noise is steadied`() {
        var random = Dice(seed: 7)
        var farthest = 0.0
        for number in 0..<1000 {
            let noise = Double.random(in: -6...6, using: &random)
            hear(-70 + noise, 1, from: Int64(number) * 100)
            if number > 20 { farthest = max(farthest, abs(level - -70)) }
        }
        #expect(farthest < 3.5)
        #expect((2.5...4.5).contains(smoother.spread))
    }

    @Test mutating func `after fifteen seconds of silence it starts over`() {
        hear(-60, 10)
        hear(-90, 1, from: 900 + 15_001)
        #expect(level == -90)
    }

    /// Two wrong ones in a row, or a fade of less than a second, are not a move.
    @Test(arguments: [-45.0, -95, 20])
    mutating func `what is far off for less than a second hardly counts`(wrong: Double) {
        var moment = hear(-70, 40)
        moment = hear(wrong, 9, from: moment)
        #expect(level == -70)
        hear(-70, 10, from: moment)
        #expect(level == -70)
    }

    /// Wrong readings now above, now below, agree on nothing.
    @Test mutating func `readings far off on both sides move nothing`() {
        var moment = hear(-70, 40)
        for _ in 0..<100 {
            moment = hear(-40, 1, from: moment)
            moment = hear(-100, 1, from: moment)
        }
        #expect(level == -70)
    }

    @Test mutating func `the longer ago the last reading, the more a new one counts`() {
        var often = self
        often.hear(-70, 60, every: 100)
        often.hear(-62, 1, from: 6000)
        hear(-70, 60, every: 2000)
        hear(-62, 1, from: 120_000)
        #expect(often.level < -68)
        #expect(level > -67)
    }

    @Test mutating func `count and spread are of the readings since they were begun`() {
        hear(-60, 10)
        smoother.beginCount()
        hear(-64, 1, from: 1000)
        #expect(smoother.count == 1 && smoother.spread == 0)
        hear(-68, 1, from: 1100)
        #expect(smoother.count == 2 && abs(smoother.spread - 8.0.squareRoot()) < 1e-12)
        smoother.beginCount()
        #expect(smoother.count == 0 && smoother.newest?.dBm == -68)
    }

    @Test mutating func `a clock that goes back does no harm`() {
        hear(-60, 5, from: 10_000)
        hear(-60, 5, from: 0)
        #expect(level == -60 && smoother.count == 10)
    }
}

struct PathLossTests {
    @Test func `ten metres take twenty-five decibels`() {
        #expect(abs(PathLoss.loss(metres: 10) - 25) < 1e-9)
        #expect(abs(PathLoss.loss(metres: 1)) < 1e-9)
    }

    @Test func `a claim that cannot be is not believed`() {
        #expect(PathLoss.power(claimed: nil).dBm == -59)
        #expect(PathLoss.power(claimed: RSSI(dBm: -70)).dBm == -70)
        #expect(PathLoss.power(claimed: RSSI(dBm: 0)).dBm == -59)
        #expect(PathLoss.power(claimed: RSSI(dBm: -128)).dBm == -59)
    }
}
