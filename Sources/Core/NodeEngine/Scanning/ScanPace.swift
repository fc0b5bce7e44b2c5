import SiteModel

/// Keeps scans from being begun too often, and from being taken back from somebody too often.
struct ScanPace: Equatable, Sendable {
    /// When scans were begun lately, oldest first, at most `ScanTiming.starts`.
    private var starts: [Timestamp] = []
    /// When the scan was taken back from somebody, likewise at most `ScanTiming.fights`.
    private var fights: [Timestamp] = []

    /// When the latest scan was begun.
    var lastStart: Timestamp? { starts.last }

    /// A scan was begun.
    mutating func started(at now: Timestamp) {
        starts.append(now)
        if starts.count > ScanTiming.starts { starts.removeFirst() }
    }

    /// The scan was taken back from somebody.
    mutating func fought(at now: Timestamp) {
        fights.append(now)
        if fights.count > ScanTiming.fights { fights.removeFirst() }
    }

    /// Whether the next scan may begin as soon as it should, for all that was begun in the last
    /// minute; `isFight` if it is to be taken from somebody.
    func allows(_ now: Timestamp, isFight: Bool = false) -> Bool {
        func isFull(_ moments: [Timestamp], _ limit: Int) -> Bool {
            moments.count >= limit && now - moments[moments.count - limit] < ScanTiming.window
        }
        if isFight, isFull(fights, ScanTiming.fights) { return false }
        return !isFull(starts, ScanTiming.starts)
    }

    /// `span` from now, or later when scans were begun too often lately.
    func moment(_ now: Timestamp, _ span: Timestamp.Span, isFight: Bool = false) -> Timestamp {
        now + (allows(now, isFight: isFight) ? span : max(span, ScanTiming.pace))
    }
}
