import ArgumentParser
import Basics
import Foundation
import Positioning
import SiteModel

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

/// Locates one recorded sequence with the coordinator's own locator over one rule.
enum SmoothingRun {
    /// The simulated start.
    private static let start = Timestamp(milliseconds: 1_790_000_000_000)

    /// The score of a rule on a sequence whose readings may have been disturbed.
    static func score(
        _ rule: NamedRule, on sequence: RecordedSequence, at place: RecordedPlace,
        readings: [RecordedReadings.Reading]
    ) -> ZoneScore {
        let said = places(rule, sequence, place, readings)
        var score = ZoneScore()
        for (who, visits) in sequence.visits.enumerated() {
            score.add(visits, said: said[who])
        }
        return score
    }

    /// By transmitter, the zone said at each whole second from the start, from what was heard before.
    static func places(
        _ rule: NamedRule, _ sequence: RecordedSequence, _ place: RecordedPlace,
        _ readings: [RecordedReadings.Reading]
    ) -> [[String?]] {
        let people = sequence.transmitters.count
        var locating = Locating(
            plan: place.site.plan(transmitters: people),
            places: (0..<people).map { _ in (room: nil, station: nil) }, timeConstant: rule.mean)
        let receivers = place.site.receivers.count
        var links = [any LevelRule](repeating: rule.rule, count: people * receivers)
        var isHeard = [Bool](repeating: false, count: links.count)
        var said: [[String?]] = (0..<people).map { _ in [nil] }
        var next = 0
        let visits = sequence.visits
        let ends = visits.compactMap { $0.last?.end } + [0]
        for second in 1...max(1, Int((ends.max() ?? 0).rounded(.up))) {
            let end = Int64(second) * 1000
            while next < readings.count, readings[next].milliseconds < end {
                let reading = readings[next]
                let link = Int(reading.transmitter) * receivers + Int(reading.receiver)
                links[link].heard(
                    RSSI(dBm: reading.level),
                    at: Self.start + .milliseconds(reading.milliseconds))
                isHeard[link] = true
                next += 1
            }
            let now = Self.start + .milliseconds(end)
            for link in links.indices where isHeard[link] {
                isHeard[link] = false
                guard let level = links[link].endSecond() else { continue }
                locating.heard(
                    beacon: link / receivers, node: link % receivers, level: level, at: now)
            }
            for who in 0..<people {
                let fix = locating.fix(user: who, beacons: [who], at: now) { _ in true }
                said[who].append(
                    fix.flatMap { place.site.zone(of: $0.place) }.map { place.site.zones[$0].id })
            }
        }
        return said
    }
}

/// `beaconmesh bench smoothing DIR`: which way of steadying levels serves the locator best.
package struct SmoothingVerb: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "smoothing",
        abstract: "Compares ways of steadying levels on recordings with known positions.",
        discussion: """
            DIR holds a directory for each place: dataset.json, and for each sequence \
            ID.readings.csv.gz (t_seconds,receiver_id,transmitter_id,rssi_dbm) and ID.truth.csv \
            (t_start,t_end,transmitter_id,zone). Each rule makes a level a second out of the \
            readings of each link; the coordinator's own locator decides from these. Printed are \
            the share of seconds with the right zone, changes said for each true one, and the \
            median seconds until a change was noticed; in the end, over all columns and disturbances, \
            what a rule loses against the best one.
            """)

    @Argument(help: "The directory with the recordings.")
    package var directory: String

    // `bench` itself has `--seed` and `--only`, and would take them for its own.
    @Option(help: "Thinning and disturbances follow from this number.")
    package var dice: UInt64 = 7

    @Flag(help: "A column for each sequence instead of each kind of sequence.")
    package var sequences = false

    @Option(help: "Take only rules whose name contains this.")
    package var rule: String?

    package init() {}

    package func run() async throws {
        let places = try RecordedPlace.all(in: directory)
        let rules = NamedRule.all.filter { rule.map($0.name.contains) ?? true }
        var comparison = SmoothingComparison(rules: rules)
        for disturbance in Disturbance.allCases {
            comparison.take(disturbance, places, seed: dice, bySequence: sequences)
            print(comparison.table(of: disturbance), terminator: "\n\n")
        }
        print(comparison.summary)
    }
}
