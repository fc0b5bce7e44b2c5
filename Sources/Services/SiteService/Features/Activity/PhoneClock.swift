import Basics
import SiteModel

extension Timestamp {
    /// A moment of the years 1970 to 2400 with its distance from UTC, as ISO 8601 and RFC 3339 write it:
    /// `2026-10-05T14:03:00.250+02:00`, `…Z`; and as phones do whose clocks have twelve hours or which are set to
    /// another region: `2026-10-05 2:03:00 p.m. +0200`, `2026-10-05 午後2:03:00 +0200`, with digits of any script,
    /// spaces and marks of direction of any kind, and years of the Buddhist calendar.
    init?(zoned text: String) {
        var clock = PhoneClock(text)
        guard let milliseconds = clock.milliseconds(),
            (0...253_402_300_799_999).contains(milliseconds)
        else { return nil }
        self.init(milliseconds: milliseconds)
    }
}

/// Reads a moment from the front of a text to its end, without a regular expression: a body has ten thousands of them.
private struct PhoneClock {
    /// The first year of the Buddhist calendar is 544 before that of ours; Thai phones write it.
    private static let buddhist = 543
    /// Longer texts are no moments.
    private static let longest = 80

    private var scalars: Substring.UnicodeScalarView

    init(_ text: String) {
        let isShort = text.utf8.count <= Self.longest
        scalars = Substring(isShort ? text : "").unicodeScalars
    }

    /// Milliseconds since 1970, or `nil` if it is no moment.
    mutating func milliseconds() -> Int64? {
        guard var year = number(of: 4...4), take("-"), let month = number(of: 2...2), take("-"),
            let day = number(of: 2...2)
        else { return nil }
        if year > 2400 { year -= Self.buddhist }
        guard let date = LocalDate(year: year, month: month, day: day) else { return nil }
        guard take("T") || skipBlanks() else { return nil }
        var half = isAfterNoon()
        guard var hour = number(of: 1...2), take(":"), let minute = number(of: 2...2) else {
            return nil
        }
        var (second, fraction) = (0, 0)
        if take(":") {
            guard let whole = number(of: 2...2) else { return nil }
            second = whole
            if take(".") || take(",") || take("٫") {
                guard let part = thousandths() else { return nil }
                fraction = part
            }
        }
        skipBlanks()
        if half == nil { half = isAfterNoon() }
        guard minute < 60, second < 60 else { return nil }
        if let half {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (half ? 12 : 0)
        }
        guard hour < 24, let ahead = distance(), scalars.allSatisfy({ $0.isBlank }) else {
            return nil
        }
        let minutes = date.day * 1440 + Int64(hour * 60 + minute - ahead)
        return (minutes * 60 + Int64(second)) * 1000 + Int64(fraction)
    }

    /// Minutes ahead of UTC.
    private mutating func distance() -> Int? {
        if take("Z") || take("z") { return 0 }
        let isBehind = take("-") || take("−")
        guard isBehind || take("+"), let hours = number(of: 2...2) else { return nil }
        skipBlanks()
        _ = take(":")
        guard let minutes = number(of: 2...2), hours < 24, minutes < 60 else { return nil }
        return (isBehind ? -1 : 1) * (hours * 60 + minutes)
    }

    /// The word for a half of a day that stands here; nothing is taken if there is none.
    private mutating func isAfterNoon() -> Bool? {
        let word = scalars.prefix { !$0.isEndOfWord }
        guard !word.isEmpty,
            let half = RegionalText.isAfterNoon(String(String.UnicodeScalarView(word)))
        else { return nil }
        scalars = scalars.dropFirst(word.count)
        skipBlanks()
        return half
    }

    private mutating func number(of digits: ClosedRange<Int>) -> Int? {
        var (value, count) = (0, 0)
        skipMarks()
        while count < digits.upperBound, let digit = scalars.first.flatMap(RegionalText.digit) {
            value = value * 10 + digit
            count += 1
            scalars.removeFirst()
        }
        return digits.contains(count) ? value : nil
    }

    /// One to nine digits of a fraction of a second, in thousandths.
    private mutating func thousandths() -> Int? {
        var (value, count) = (0, 0)
        while count < 9, let digit = scalars.first.flatMap(RegionalText.digit) {
            if count < 3 { value = value * 10 + digit }
            count += 1
            scalars.removeFirst()
        }
        guard count > 0 else { return nil }
        for _ in min(count, 3)..<3 { value *= 10 }
        return value
    }

    private mutating func take(_ wanted: Unicode.Scalar) -> Bool {
        skipMarks()
        guard scalars.first == wanted else { return false }
        scalars.removeFirst()
        return true
    }

    /// Marks of direction have no width: they may stand anywhere.
    private mutating func skipMarks() {
        while let first = scalars.first, !first.isASCII, first.properties.generalCategory == .format
        {
            scalars.removeFirst()
        }
    }

    /// Whether there was a space.
    @discardableResult
    private mutating func skipBlanks() -> Bool {
        let count = scalars.count
        while let first = scalars.first, first.isBlank { scalars.removeFirst() }
        return scalars.count < count
    }
}

extension Unicode.Scalar {
    /// White space of any width, or a mark of direction.
    fileprivate var isBlank: Bool {
        isASCII ? self == " " : properties.isWhitespace || properties.generalCategory == .format
    }

    /// What no word of a half of a day has in it. A dot and a space may stand in one: `p. m.`.
    fileprivate var isEndOfWord: Bool {
        self == "+" || self == "-" || self == "−" || self == "Z" || RegionalText.digit(self) != nil
    }
}
