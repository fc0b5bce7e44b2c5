/// A day of the proleptic Gregorian calendar, in no zone in particular.
package struct LocalDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01; negative before it.
    package var day: Int64

    /// The day `day` days after 1970-01-01.
    package init(day: Int64) { self.day = day }

    /// The day of a year from 1 to 9999, or `nil` if there is no such day.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.length(ofMonth: month, year: year)
        else { return nil }
        self.day = Self.dayNumber(year: year, month: month) + Int64(day - 1)
    }

    /// A date as ISO 8601 has it, `2026-03-29`; `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = LocalTime.number(bytes[0..<4]), let month = LocalTime.number(bytes[5..<7]),
            let day = LocalTime.number(bytes[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Earlier first.
    package static func < (a: LocalDate, b: LocalDate) -> Bool { a.day < b.day }

    /// The day this many days later.
    package static func + (date: LocalDate, days: Int64) -> LocalDate {
        LocalDate(day: date.day + days)
    }

    /// How many days `a` is after `b`.
    package static func - (a: LocalDate, b: LocalDate) -> Int64 { a.day - b.day }
}

extension LocalDate {
    /// Year, month from 1, and day of the month from 1.
    package var parts: (year: Int, month: Int, day: Int) {
        // Four hundred years have 146,097 days; the guess is off by one at most.
        var year = Int(((day + Self.epoch) * 400).quotientDown(146_097)) + 1
        while Self.dayNumber(year: year + 1, month: 1) <= day { year += 1 }
        while Self.dayNumber(year: year, month: 1) > day { year -= 1 }
        var month = 1
        while month < 12, Self.dayNumber(year: year, month: month + 1) <= day { month += 1 }
        return (year, month, Int(day - Self.dayNumber(year: year, month: month)) + 1)
    }

    /// 1 Monday to 7 Sunday. 1970-01-01 was a Thursday.
    package var weekday: Int { Int((day + 3).remainderDown(7)) + 1 }

    /// The week as ISO 8601 counts it: that of its Thursday.
    package var week: (year: Int, week: Int) {
        let thursday = self + Int64(4 - weekday)
        let year = thursday.parts.year
        return (year, Int(thursday.day - Self.dayNumber(year: year, month: 1)) / 7 + 1)
    }

    /// The first day of its month.
    package var startOfMonth: LocalDate {
        let parts = parts
        return LocalDate(day: Self.dayNumber(year: parts.year, month: parts.month))
    }

    /// The first day of the month after its own.
    package var startOfNextMonth: LocalDate {
        let parts = parts
        return parts.month == 12
            ? LocalDate(day: Self.dayNumber(year: parts.year + 1, month: 1))
            : LocalDate(day: Self.dayNumber(year: parts.year, month: parts.month + 1))
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The day number of the first of a month.
    private static func dayNumber(year: Int, month: Int) -> Int64 {
        let before = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334][month - 1]
        let leap = month > 2 && isLeap(year) ? 1 : 0
        let past = Int64(year - 1)
        let leaps = past.quotientDown(4) - past.quotientDown(100) + past.quotientDown(400)
        return past * 365 + leaps - epoch + Int64(before + leap)
    }

    /// Days from the first of January of year 1 to that of 1970.
    private static let epoch: Int64 = 719_162
}

extension LocalDate: CustomStringConvertible {
    /// As ISO 8601 has it: `2026-03-29`.
    package var description: String {
        let parts = parts
        let year = String(parts.year)
        return String(repeating: "0", count: max(0, 4 - year.count)) + year + "-"
            + LocalTime.twoDigits(parts.month) + "-" + LocalTime.twoDigits(parts.day)
    }

    /// Its month as ISO 8601 has it: `2026-03`.
    package var month: String { String(description.dropLast(3)) }
}

extension Int64 {
    /// The quotient rounded towards negative infinity.
    package func quotientDown(_ divisor: Int64) -> Int64 {
        self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
    }

    /// What is left of the quotient rounded towards negative infinity; never negative.
    package func remainderDown(_ divisor: Int64) -> Int64 { self - quotientDown(divisor) * divisor }
}

extension LocalDate: Codable {
    /// Reads `2026-03-29`.
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = LocalDate(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "no date"))
        }
        self = value
    }

    /// Writes `2026-03-29`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// What a clock on the wall shows, from 00:00 to before 24:00, on no day in particular.
package struct LocalTime: Hashable, Comparable, Sendable {
    /// Milliseconds that the clock shows since midnight, from 0 to 86,399,999. Not how long ago
    /// midnight was: that differs when the clock is changed.
    package let milliseconds: Int64

    /// A time of a clock, or `nil` if it never shows it.
    package init?(hour: Int, minute: Int, second: Int = 0) {
        guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else {
            return nil
        }
        milliseconds = Int64((hour * 60 + minute) * 60 + second) * 1000
    }

    /// The time of day in minutes after midnight, or `nil` unless from 0 to 1,439.
    package init?(minutes: Int) {
        guard minutes >= 0 else { return nil }
        self.init(hour: minutes / 60, minute: minutes % 60)
    }

    /// `22:00` or `22:00:30`; `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 5 || bytes.count == 8, bytes[2] == UInt8(ascii: ":"),
            let hour = Self.number(bytes[0..<2]), let minute = Self.number(bytes[3..<5])
        else { return nil }
        var second = 0
        if bytes.count == 8 {
            guard bytes[5] == UInt8(ascii: ":"), let last = Self.number(bytes[6..<8]) else {
                return nil
            }
            second = last
        }
        self.init(hour: hour, minute: minute, second: second)
    }

    /// 00:00.
    package static let midnight = LocalTime(millisecondsOfDay: 0)

    package init(millisecondsOfDay: Int64) { milliseconds = millisecondsOfDay }

    /// Whole minutes the clock shows since midnight.
    package var minutes: Int { Int(milliseconds / 60_000) }

    /// Earlier on the clock first.
    package static func < (a: LocalTime, b: LocalTime) -> Bool { a.milliseconds < b.milliseconds }

    /// A number of decimal digits only.
    package static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }

    static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}

extension LocalTime: CustomStringConvertible {
    /// `22:00`, with seconds only if there are any.
    package var description: String {
        let seconds = Int(milliseconds / 1000)
        return seconds % 60 == 0 ? String(withSeconds.dropLast(3)) : withSeconds
    }

    /// `22:00:00`, always with seconds.
    package var withSeconds: String {
        let seconds = Int(milliseconds / 1000)
        return [seconds / 3600, seconds / 60 % 60, seconds % 60].map(Self.twoDigits)
            .joined(separator: ":")
    }
}

extension LocalTime: Codable {
    /// Reads `22:00` or `22:00:30`.
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = LocalTime(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "no time of a clock"))
        }
        self = value
    }

    /// Writes `22:00` or `22:00:30`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// A part of every day by the clocks of a site, which may go over midnight.
package struct DailyHours: Hashable, Sendable {
    /// Minutes after midnight at which they begin, 0 to 1439.
    package let from: Int
    /// Minutes after midnight at which they end, 0 to 1439. Before `from`: on the next day.
    package let to: Int

    /// Hours, or `nil` if a minute is none of a day's, or both are the same.
    package init?(from: Int, to: Int) {
        guard (0..<1440).contains(from), (0..<1440).contains(to), from != to else { return nil }
        self.from = from
        self.to = to
    }

    /// Reads `22:00-07:00`; `nil` for anything else.
    package init?(_ text: String) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.count == 5 }),
            let from = LocalTime(ends[0])?.minutes, let to = LocalTime(ends[1])?.minutes
        else { return nil }
        self.init(from: from, to: to)
    }

    /// As in `22:00-07:00`.
    package var text: String {
        [from, to].compactMap { LocalTime(minutes: $0)?.description }.joined(separator: "-")
    }

    /// Whether a minute of the day is in it.
    package func contains(_ minute: Int) -> Bool {
        from < to ? (from..<to).contains(minute) : minute >= from || minute < to
    }
}

extension DailyHours: Codable {
    /// Reads `22:00-07:00`.
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let hours = DailyHours(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "hours are 22:00-07:00"))
        }
        self = hours
    }

    /// Writes `22:00-07:00`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
