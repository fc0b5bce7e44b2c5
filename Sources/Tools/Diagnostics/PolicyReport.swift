import Basics
import Foundation

/// What a trial of the broker's policy showed, a line for each right.
package enum PolicyReport {
    /// A table, and a sentence about it.
    package static func text(_ trials: [PolicyProbe.Trial]) -> String {
        var table = TextTable(["", "identity", "right", "topic", "expected", "seen"])
        for trial in trials {
            table.add([
                mark(trial), trial.name, trial.right.rawValue, trial.topic,
                trial.isExpected ? "allowed" : "denied", trial.seen.rawValue,
            ])
        }
        let holes = trials.count { $0.isFault && !$0.isExpected }
        let missing = trials.count { $0.isFault && $0.isExpected }
        let open = trials.count { $0.seen == .unproven }
        return """
            \(table.text)
            \(trials.count) rights tried: \(trials.count - holes - missing - open) as they should be, \
            \(holes) too many, \(missing) missing, \(open) unproven (nobody tried could show it)
            """
    }

    private static func mark(_ trial: PolicyProbe.Trial) -> String {
        if trial.isFault { return trial.isExpected ? "MISSING" : "HOLE" }
        return trial.seen == .unproven ? "?" : "ok"
    }

    private struct Line: Codable {
        var identity: String
        var right: String
        var topic: String
        var expected: String
        var seen: String
    }

    /// The same as a JSON list.
    package static func json(_ trials: [PolicyProbe.Trial]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let lines = trials.map {
            Line(
                identity: $0.name, right: $0.right.rawValue, topic: $0.topic,
                expected: $0.isExpected ? "allowed" : "denied", seen: $0.seen.rawValue)
        }
        return String(decoding: try encoder.encode(lines), as: UTF8.self)
    }
}
