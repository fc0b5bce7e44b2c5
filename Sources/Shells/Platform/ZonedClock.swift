import Basics
import Foundation
import Scheduling
import SiteModel
import Synchronization

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

/// Why there is no table of a zone.
package enum ZoneError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The time zone database of this machine has no zone of this name.
    case unknown(name: String)

    /// What to do about it.
    package var description: String {
        switch self {
        case .unknown(let name):
            "“\(name)” is no time zone; name one as IANA does, for example Europe/Berlin"
        }
    }
}

extension TimeZoneTable {
    /// The years that tables cover; before and after them the nearest offset holds.
    package static let years = 2000...2060

    /// Tables made, because one takes some ten thousand questions to the database. Few are ever
    /// asked for.
    private static let made = Mutex<[String: TimeZoneTable]>([:])
    private static let mostMade = 64

    /// The zone of an IANA name, from the time zone database of this machine.
    ///
    /// Throws for names that are not in the database.
    package init(iana name: String) throws(ZoneError) {
        if let table = Self.made.withLock({ $0[name] }) {
            self = table
            return
        }
        guard let zone = TimeZone(identifier: name) else {
            throw .unknown(name: name)
        }
        self.init(name: name, zone)
        let table = self
        Self.made.withLock { made in
            if made.count >= Self.mostMade { made = [:] }
            made[name] = table
        }
    }

    private init(name: String, _ zone: TimeZone) {
        func offset(_ second: Int64) -> Int {
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
        }
        let begin = Self.second(of: Self.years.lowerBound)
        let end = Self.second(of: Self.years.upperBound + 1)
        // Changes that undo each other within a day are not known anywhere.
        let step: Int64 = 86400
        var transitions: [Transition] = []
        var moment = begin
        var current = offset(begin)
        let first = current
        while moment < end {
            let next = offset(moment + step)
            if next != current {
                let day = Int(moment)..<Int(moment + step)
                let after = Int64(day.partitioningIndex { offset(Int64($0)) != current })
                transitions.append(
                    Transition(at: Timestamp(second: after), offset: .seconds(Double(next))))
                current = next
            }
            moment += step
        }
        self.init(name: name, first: .seconds(Double(first)), transitions: transitions)
    }

    private static func second(of year: Int) -> Int64 {
        (LocalDate(year: year, month: 1, day: 1)?.day ?? 0) * 86400
    }
}

extension SiteCalendar {
    /// The clocks of the zone of an IANA name, of UTC if the time zone database of this machine has
    /// no zone of this name. Business days begin at midnight.
    package init(zone name: String) {
        do throws(ZoneError) {
            self.init(try TimeZoneTable(iana: name), dayStart: .midnight)
        } catch {
            self.init(.utc, dayStart: .midnight)
        }
    }
}
