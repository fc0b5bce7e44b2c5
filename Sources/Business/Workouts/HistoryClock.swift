import Basics
import Scheduling
import SiteModel

/// Turns the times of a file of training history into moments, and says which of them can be.
struct HistoryClock: Sendable {
    /// What is expected of a moment, in words.
    static let bounds = "from 2000-01-01 to now"
    /// What to do about a time in a language that is not read.
    static let advice = "; if it is another language, set the app to English and export again"
    /// A longer workout was forgotten, not trained.
    static let longestWorkout = Timestamp.Span.seconds(24 * 3600)

    /// What stands around the parts of a date or time, and says nothing.
    private static let fillers: Set<String> = [
        "de", "del", "of", "at", "um", "uhr", "kl", "h", "ob", "m",
    ]
    /// The seconds of what lengths are told in.
    private static let factors: [String: Int64] = [
        "h": 3600, "std": 3600, "m": 60, "min": 60, "s": 1, "sec": 1, "sek": 1, "": 1,
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

    /// A day and a time of a clock, as apps write them in the language of an account: `2024-03-28 17:29:05`, `28 Mar 2024,
    /// 17:29`, `Mar 28, 2024, 5:29 PM`, `7 févr. 2026, 18:05`, `30 de abr. de 2026, 19:37`, `30.04.2026 19:37`,
    /// `2026年4月30日 19:37`; `nil` for any other text. A date of numbers between slashes may mean two days: only one that
    /// begins with the year is read.
    static func local(_ text: String) -> (date: LocalDate, time: LocalTime)? {
        guard text.utf8.count <= 80 else { return nil }
        let words = text.split { $0.isWhitespace || $0 == "," }
        guard let first = words.first else { return nil }
        if let date = numeric(first.prefix { $0 != "T" }) {
            let time = first.drop { $0 != "T" }.dropFirst()
            return clock((time.isEmpty ? [] : [time]) + words.dropFirst()).map { (date, $0) }
        }
        var (year, month, day) = (Int?.none, Int?.none, Int?.none)
        for (place, word) in words.enumerated() {
            if let year, let month, let day {
                guard let date = LocalDate(year: year, month: month, day: day) else { return nil }
                return clock(Array(words[place...])).map { (date, $0) }
            }
            let name = RegionalText.fold(word)
            if fillers.contains(name) { continue }
            // Of a date some languages mark the year and the day.
            let figures = word.trimmingSuffix { "年년日일.".contains($0) }
            if year == nil, let number = number(figures, digits: 4...4) {
                year = number
            } else if day == nil, let number = number(figures, digits: 1...2) {
                day = number
            } else if month == nil, let number = RegionalText.month(word) {
                month = number
            } else {
                return nil
            }
        }
        return nil
    }

    /// A day in numbers: `2024-03-28`, `2024/3/28`, `28.3.2024`, `2024年3月28日`.
    private static func numeric(_ word: Substring) -> LocalDate? {
        let parts = word.split { !$0.isASCII || !$0.isNumber }.map { Int($0) ?? 0 }
        guard parts.count == 3, word.utf8.count <= 20 else { return nil }
        let marks = String(word.filter { !$0.isASCII || !$0.isNumber })
        switch marks {
        case "--", "//", "年月日", "년월일":
            guard parts[0] > 999 else { return nil }
            return LocalDate(year: parts[0], month: parts[1], day: parts[2])
        case "..":
            guard parts[2] > 999 else { return nil }
            return LocalDate(year: parts[2], month: parts[1], day: parts[0])
        default: return nil
        }
    }

    /// `17:29`, `7:05:09`, `5:29 PM`, `午後5:29`.
    private static func clock(_ words: [Substring]) -> LocalTime? {
        var half: Bool?
        var figures: Substring?
        // “à” before a French time folds to the Italian word for a morning.
        for word in words where word.lowercased() != "à" {
            let start = word.firstIndex { $0.isASCII && $0.isNumber } ?? word.endIndex
            let (before, rest) = (word[..<start], word[start...])
            if !before.isEmpty {
                let isKnown = fillers.contains(RegionalText.fold(before)) && rest.isEmpty
                if let found = RegionalText.isAfterNoon(before), half == nil {
                    half = found
                } else if !isKnown {
                    return nil
                }
            }
            guard !rest.isEmpty else { continue }
            guard figures == nil else { return nil }
            figures = rest
        }
        guard let figures else { return nil }
        let hasShortHour = figures.utf8.count == 4 || figures.utf8.count == 7
        guard let time = LocalTime(hasShortHour ? "0\(figures)" : String(figures)) else {
            return nil
        }
        guard let half else { return time }
        let hour = time.minutes / 60
        guard (1...12).contains(hour) else { return nil }
        let shift = Int64(hour % 12 + (half ? 12 : 0) - hour) * 3_600_000
        return LocalTime(millisecondsOfDay: time.milliseconds + shift)
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

extension Substring {
    fileprivate func trimmingSuffix(_ isLeftOut: (Character) -> Bool) -> Substring {
        var text = self
        while let last = text.last, isLeftOut(last) { text.removeLast() }
        return text
    }
}
