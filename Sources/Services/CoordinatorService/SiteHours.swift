import Platform
import Scheduling
import SiteModel
import Wire

/// What the clocks of a site show, for hours of which something else is said than of the rest of a day.
struct SiteHours {
    /// The clocks of the zone that was asked for last: to read one's rules takes a while.
    private var clocks: (zone: String, calendar: SiteCalendar)?

    /// What `Names.hour` is now.
    mutating func hour(of names: Names, in policy: Policy, at now: Timestamp) -> Int? {
        // Most sites have no hours.
        guard names.hour(at: 0, in: policy) != nil else { return nil }
        let calendar =
            clocks.flatMap { $0.zone == names.timeZone ? $0.calendar : nil }
            ?? SiteCalendar(zone: names.timeZone)
        clocks = (names.timeZone, calendar)
        return names.hour(at: calendar.local(now).time.minutes, in: policy)
    }
}
