import SiteModel

/// Two tags that come and go together: perhaps one person carries both. A reason to ask, no proof:
/// the levels they are heard at are not compared, and two people may share a car.
package struct Twins: Equatable, Sendable {
    /// The one with the lower row.
    package var first: UserID
    package var second: UserID
    /// The business days on which they came and went together.
    package var days: [LocalDate]

    /// How far apart they may come, and go.
    package static let reach = Timestamp.Span.seconds(3)
    /// On how many days they must, to be reported.
    package static let leastDays = 3

    /// Looks for twins.
    ///
    /// - Parameter sessions: Those of everybody that are over and not void, by their start.
    package static func rows(of sessions: [Session], _ calendar: SiteCalendar) -> [Twins] {
        struct Pair: Hashable {
            var first: UserID
            var second: UserID
        }
        var near: [Session] = []
        var days: [Pair: Set<LocalDate>] = [:]
        for session in sessions {
            guard let to = session.to else { continue }
            near.removeAll { $0.from + reach < session.from }
            for other in near where other.user != session.user {
                guard let end = other.to, abs((end - to).milliseconds) <= reach.milliseconds else {
                    continue
                }
                let pair = Pair(
                    first: min(session.user, other.user), second: max(session.user, other.user))
                days[pair, default: []].insert(calendar.businessDay(of: other.from))
            }
            near.append(session)
        }
        return days.filter { $0.value.count >= leastDays }.map { pair, days in
            Twins(first: pair.first, second: pair.second, days: days.sorted())
        }.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
    }
}
