import Foundation
import SiteModel

/// What the clocks of one zone show, for times that people read. An output names the zone once.
package struct ZonedClock {
    /// What they show.
    package let calendar: SiteCalendar
    /// The IANA name of the zone.
    package let zone: String

    /// The clocks of a site. `now` says which zone is named, should the site have changed it.
    package init(_ calendar: SiteCalendar, at now: Timestamp) {
        self.calendar = calendar
        zone = calendar.zone(at: now)
    }

    package init(_ table: TimeZoneTable) {
        calendar = SiteCalendar(table, dayStart: .midnight)
        zone = table.name
    }

    /// Coordinated universal time.
    package static let utc = ZonedClock(.utc)

    /// The clocks of this machine, for what knows no site; UTC if its zone has no name.
    package static var machine: ZonedClock {
        do {
            return ZonedClock(try TimeZoneTable(iana: TimeZone.current.identifier))
        } catch {
            return .utc
        }
    }

    /// The line that names the zone.
    package var line: String { "Times: \(zone)" }

    /// `14:03:05`.
    package func time(_ moment: Timestamp) -> String {
        calendar.local(moment).time.withSeconds
    }

    /// `2026-11-21 14:03:05`.
    package func text(_ moment: Timestamp) -> String {
        let (date, time) = calendar.local(moment)
        return "\(date) \(time.withSeconds)"
    }

    /// The time, with the date if that is another day than `now`: `14:03:05 on 2026-11-21`.
    package func text(_ moment: Timestamp, from now: Timestamp) -> String {
        let (date, time) = calendar.local(moment)
        return date == calendar.local(now).date
            ? time.withSeconds : "\(time.withSeconds) on \(date)"
    }
}
