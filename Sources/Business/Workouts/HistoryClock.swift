import Basics
import Scheduling
import SiteModel

/// Turns the times of a file of training history into moments, and says which of them can be.
struct HistoryClock: Sendable {
    /// What is expected of a moment, in words.
    static let bounds = "from 2000-01-01 to now"
    /// A longer workout was forgotten, not trained.
    static let longestWorkout = Timestamp.Span.seconds(24 * 3600)

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december",
    ]
    /// The hours at which the halves of a day begin.
    private static let halves = ["am": 0, "pm": 12]
    /// The seconds of what lengths are told in.
    private static let factors: [String: Int64] = [
        "h": 3600, "m": 60, "min": 60, "s": 1, "sec": 1, "": 1,
    ]

    private let calendar: SiteCalendar
    private let earliest: Timestamp
    private let now: Timestamp

    init(calendar: SiteCalendar, now: Timestamp) {
        self.calendar = calendar
        self.now = now
        earliest = calendar.first(LocalDate(day: 10_957), .midnight)  // 2000-01-01.
    }

    /// Whether a moment lies from 2000 to now.
    func contains(_ moment: Timestamp) -> Bool { earliest <= moment && moment <= now }

    /// When a workout began, by the clocks of the site: a time that came twice is the first of
    /// both, one that never came is the end of the gap. `nil`: the text is no time, or lies out of
    /// bounds.
    func start(_ text: String) -> Timestamp? {
        guard let (date, time) = Self.local(text) else { return nil }
        let moment = calendar.first(date, time)
        return contains(moment) ? moment : nil
    }

    /// When a workout ended that began at a moment; of a time that came twice the first that is not
    /// before it. `nil`: the text is no time, or lies out of bounds.
    func end(_ text: String, notBefore start: Timestamp) -> Timestamp? {
        guard let (date, time) = Self.local(text) else { return nil }
        var moment = calendar.first(date, time)
        if moment < start, case .ambiguous(_, let second) = calendar.moment(of: date, time) {
            moment = second
        }
        return moment >= start && contains(moment) ? moment : nil
    }

    /// A day and a time of a clock: `2024-03-28 17:29:05`, `28 Mar 2024, 17:29` or `Mar 28, 2024,
    /// 5:29 PM`, with English months; `nil` for any other text.
    static func local(_ text: String) -> (date: LocalDate, time: LocalTime)? {
        // No English month has a capital T in it.
        let words = text.split { $0.isWhitespace || $0 == "," || $0 == "T" }
        if let first = words.first, let date = LocalDate(first) {
            return clock(words.dropFirst()).map { (date: date, time: $0) }
        }
        guard words.count >= 3, let year = number(words[2], digits: 4...4) else { return nil }
        let isDayFirst = monthNumber(words[1]) != nil
        guard let month = monthNumber(words[isDayFirst ? 1 : 0]),
            let day = number(words[isDayFirst ? 0 : 1], digits: 1...2),
            let date = LocalDate(year: year, month: month, day: day)
        else { return nil }
        return clock(words.dropFirst(3)).map { (date: date, time: $0) }
    }

    /// `17:29`, `7:05:09`, `5:29 PM`.
    private static func clock(_ words: ArraySlice<Substring>) -> LocalTime? {
        guard (1...2).contains(words.count), let first = words.first, let last = words.last else {
            return nil
        }
        let hasShortHour = first.utf8.count == 4 || first.utf8.count == 7
        let padded = hasShortHour ? "0\(first)" : String(first)
        guard let time = LocalTime(padded) else { return nil }
        guard words.count == 2 else { return time }
        let hour = time.minutes / 60
        guard let half = halves[last.lowercased()], (1...12).contains(hour) else { return nil }
        let shift = Int64(hour % 12 + half - hour) * 3_600_000
        return LocalTime(millisecondsOfDay: time.milliseconds + shift)
    }

    /// The number of an English month, from 1; three letters of it are enough.
    private static func monthNumber(_ word: Substring) -> Int? {
        guard word.count >= 3 else { return nil }
        let word = word.lowercased()
        return months.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
    }

    private static func number(_ word: Substring, digits: ClosedRange<Int>) -> Int? {
        digits.contains(word.utf8.count) ? LocalTime.number(ArraySlice(word.utf8)) : nil
    }

    /// A length as Strong writes it, in seconds: `1h 5m`, `38min`, `200s`, or a number alone; at
    /// most three of them. `nil` for any other text.
    static func seconds(_ text: String) -> Int64? {
        let words = text.split(maxSplits: 3, whereSeparator: \.isWhitespace)
        var seconds: Int64 = 0
        for word in words {
            let digits = word.prefix { $0.isASCII && $0.isNumber }
            guard digits.count <= 9, let count = Int64(digits),
                let factor = factors[word.dropFirst(digits.count).lowercased()]
            else { return nil }
            seconds += count * factor
        }
        return (1...3).contains(words.count) ? seconds : nil
    }
}
