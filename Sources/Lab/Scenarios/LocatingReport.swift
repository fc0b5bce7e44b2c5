import Basics
import Foundation
import LocatingLab
import Simulation

/// A simulated site and what makes it hard to tell where people are.
///
/// Each is harder than what other projects test their locators with: ESPresense-companion's harness
/// has four nodes in 6 by 4 m, 2.5 dB of noise, and neither bodies nor offsets (`presence.md` 0.9).
struct LocatingScenario: Sendable {
    /// What is hard, in a few words.
    var name: String
    var plan: FloorPlan
    /// What the air is like.
    var conditions: Conditions
    /// A receiver that is silent in the walk, though it was there while calibrating.
    var silent: Int?
    /// Whether it is known that the silent receiver does not listen.
    var isKnown = false

    private init(
        _ name: String, _ plan: FloorPlan, silent: String? = nil, isKnown: Bool = false,
        _ change: (inout Conditions) -> Void = { _ in }
    ) {
        self.name = name
        self.plan = plan
        conditions = Conditions()
        change(&conditions)
        self.silent = plan.receivers.firstIndex { $0.id == silent }
        precondition(silent == nil || self.silent != nil, "unknown receiver")
        self.isKnown = isKnown
    }

    /// All scenarios, the easiest first.
    static let all: [LocatingScenario] = [
        LocatingScenario("clean gym", .gym) { air in
            (air.receiverOffset, air.body, air.crowd) = (0, 0, 0)
        },
        LocatingScenario("receiver offsets 6 dB", .hall) { $0.receiverOffset = 6 },
        LocatingScenario("bodies 15 dB", .hall) { air in
            (air.body, air.crowd, air.slowFades) = (15, 5, 0.1)
        },
        LocatingScenario("a packet in 5 s", .hall) { $0.interval = 5 },
        LocatingScenario("dead node, known", .hall, silent: "n6", isKnown: true),
        LocatingScenario("dropped node, unknown", .hall, silent: "n6"),
        LocatingScenario("stations 2.5 m apart", .row),
        LocatingScenario("walls 12 dB", .office),
    ]
}

/// How much is simulated for a report.
enum LocatingSize: String, Codable, Sendable {
    /// A few minutes a scenario, for every build.
    case short
    /// Hours a scenario, for figures that mean something to the point.
    case long

    /// How many people wander about at once.
    var people: Int { self == .short ? 3 : 5 }
    /// How long, in seconds.
    var seconds: Double { self == .short ? 480 : 1200 }
    /// The recordings of a scenario; everything in one follows from its seed.
    var seeds: ClosedRange<UInt64> { self == .short ? 1...2 : 1...4 }
}

/// What methods reach on the scenarios; kept in the repository as what may not get worse.
struct LocatingReport: Codable, Equatable, Sendable {
    /// What one method reaches on one scenario.
    struct Row: Codable, Equatable, Sendable {
        /// The scenario's name.
        var scenario: String
        /// The method's name.
        var method: String
        /// The share of right seconds, 0 ... 1.
        var accuracy: Double
        /// Changes said for each true one.
        var flaps: Double
        /// Median seconds to the right answer; `nil` if half of the visits were missed.
        var latency: Double?
        /// The same that 95 % do not exceed; `nil` if more were missed.
        var slowest: Double?
        /// Expected calibration error, 0 ... 1; `nil` if the method states no probability.
        var calibrationError: Double?
    }

    /// The share of its former value by which accuracy may fall.
    static let slack = 0.05
    /// What may be added to the former number of flaps.
    static let flapSlack = 0.05

    /// How much was simulated.
    var size: LocatingSize
    /// By scenario, then method.
    var rows: [Row]

    /// Simulates and scores everything; `begin` is told the name of each scenario before it.
    init(size: LocatingSize, begin: (String) -> Void = { _ in }) {
        self.size = size
        rows = []
        for scenario in LocatingScenario.all {
            begin(scenario.name)
            var scores = ScenarioRun.Method.all.map { _ in ZoneScore() }
            for seed in size.seeds {
                let run = ScenarioRun(scenario, size: size, seed: seed)
                for (index, method) in ScenarioRun.Method.all.enumerated() {
                    scores[index].add(run.score(method))
                }
            }
            for (method, score) in zip(ScenarioRun.Method.all, scores) {
                rows.append(Row(scenario.name, method.name, score))
            }
        }
    }

    /// What got worse against what was kept, a line each: our accuracy fell or our flaps rose by
    /// more than the slack, or a row is not there.
    func regressions(against kept: LocatingReport) -> [String] {
        guard size == kept.size else {
            return ["\(size.rawValue) is not to be compared with \(kept.size.rawValue)"]
        }
        let ours = ScenarioRun.Method.all.filter(\.isOurs).map(\.name)
        return kept.rows.filter { ours.contains($0.method) }.flatMap { old -> [String] in
            let name = "\(old.scenario), \(old.method)"
            guard let new = row(old.scenario, old.method) else { return ["\(name): missing"] }
            var lines: [String] = []
            if new.accuracy < old.accuracy * (1 - Self.slack) {
                lines.append("\(name): accuracy \(new.accuracy), was \(old.accuracy)")
            }
            if new.flaps > old.flaps * (1 + Self.slack) + Self.flapSlack {
                lines.append("\(name): flaps \(new.flaps), were \(old.flaps)")
            }
            return lines
        }
    }

    /// The row of a method on a scenario.
    func row(_ scenario: String, _ method: String) -> Row? {
        rows.first { $0.scenario == scenario && $0.method == method }
    }

    /// The rows as JSON, with sorted keys, a row a line.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // Doubles of four decimals and short texts always encode.
        let lines = rows.map { row in
            (try? encoder.encode(row)).map { "  " + String(decoding: $0, as: UTF8.self) } ?? ""
        }
        return "{\"size\": \"\(size.rawValue)\", \"rows\": [\n"
            + lines.joined(separator: ",\n") + "\n]}"
    }

    /// A table a figure: methods by scenarios.
    var table: String {
        let scenarios = LocatingScenario.all.map(\.name)
        let methods = ScenarioRun.Method.all.map(\.name)
        var table = TextTable(["accuracy flaps latency/95 % ECE"] + methods)
        for scenario in scenarios {
            table.add([scenario] + methods.map { row(scenario, $0)?.text ?? "-" })
        }
        return table.text
    }
}

extension LocatingReport.Row {
    fileprivate init(_ scenario: String, _ method: String, _ score: ZoneScore) {
        func rounded(_ number: Double) -> Double { (number * 10_000).rounded() / 10_000 }
        self.init(
            scenario: scenario, method: method, accuracy: rounded(score.accuracy),
            flaps: rounded(score.flaps),
            latency: score.latency.isFinite ? rounded(score.latency) : nil,
            slowest: score.latency95.isFinite ? rounded(score.latency95) : nil,
            calibrationError: score.calibrationError.map(rounded))
    }

    fileprivate var text: String {
        func digits(_ number: Double?, _ count: Int, _ none: String) -> String {
            number.map { String(format: "%.\(count)f", $0) } ?? none
        }
        return "\(digits(accuracy, 3, "-")) \(digits(flaps, 1, "-")) "
            + "\(digits(latency, 0, "∞"))/\(digits(slowest, 0, "∞")) "
            + digits(calibrationError, 2, "-")
    }
}
