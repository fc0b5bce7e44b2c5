import SiteModel

/// How often a transmitter sends, learned from the times at which it was heard.
///
/// Advertisements come at a steady interval and up to 10 ms later (advDelay, Bluetooth Core 5.4,
/// Vol 6 Part B 4.4.2.2). Lost ones make a gap a multiple of the interval, so the short gaps say
/// what it is, and the longer ones make it exact. What is told includes the mean of the delay,
/// some 5 ms.
///
/// It is the shortest regular gap, no more: of something that sends two sets of advertisements
/// under one name, the pause between the two. Memory is constant.
package struct Rhythm: Sendable {
    /// Closer together, two receptions are of one advertisement, heard twice; in ms.
    package static let shortest: Int64 = 10
    /// A longer gap is an absence; in ms. The interval is 10.24 s at most, as legacy advertising
    /// has it, and losses multiply it.
    package static let longest: Int64 = 120_000
    /// Gaps needed before anything is said.
    package static let fewest = 8

    private static let capacity = 32
    /// One gap of so many, counted from the shortest, is a single interval: a shorter one may be
    /// an accident, and when three of five advertisements are lost, two of five gaps are single.
    private static let quantile = 6
    /// A gap farther off from a multiple, in parts of the interval, is not counted.
    private static let slack = 0.25

    /// In ms; the newest before `next`.
    private var gaps = InlineArray<32, Int32>(repeating: 0)
    private var next = 0
    private var count = 0
    private var last: Timestamp?

    package init() {}

    /// An advertisement was heard. A moment before the last one counts as that one's.
    package mutating func heard(at moment: Timestamp) {
        guard let last else {
            last = moment
            return
        }
        let gap = (moment - last).milliseconds
        guard gap >= Self.shortest else { return }
        self.last = moment
        guard gap <= Self.longest else { return }
        gaps[next] = Int32(gap)
        next = (next + 1) % Self.capacity
        count = min(count + 1, Self.capacity)
    }

    /// The mean time from one advertisement to the next; `nil` while too few were heard.
    package var interval: Timestamp.Span? {
        guard count >= Self.fewest else { return nil }
        var sorted = InlineArray<32, Int32>(repeating: 0)
        for index in 0..<count {
            let gap = gaps[index]
            var place = index
            while place > 0, sorted[place - 1] > gap {
                sorted[place] = sorted[place - 1]
                place -= 1
            }
            sorted[place] = gap
        }
        let first = Double(sorted[count / Self.quantile])
        // At first only gaps whose multiple is beyond doubt.
        let better = fitted(sorted, to: first, upTo: 2)
        return .milliseconds(Int64(fitted(sorted, to: better, upTo: 4).rounded()))
    }

    /// The interval that the gaps near small multiples of `guess` have in the mean.
    private func fitted(
        _ sorted: InlineArray<32, Int32>, to guess: Double, upTo most: Double
    ) -> Double {
        var time = 0.0
        var intervals = 0.0
        for index in 0..<count {
            let gap = Double(sorted[index])
            let multiple = (gap / guess).rounded()
            guard multiple >= 1, multiple <= most,
                abs(gap - multiple * guess) <= Self.slack * guess
            else { continue }
            time += gap
            intervals += multiple
        }
        return intervals > 0 ? time / intervals : guess
    }
}
