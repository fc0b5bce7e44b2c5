import SiteModel

/// How many people are in over a day, beside how many usually are: what a gym wants to know of now.
package struct UsualDay: Equatable, Sendable {
    /// How far apart its moments are.
    static let step = Timestamp.Span.seconds(1800)
    /// So many of the same weekdays before are looked at.
    static let weeks: Int64 = 4

    /// A moment of the day.
    package var at: Timestamp
    /// How many were in at it; `nil` if it is still to come.
    package var people: Int?
    /// How many were in at the same time of the weekdays before, on average of those on which anybody was; `nil` if
    /// there are none.
    package var usual: Int?

    /// - Parameters:
    ///   - sessions: From when until when somebody was in; `to` is the moment of asking for who still is.
    ///   - day: The bounds of the day.
    ///   - earlier: Those of the days to compare with.
    static func rows(
        of sessions: [Interval], day: Interval, earlier: [Interval], now: Timestamp
    ) -> [UsualDay] {
        let known = earlier.filter { other in
            sessions.contains { $0.from < other.to && $0.to > other.from }
        }
        var rows: [UsualDay] = []
        var offset = Timestamp.Span.seconds(0)
        while day.from + offset < day.to {
            let at = day.from + offset
            let counts = known.map { other in count(sessions, at: other.from + offset) }
            let sum = counts.reduce(0, +)
            rows.append(
                UsualDay(
                    at: at, people: at <= now ? count(sessions, at: at) : nil,
                    usual: counts.isEmpty ? nil : (sum + counts.count / 2) / counts.count))
            offset = offset + step
        }
        return rows
    }

    private static func count(_ sessions: [Interval], at moment: Timestamp) -> Int {
        sessions.count { $0.from <= moment && moment < $0.to }
    }
}
