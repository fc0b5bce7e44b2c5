import Testing

@testable import Positioning

/// Whoever is said to have left and to be back again and again is believed less of.
struct RestlessnessTests {
    var restlessness = Restlessness()

    /// Leaves zone 0 for zone 1 at each of some seconds, and is back `after` seconds later.
    private mutating func wander(_ seconds: [Int64], back after: Int64 = 5) {
        for second in seconds {
            restlessness.moved(from: 0, to: 1, at: second)
            restlessness.moved(from: 1, to: 0, at: second + after)
        }
    }

    @Test mutating func `two returns are free, from the third on evidence counts less`() {
        wander([0, 30])
        #expect(restlessness.calm(at: 40) == 1)
        wander([60])
        #expect(restlessness.calm(at: 70) == 0.75)
        wander([90])
        #expect(restlessness.calm(at: 100) == 0.6)
    }

    @Test mutating func `a visit of more than fifteen seconds is no return`() {
        wander([0, 40, 80, 120], back: 16)
        #expect(restlessness.calm(at: 137) == 1)
    }

    @Test mutating func `two minutes later a return is forgotten`() {
        wander([0, 30, 60])
        #expect(restlessness.calm(at: 124) == 0.75)
        #expect(restlessness.calm(at: 125) == 1)
    }

    @Test mutating func `going round through other places is no return`() {
        for (second, zone) in [1, 2, 3, 4, 5, 6].enumerated() {
            restlessness.moved(from: zone - 1, to: zone, at: Int64(second))
        }
        #expect(restlessness.calm(at: 6) == 1)
    }

    @Test mutating func `time that runs back forgets what is to come`() {
        wander([100, 120, 140])
        #expect(restlessness.calm(at: 20) == 1)
    }
}
