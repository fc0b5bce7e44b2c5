import Basics
import Foundation
import SiteModel
import Synchronization

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
