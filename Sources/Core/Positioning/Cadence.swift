import SiteModel

/// How seldom somebody is received, learned from the moments at which they were.
///
/// Lost packets only make gaps longer, so the least of the last few says how often a tag sends, and
/// one that sends often shows that within seconds. Of a tag that sends seldom a silence of some
/// intervals says nothing: no timer of a site may be shorter than that.
package struct Cadence: Equatable, Sendable {
    /// Receptions this close together are one packet: the seconds of two nodes begin at different
    /// moments. Only when they go on for longer than that they are several.
    static let joining = Timestamp.Span.seconds(2)
    /// A longer gap is an absence and says nothing of the tag.
    static let longest = Timestamp.Span.seconds(60)
    /// From this interval on a tag is waited for, in seconds: a second more than the slowest for
    /// which the timers of a site were made.
    static let seldom = 5
    /// A longer interval is not waited for in full, in seconds.
    static let slowest = 30
    /// How many gaps are remembered.
    static let remembered = 3
    /// So many intervals may pass in silence: two packets in a row are lost now and then.
    static let intervals = 3

    /// The latest gaps, in whole seconds, the newest last.
    package private(set) var gaps: [Int]
    /// The silence that says nothing yet; 0 of whom is received often, or hardly was.
    package private(set) var patience: Timestamp.Span
    /// When the newest run of receptions began, and when the latest was.
    private var first: Timestamp?
    private var last: Timestamp?

    /// Somebody with stored gaps.
    package init(gaps: [Int] = []) {
        self.gaps = Array(gaps.suffix(Self.remembered))
        patience = Self.patience(after: self.gaps)
    }

    /// Somebody was received. What is not later than before is no news. Returns whether the gaps
    /// are others now.
    package mutating func receive(at moment: Timestamp) -> Bool {
        guard let first, let last else {
            (self.first, self.last) = (moment, moment)
            return false
        }
        guard moment > last else { return false }
        self.last = moment
        let gap = moment - last
        if gap > Self.joining {
            self.first = moment
        } else if moment - first <= Self.joining {
            return false
        }
        guard gap <= Self.longest else { return false }
        let new = Array((gaps + [Int(gap.milliseconds / 1000)]).suffix(Self.remembered))
        guard new != gaps else { return false }
        gaps = new
        patience = Self.patience(after: new)
        return true
    }

    private static func patience(after gaps: [Int]) -> Timestamp.Span {
        guard let least = gaps.min(), least >= seldom else { return .seconds(0) }
        return .seconds(Double(intervals * min(least, slowest)))
    }
}
