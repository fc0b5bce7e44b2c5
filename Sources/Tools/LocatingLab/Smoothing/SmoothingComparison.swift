import Basics
import Foundation

/// The scores of all rules on all recordings.
struct SmoothingComparison {
    private let rules: [NamedRule]
    /// By disturbance: the columns, and by rule the score of each.
    private var results: [Disturbance: (columns: [String], scores: [[ZoneScore]])] = [:]

    init(rules: [NamedRule]) { self.rules = rules }

    /// Scores all rules under one disturbance.
    mutating func take(
        _ disturbance: Disturbance, _ places: [RecordedPlace], seed: UInt64, bySequence: Bool
    ) {
        var columns: [String] = []
        var scores: [[ZoneScore]] = rules.map { _ in [] }
        for place in places {
            for sequence in place.sequences {
                let name = bySequence ? "\(place.site.name)/\(sequence.id)" : sequence.group
                if !columns.contains(name) {
                    columns.append(name)
                    for rule in rules.indices { scores[rule].append(ZoneScore()) }
                }
                let column = columns.firstIndex(of: name) ?? 0
                for draw in 0..<disturbance.draws {
                    let readings = disturbance.applied(to: sequence, seed: seed &+ draw)
                    for rule in rules.indices {
                        scores[rule][column].add(
                            SmoothingRun.score(
                                rules[rule], on: sequence, at: place, readings: readings))
                    }
                }
            }
        }
        results[disturbance] = (columns, scores)
    }

    /// A row a rule: right seconds, changes said for each true one, seconds until noticed.
    func table(of disturbance: Disturbance) -> String {
        guard let (columns, scores) = results[disturbance] else { return "" }
        var table = TextTable([disturbance.rawValue] + columns)
        for (rule, row) in zip(rules, scores) {
            table.add([rule.name] + row.map(Self.text))
        }
        return table.text
    }

    /// A row a rule: what it loses against the best in the mean and at worst, in points of
    /// accuracy; its mean of changes and of latencies, missed halves counting as 15 s.
    var summary: String {
        var table = TextTable(["all", "accuracy", "loses", "at worst", "changes", "latency"])
        for (index, rule) in rules.enumerated() {
            let cells = Disturbance.allCases.flatMap { disturbance in
                Self.cells(of: index, in: results[disturbance]?.scores ?? [])
            }
            let count = Double(max(cells.count, 1))
            let mean = { (value: (Cell) -> Double) in cells.map(value).reduce(0, +) / count }
            table.add([
                rule.name, Self.text(mean { $0.score.accuracy }, 3),
                Self.text(mean { $0.loss } * 100, 2),
                Self.text((cells.map(\.loss).max() ?? 0) * 100, 1),
                Self.text(mean { $0.score.flaps }, 2),
                Self.text(mean { min($0.score.latency, 15) }, 2),
            ])
        }
        return table.text
    }

    private typealias Cell = (score: ZoneScore, loss: Double)

    private static func cells(of rule: Int, in scores: [[ZoneScore]]) -> [Cell] {
        guard rule < scores.count else { return [] }
        return scores[rule].enumerated().map { column, score in
            let best = scores.map { $0[column].accuracy }.max() ?? 0
            return (score, best - score.accuracy)
        }
    }

    private static func text(_ score: ZoneScore) -> String {
        "\(text(score.accuracy, 3)) \(text(score.flaps, 1)) \(text(score.latency, 1))"
    }

    private static func text(_ number: Double, _ digits: Int) -> String {
        number.isFinite ? String(format: "%.\(digits)f", number) : "∞"
    }
}
