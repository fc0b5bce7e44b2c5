import Basics
import Foundation
import SiteModel

/// What a comparison tells: a table for each kind of sequence, then how honest probabilities are.
struct ComparisonReport {
    /// One line of a table.
    struct Line {
        var title: String
        var condition: String
        var method: String
        var score: ZoneScore
    }

    /// What lines have in common that are scored together.
    private struct Key: Hashable {
        var title: String
        var condition: String
        var dead: String?
        var method: String
    }

    /// The lines, those of a table on end.
    let lines: [Line]
    /// By method of ours, everything it stated on recordings as they were.
    private let claims: [(method: String, score: ZoneScore)]

    /// Pools what was scored, by sequence if `bySequence`, else by kind of sequence and by place.
    init(_ comparison: LocateComparison, _ scores: [ZoneScore], bySequence: Bool) {
        var keys: [Key] = []
        var pooled: [Key: ZoneScore] = [:]
        var claims: [(method: String, score: ZoneScore)] = LocatingPolicy.Method.allCases.map {
            ($0.rawValue, ZoneScore())
        }
        var groups: [String: Set<String>] = [:]
        for trial in comparison.trials {
            let titles = comparison.titles(of: trial)
            groups[titles.place, default: []].insert(titles.group)
        }
        for (trial, score) in zip(comparison.trials, scores) {
            let titles = comparison.titles(of: trial)
            var tables = [bySequence ? titles.sequence : titles.group]
            if groups[titles.place]?.count ?? 0 > 1 { tables.append("\(titles.place), all") }
            for title in tables {
                let key = Key(
                    title: title, condition: Self.condition(of: trial),
                    dead: trial.dead.map { comparison.name(of: $0, in: trial) },
                    method: trial.contender.name)
                if pooled[key] == nil { keys.append(key) }
                pooled[key, default: ZoneScore()].add(score)
            }
            if trial.rate == nil, trial.dead == nil,
                let index = claims.firstIndex(where: { $0.method == trial.contender.name })
            {
                claims[index].score.add(score)
            }
        }
        self.claims = claims
        lines = Self.lines(keys, pooled)
    }

    /// Tables for a terminal.
    var text: String {
        var blocks: [String] = []
        for title in Self.unique(lines.map(\.title)) {
            var table = TextTable([
                title, "rule", "accuracy", "settled", "F1", "flaps", "latency", "95 %", "found",
                "Brier", "ECE",
            ])
            for line in lines where line.title == title {
                table.add([line.condition, line.method] + Self.figures(line.score))
            }
            blocks.append(table.text)
        }
        blocks.append(reliability)
        return blocks.joined(separator: "\n\n")
    }

    /// The same as an array of objects; what is endless or not there is null.
    var json: String {
        let rows = lines.map { line -> [String: Any] in
            let score = line.score
            let figures: [(String, Double?)] = [
                ("accuracy", score.accuracy), ("settled", score.settledAccuracy),
                ("macro_f1", score.macroF1), ("flaps", score.flaps), ("latency_s", score.latency),
                ("latency_95_s", score.latency95), ("found", score.found), ("brier", score.brier),
                ("ece", score.calibrationError),
            ]
            var row: [String: Any] = [
                "sequence": line.title, "condition": line.condition, "rule": line.method,
                "seconds": score.seconds,
            ]
            for (name, figure) in figures {
                row[name] = figure.flatMap { $0.isFinite ? $0 as Any : nil } ?? NSNull()
            }
            return row
        }
        let data = try? JSONSerialization.data(
            withJSONObject: rows, options: [.prettyPrinted, .sortedKeys])
        return data.map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }

    private var reliability: String {
        var table = TextTable(["stated by", "stated", "observed", "seconds"])
        for (method, score) in claims {
            for bin in score.reliability {
                table.add([
                    method, Self.text(bin.stated, 3), Self.text(bin.observed, 3), "\(bin.seconds)",
                ])
            }
        }
        return table.text
    }

    /// In the order in which they came, except that of dead receivers the worst stands for all.
    private static func lines(_ keys: [Key], _ pooled: [Key: ZoneScore]) -> [Line] {
        var lines: [Line] = []
        for key in keys {
            guard let score = pooled[key] else { continue }
            let condition = key.condition + (key.dead.map { ", \($0) dead" } ?? "")
            let line = Line(
                title: key.title, condition: condition, method: key.method, score: score)
            guard key.dead != nil else {
                lines.append(line)
                continue
            }
            let rivals = keys.filter {
                $0.title == key.title && $0.condition == key.condition && $0.method == key.method
                    && $0.dead != nil
            }
            let worst = rivals.min { pooled[$0]?.accuracy ?? 0 < pooled[$1]?.accuracy ?? 0 }
            if worst == key { lines.append(line) }
        }
        return lines
    }

    private static func condition(of trial: LocateComparison.Trial) -> String {
        trial.lesson.name + (trial.rate.map { ", \($0) Hz" } ?? "")
    }

    private static func figures(_ score: ZoneScore) -> [String] {
        [
            text(score.accuracy, 3), text(score.settledAccuracy, 3), text(score.macroF1, 3),
            text(score.flaps, 2), text(score.latency, 1), text(score.latency95, 1),
            text(score.found, 2), text(score.brier, 3), text(score.calibrationError, 3),
        ]
    }

    private static func text(_ number: Double?, _ digits: Int) -> String {
        guard let number else { return "–" }
        return number.isFinite ? String(format: "%.\(digits)f", number) : "∞"
    }

    private static func unique(_ names: [String]) -> [String] {
        names.reduce(into: []) { list, name in
            if !list.contains(name) { list.append(name) }
        }
    }
}
