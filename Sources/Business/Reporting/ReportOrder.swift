import Basics
import Foundation
import Records
import Scheduling
import SiteModel
import SiteStore

/// Which report is asked for, about when and whom.
package struct ReportOrder {
    /// The reports there are.
    package enum Kind: String, CaseIterable {
        case day = "attendance-day"
        case month = "attendance-month"
        case overtime
        case lateEarly = "late-early"
        case timeInPlace = "time-in-place"
        case stays
        case present
        case between
        case contacts
        case twins
        case usualDay = "usual-day"
    }

    /// Why an order is refused: its code, and the parameter that is wrong.
    package struct Refusal: Refusing, Equatable, CustomStringConvertible {
        package var code = ProblemCode.badRequest
        package var parameter: String
        package var reason: String

        package init(code: ProblemCode = .badRequest, parameter: String, reason: String) {
            self.code = code
            self.parameter = parameter
            self.reason = reason
        }

        package var text: String { "\(parameter): \(reason)" }
    }

    /// The most days a report may be about: two years and a bit. Of `contacts` and `twins`, which
    /// compare everybody with everybody, fewer.
    package static let mostDays: Int64 = 800
    static let mostDaysOfContacts: Int64 = 14
    static let mostDaysOfTwins: Int64 = 100

    package var kind: Kind
    /// The business days, of reports that are about days.
    package var days: ClosedRange<LocalDate>
    /// What is looked at; that of the days where nothing else was said.
    package var asked: Interval
    /// The pseudonym of the only person asked about.
    package var user: String?
    /// How long a contact lasts at least.
    package var least = Timestamp.Span.seconds(15 * 60)
    package var rounding = Rounding.exact

    /// Names of parameters that say what a report is about.
    package static let parameters = [
        "date", "month", "from", "to", "user", "least_min", "round_min", "rounding",
    ]

    /// Reads an order. `values` holds each parameter at most once.
    ///
    /// Days are `date`, `month` or `from` with `to`, both included; of `between`, `from` and `to` are
    /// moments, as the site's clocks show them or in Unix milliseconds. Without any, it is today.
    ///
    /// - Throws: A `Refusal` that names the parameter and what was expected: HTTP 400, or exit code
    ///   64.
    package init(
        _ kind: Kind, _ values: [String: String], _ calendar: SiteCalendar, now: Timestamp
    ) throws(Refusal) {
        self.kind = kind
        user = values["user"]
        let today = calendar.businessDay(of: now)
        days = today...today
        asked = Interval(from: now, to: now)
        let given = ["date", "month", "from"].filter { values[$0] != nil }
        if given.count > 1 {
            throw Refusal(parameter: given[1], reason: "cannot be given with \(given[0])")
        }
        if values["to"] != nil, values["from"] == nil {
            throw Refusal(parameter: "to", reason: "needs from")
        }
        if kind == .between {
            try readMoments(values, calendar, now: now)
        } else {
            try readDays(values)
            asked = calendar.bounds(of: days)
        }
        let most =
            switch kind {
            case .contacts: Self.mostDaysOfContacts
            case .twins: Self.mostDaysOfTwins
            default: Self.mostDays
            }
        guard days.upperBound - days.lowerBound < most else {
            throw Refusal(parameter: "to", reason: "at most \(most) days in one report")
        }
        if let text = values["least_min"] {
            least = .seconds(Double(try Self.number(text, "least_min", 1...1440) * 60))
        }
        let step = try values["round_min"].map { text throws(Refusal) in
            try Self.number(text, "round_min", 1...1440)
        }
        if let text = values["rounding"] {
            guard let mode = Rounding.Mode(rawValue: text) else {
                let modes = Rounding.Mode.allCases.map(\.rawValue).joined(separator: ", ")
                throw Refusal(parameter: "rounding", reason: "one of \(modes) expected")
            }
            rounding = Rounding(mode: mode, minutes: step ?? 1)
        } else if let step {
            rounding = Rounding(mode: .nearest, minutes: step)
        }
    }

    private mutating func readDays(_ values: [String: String]) throws(Refusal) {
        func date(_ name: String, _ text: String) throws(Refusal) -> LocalDate {
            guard let date = LocalDate(text) else {
                throw Refusal(parameter: name, reason: "a date like 2026-03-29 expected")
            }
            return date
        }
        if let text = values["date"] {
            let day = try date("date", text)
            days = day...day
        } else if let text = values["month"] {
            guard let first = LocalDate(text + "-01") else {
                throw Refusal(parameter: "month", reason: "a month like 2026-03 expected")
            }
            days = first...(first.startOfNextMonth + -1)
        } else if let text = values["from"] {
            let first = try date("from", text)
            let last = try values["to"].map { text throws(Refusal) in try date("to", text) }
            guard first <= last ?? first else {
                throw Refusal(code: .badTime, parameter: "to", reason: "is before from")
            }
            days = first...(last ?? first)
        } else if kind == .month {
            days = days.lowerBound.startOfMonth...(days.lowerBound.startOfNextMonth + -1)
        }
    }

    private mutating func readMoments(
        _ values: [String: String], _ calendar: SiteCalendar, now: Timestamp
    ) throws(Refusal) {
        guard let from = values["from"] else {
            throw Refusal(parameter: "from", reason: "a moment like 2026-03-29 14:30 expected")
        }
        let first = try Self.moment("from", from, calendar)
        let last =
            try values["to"].map { text throws(Refusal) in
                try Self.moment("to", text, calendar)
            } ?? now
        guard first < last else {
            throw Refusal(code: .badTime, parameter: "to", reason: "is not after from")
        }
        asked = Interval(from: first, to: last)
        days = calendar.businessDay(of: first)...calendar.businessDay(of: last)
    }

    /// A moment as somebody states it (`StatedMoment`), or in Unix milliseconds.
    ///
    /// - Throws: A `Refusal` that names the parameter.
    package static func moment(
        _ name: String, _ text: String, _ calendar: SiteCalendar
    ) throws(Refusal) -> Timestamp {
        if let number = Int64(text), (0...253_402_300_799_999).contains(number) {
            return Timestamp(milliseconds: number)
        }
        do throws(BooksRefusal) {
            return try StatedMoment(calendar: calendar).moment(text)
        } catch {
            throw Refusal(code: error.code, parameter: name, reason: error.text)
        }
    }

    /// - Throws: A `Refusal` that names the parameter and the range.
    package static func number(
        _ text: String, _ name: String, _ range: ClosedRange<Int>
    ) throws(Refusal) -> Int {
        guard let number = Int(text), range.contains(number), text.first?.isNumber == true else {
            throw Refusal(
                parameter: name,
                reason: "a number from \(range.lowerBound) to \(range.upperBound) expected")
        }
        return number
    }
}

extension StatedMoment {
    /// By the clocks of the site that a database holds. Throws a `StoreError`, a `ReportError` where no
    /// site was imported, a `ZoneError` where its zone is not known here.
    package init(site store: Store, at now: Timestamp) throws {
        self.init(calendar: try ReportDesk(store, now: now).context.calendar)
    }
}
