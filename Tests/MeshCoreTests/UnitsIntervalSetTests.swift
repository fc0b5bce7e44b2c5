import Testing

@testable import SiteModel

/// The same set as whole seconds, one flag each.
private struct Seconds {
    static let count = 300
    var flags = Array(repeating: false, count: Self.count)

    init(_ intervals: [(Int, Int)], joining: Int) {
        for (from, to) in intervals { for second in from..<to { flags[second] = true } }
        var last: Int?
        for second in flags.indices where flags[second] {
            if let last, second - last - 1 <= joining {
                for gap in (last + 1)..<second { flags[gap] = true }
            }
            last = second
        }
    }

    var intervals: [Interval] {
        var result: [Interval] = []
        var start: Int?
        for second in 0...Self.count {
            let isInside = second < Self.count && flags[second]
            if isInside, start == nil { start = second }
            if !isInside, let from = start {
                result.append(stretch(Double(from), Double(second)))
                start = nil
            }
        }
        return result
    }
}

struct IntervalSetTests {
    var set = IntervalSet(joining: .seconds(6))

    private static func random(_ dice: inout Dice) -> [(Int, Int)] {
        (0..<Int.random(in: 1...25, using: &dice)).map { _ in
            let from = Int.random(in: 0..<280, using: &dice)
            return (from, from + Int.random(in: 1...15, using: &dice))
        }
    }

    private static func interval(_ pair: (Int, Int)) -> Interval {
        stretch(Double(pair.0), Double(pair.1))
    }

    @Test(arguments: UInt64(1)...200)
    func `any order of insertion gives the seconds and the filled gaps`(seed: UInt64) {
        var dice = Dice(seed: seed)
        let joining = Int.random(in: 0...12, using: &dice)
        let pairs = Self.random(&dice)
        let expected = Seconds(pairs, joining: joining).intervals
        for _ in 0..<3 {
            let again = pairs + pairs.filter { _ in Bool.random(using: &dice) }
            let intervals = again.shuffled(using: &dice).map(Self.interval)
            let set = IntervalSet(intervals, joining: .seconds(Double(joining)))
            #expect(set.intervals == expected)
        }
    }

    @Test(arguments: UInt64(1)...200)
    func `insertion says truly whether anything changed`(seed: UInt64) {
        var dice = Dice(seed: seed)
        var set = IntervalSet(joining: .seconds(3))
        for pair in Self.random(&dice) {
            let before = set
            let hasChanged = set.insert(Self.interval(pair))
            #expect(hasChanged == (before != set))
        }
    }

    @Test(arguments: UInt64(1)...200)
    func `what is covered in a window are the seconds in it`(seed: UInt64) {
        var dice = Dice(seed: seed)
        let pairs = Self.random(&dice)
        let seconds = Seconds(pairs, joining: 6)
        let set = IntervalSet(pairs.map(Self.interval), joining: .seconds(6))
        let from = Int.random(in: 0...300, using: &dice)
        let to = Int.random(in: from...300, using: &dice)
        let count = seconds.flags[from..<to].count { $0 }
        #expect(set.covered(in: stretch(Double(from), Double(to))) == .seconds(Double(count)))
    }

    @Test mutating func `a gap as long as the joining is filled, a longer one is not`() {
        set.insert(stretch(0, 1))
        set.insert(stretch(7, 8))
        #expect(set.intervals == [stretch(0, 8)])
        set.insert(stretch(14.001, 15))
        #expect(set.intervals == [stretch(0, 8), stretch(14.001, 15)])
        #expect(set.last == stretch(14.001, 15))
    }

    @Test mutating func `forgetting drops what ended before, and cuts nothing`() {
        for start in [0.0, 20, 40] { set.insert(stretch(start, start + 10)) }
        set.forget(before: moment(10))
        #expect(set.intervals.count == 3)
        set.forget(before: moment(25))
        #expect(set.intervals == [stretch(20, 30), stretch(40, 50)])
        set.forget(before: moment(100))
        #expect(set.intervals.isEmpty && set.last == nil)
    }

    @Test func `an empty set holds no time`() {
        #expect(set.covered(in: stretch(0, 100)) == .seconds(0))
    }
}
