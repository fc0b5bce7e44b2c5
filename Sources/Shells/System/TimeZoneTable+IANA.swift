import Foundation
import SiteModel

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

    /// The zone of an IANA name, from the time zone database of this machine.
    ///
    /// Throws for names that are not in the database.
    package init(iana name: String) throws(ZoneError) {
        guard let zone = TimeZone(identifier: name) else {
            throw .unknown(name: name)
        }
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
                var (before, after) = (moment, moment + step)
                while after - before > 1 {
                    let middle = (before + after) / 2
                    if offset(middle) == current { before = middle } else { after = middle }
                }
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
