import Basics
import Foundation
import Scheduling
import SiteModel
import Wire

/// The reasons of one change of place in words anybody understands.
package struct WhyText {
    private let reasons: Reasons
    private let names: Names
    /// The time of day, with the date if that is not today.
    private let moment: (Timestamp) -> String

    package init(_ reasons: Reasons, names: Names, moment: @escaping (Timestamp) -> String) {
        self.reasons = reasons
        self.names = names
        self.moment = moment
    }

    /// A sentence, a table of what each link said, and the figures.
    package var text: String {
        var parts = [sentence]
        if !reasons.readings.isEmpty { parts.append(table) }
        parts.append(figures)
        return parts.joined(separator: "\n\n")
    }

    private var sentence: String {
        let user = named(names.users.entry(reasons.user)?.name)
        let time = moment(reasons.at)
        let new = name(of: reasons.to)
        let move =
            switch (reasons.from, reasons.to) {
            case (let from?, .some): "\(user) moved from \(name(of: from)) to \(new) at \(time)"
            case (nil, .some): "\(user) came to \(new) at \(time)"
            case (let from?, nil): "\(user) was not at \(name(of: from)) any more at \(time)"
            case (nil, nil): "\(user) was nowhere at \(time)"
            }
        let because =
            switch reasons.rule {
            case .first: "nothing had been decided before"
            case .margin: "\(new) had become so much likelier that it won"
            case .lost: "\(name(of: reasons.from)) was not heard any more"
            case .silent: "nobody heard anything any more"
            }
        return "\(move), because \(because)."
    }

    /// So many readings have a row; the others are one line together.
    private static let most = 5

    /// What decided, the strongest first.
    private var table: String {
        let readings = reasons.ranked
        let isTaught = reasons.model != nil
        let usual = [reasons.to, reasons.runnerUp].map { "usual at \(name(of: $0))" }
        var table = TextTable(
            ["who heard", "heard"] + (isTaught ? usual : ["compared"]) + ["says"])
        for reading in readings.prefix(Self.most) {
            let usual = [reading.expected, reading.expectedAtRunnerUp].map {
                $0.map(Self.level) ?? "not taught"
            }
            table.add(
                [name(of: reading.ear), heard(reading)]
                    + (isTaught ? usual : [compared(reading)]) + [verdict(reading.difference)])
        }
        let rest = readings.dropFirst(Self.most)
        guard !rest.isEmpty else { return table.text }
        let all = rest.reduce(0) { $0 + $1.difference }
        return table.text + "\n\(rest.count) other receiver\(rest.count == 1 ? "" : "s"):"
            + "\(rest.count == 1 ? "" : " together") \(verdict(all))"
    }

    private func heard(_ reading: Reasons.Reading) -> String {
        guard let level = reading.level else { return "silent" }
        let text = Self.level(level.dBm)
        let seconds = Int(reading.age.seconds)
        guard seconds > 0 else { return text }
        // Learned spots take each second as it is: it was the silence that counted.
        return reasons.model == nil
            ? "\(text), \(seconds) s ago" : "silent, \(text) \(seconds) s ago"
    }

    /// How a level compares with the loudest, which decides where nobody taught.
    private func compared(_ reading: Reasons.Reading) -> String {
        guard let level = reading.level, let loudest = reasons.readings.compactMap(\.level).max()
        else { return "–" }
        guard level < loudest else { return "loudest" }
        let less = Int((loudest.dBm - level.dBm).rounded())
        return less == 0 ? "as loud as the loudest" : "\(less) dB below the loudest"
    }

    /// Which of the two places something speaks for, and how strongly.
    private func verdict(_ difference: Double) -> String {
        let times = exp(min(abs(difference), 50))
        guard times >= 1.05 else { return "nothing" }
        let strength =
            times > 1000 ? "more than 1000" : times < 10 ? Self.tenths(times) : "\(Int(times))"
        return "\(strength) times likelier "
            + (difference > 0 ? "here" : "at \(name(of: reasons.runnerUp))")
    }

    private var figures: String {
        var lines: [String] = []
        if reasons.to != nil {
            lines.append(
                "\(name(of: reasons.to)): \(Self.percent(reasons.prior)) the second before,"
                    + " \(Self.percent(reasons.probability)) now")
        }
        if reasons.runnerUp != nil {
            lines.append(
                "\(name(of: reasons.runnerUp)), the next likeliest:"
                    + " \(Self.percent(reasons.runnerUpPrior)) the second before,"
                    + " \(Self.percent(reasons.runnerUpProbability)) now")
        }
        lines.append(
            "decided by learned spots \(Self.percent(reasons.spotWeight)), by the loudest node"
                + " \(Self.percent(1 - reasons.spotWeight)); "
                + (reasons.model.map { "model revision \($0)" } ?? "no model"))
        return lines.joined(separator: "\n")
    }

    private func name(of place: Place?) -> String {
        guard let place else { return "nowhere" }
        if let station = place.station { return named(names.stations.entry(station)?.name) }
        return named(names.rooms.entry(place.room)?.name)
    }

    private func name(of ear: Ear) -> String {
        switch ear {
        case .node(let node): named(names.nodes.entry(node)?.name)
        case .beacon(let beacon): "own phone, of \(named(names.beacons.entry(beacon)?.name))"
        }
    }

    private func named(_ name: String?) -> String { TerminalText.harmless(name ?? "?") }

    private static func level(_ dBm: Double) -> String { "\(tenths(dBm)) dBm" }

    private static func tenths(_ value: Double) -> String {
        String(format: "%.1f", value).replacing("-", with: "−")
    }

    private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}

/// A moment as a person writes it: `14:03`, `14:03:05` (the latest such time), `2026-11-21T14:03:05Z`,
/// or milliseconds since 1970.
package enum WhyMoment {
    /// The moment, or `nil` if `text` is none. Times of day are those of `calendar`.
    package static func parse(_ text: String, now: Timestamp, calendar: SiteCalendar) -> Timestamp?
    {
        if let milliseconds = Int64(text) {
            return (0...253_402_300_799_999).contains(milliseconds)
                ? Timestamp(milliseconds: milliseconds) : nil
        }
        if let date = try? Date(text, strategy: .iso8601) { return timestamp(date) }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.filter(isNumber).compactMap { Int($0) }
        guard (2...3).contains(parts.count), numbers.count == parts.count else { return nil }
        let second = numbers.count == 3 ? numbers[2] : 59
        guard let time = LocalTime(hour: numbers[0], minute: numbers[1], second: second) else {
            return nil
        }
        let today = calendar.local(now).date
        let moment = calendar.first(today, time)
        // A minute that is not over yet began before now.
        let begun = numbers.count == 3 ? moment : moment - .seconds(59)
        return end(of: begun <= now ? moment : calendar.first(today + -1, time))
    }

    /// One or two digits; `Int` alone would take a sign, too.
    private static func isNumber(_ text: Substring) -> Bool {
        (1...2).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Whatever was decided within that second counts.
    private static func end(of second: Timestamp) -> Timestamp { second + .milliseconds(999) }

    private static func timestamp(_ date: Date) -> Timestamp {
        Timestamp(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }
}
