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
