import Basics
import Foundation
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
        if !reasons.readings.isEmpty { parts.append(table.text) }
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

    private var table: TextTable {
        var table = TextTable([
            "who heard", "heard", "age", "usual at \(name(of: reasons.to))", "says",
        ])
        for reading in reasons.readings {
            table.add([
                name(of: reading.ear), reading.level.map { Self.level($0.dBm) } ?? "nothing",
                reading.level == nil ? "–" : "\(Self.tenths(reading.age.seconds)) s",
                reading.expected.map(Self.level) ?? "–", verdict(reading),
            ])
        }
        return table
    }

    /// Which of the two places a reading speaks for, and how strongly.
    private func verdict(_ reading: Reasons.Reading) -> String {
        let difference = reading.support - reading.against
        let times = exp(min(abs(difference), 50))
        guard times >= 1.05 else { return "nothing" }
        let winner = difference > 0 ? reasons.to : reasons.runnerUp
        let strength =
            times > 1000 ? "more than 1000" : times < 10 ? Self.tenths(times) : "\(Int(times))"
        return "\(name(of: winner)), \(strength) times likelier"
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
