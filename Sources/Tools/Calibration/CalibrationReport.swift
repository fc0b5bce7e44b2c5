import Basics
import Foundation
import Positioning
import SiteModel

/// What a site has learned of its places and how well, with warnings that say what to expect.
package struct CalibrationReport {
    /// What was gathered at one place.
    package struct Learned {
        package var place: Place
        var name: String
        /// Seconds learned from, stands or walks, and carried things.
        var seconds: Int
        var stretches: Int
        var carriers: [String]
        /// How many spots the model has there.
        var spots: Int
        /// The share of held-back seconds that were placed here, or `nil` if none were held back.
        var right: Double?
        /// What the place is taken for most often, and how often; `nil` if for nothing.
        var takenFor: (name: String, share: Double)?
        /// The share of seconds of stretches held back whole at which each engine alone is right, or
        /// `nil` if there was no second stretch.
        var alone: (levels: Double, spots: Double)?
    }

    /// Fewer seconds at a place say too little of it.
    static let fewSeconds = 20
    /// From these shares of seconds on two places are called alike, or too much alike.
    static let confusable = 0.1
    static let inseparable = 0.3

    package let model: PlaceModel?
    package let confusion: Confusion
    /// The names of the confusion's places.
    package let names: [String]
    package let learned: [Learned]
    /// Places nothing was learned of.
    package let missing: [String]
    /// A line each.
    package let warnings: [String]
    /// The mean of what is right at the places, each counting the same; `nil` if nothing was held
    /// back.
    package let accuracy: Double?

    /// Learns from what was gathered, and judges that.
    package init(_ gathered: Gathered, at site: CalibrationSite) {
        model = gathered.survey.model(revision: 0, homes: site.home)
        confusion = gathered.survey.confusion()
        names = confusion.places.map(site.text)
        var learned: [Learned] = []
        for place in Set(gathered.legs.map(\.place)).sorted() {
            let legs = gathered.legs.filter { $0.place == place }
            learned.append(
                Learned(
                    place: place, name: site.text(place),
                    seconds: legs.reduce(0) { $0 + $1.seconds.count },
                    stretches: Set(legs.map(\.stretch)).count,
                    carriers: Set(legs.map(\.carrier)).sorted(),
                    spots: model?.spots.count { $0.place == place && !$0.isWhole } ?? 0,
                    right: confusion.right(at: place),
                    takenFor: confusion.takenFor(place).map { (site.text($0.place), $0.share) },
                    alone: model?.trial?.results.first { $0.place == place }?.shares))
        }
        self.learned = learned
        let rights = learned.compactMap(\.right)
        accuracy = rights.isEmpty ? nil : rights.reduce(0, +) / Double(rights.count)
        let places = Set(learned.map(\.place))
        missing = site.places.filter { !places.contains($0) }.map(site.text)
        warnings =
            gathered.notes + Self.pairs(confusion, site) + Self.thin(learned)
            + Self.carriers(learned)
    }

    /// How many seconds were learned from.
    package var seconds: Int { learned.reduce(0) { $0 + $1.seconds } }

    package static func pairs(_ confusion: Confusion, _ site: CalibrationSite) -> [String] {
        var lines: [(share: Double, text: String)] = []
        for (index, first) in confusion.places.enumerated() {
            for (other, second) in confusion.places.enumerated().dropFirst(index + 1) {
                let all = confusion.total(index) + confusion.total(other)
                guard all > 0 else { continue }
                let mixed = confusion.seconds[index][other] + confusion.seconds[other][index]
                let share = Double(mixed) / Double(all)
                guard share >= confusable else { continue }
                let right = confusion.seconds[index][index] + confusion.seconds[other][other]
                let how =
                    share >= inseparable
                    ? "cannot be told apart by these nodes" : "are easily taken for each other"
                lines.append(
                    (
                        share,
                        "\(site.text(first)) and \(site.text(second)) \(how): expect them right "
                            + "\(percent(Double(right) / Double(all))) of the time"
                    ))
            }
        }
        // The worst first; among equals by place.
        return lines.enumerated().sorted {
            ($1.element.share, $0.offset) < ($0.element.share, $1.offset)
        }.map(\.element.text)
    }

    private static func thin(_ learned: [Learned]) -> [String] {
        learned.filter { $0.seconds < fewSeconds }.map {
            "\($0.name) was learned from \($0.seconds) s only: stand there for a minute"
        }
    }

    private static func carriers(_ learned: [Learned]) -> [String] {
        let single = learned.filter { $0.carriers.count == 1 }
        guard !single.isEmpty else { return [] }
        let carriers = Set(single.flatMap(\.carriers)).sorted()
        let places = single.count == learned.count ? "all" : Gathered.list(single.map(\.name))
        return [
            "learned by one carrier only (\(Gathered.list(carriers)): \(places)); a beacon that is "
                + "carried otherwise may fit worse, let another person stand there, too"
        ]
    }

    package static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}

extension Confusion {
    /// All seconds at a place, by its index.
    package func total(_ index: Int) -> Int { seconds[index].reduce(0, +) }

    /// The share of a place's seconds that were placed there, or `nil` without any.
    package func right(at place: Place) -> Double? {
        guard let index = places.firstIndex(of: place), total(index) > 0 else { return nil }
        return Double(seconds[index][index]) / Double(total(index))
    }

    /// What a place is taken for most often, or `nil` if it never is.
    func takenFor(_ place: Place) -> (place: Place, share: Double)? {
        guard let index = places.firstIndex(of: place), total(index) > 0 else { return nil }
        var best: Int?
        for other in places.indices where other != index && seconds[index][other] > 0 {
            if let found = best, seconds[index][found] >= seconds[index][other] { continue }
            best = other
        }
        return best.map { (places[$0], Double(seconds[index][$0]) / Double(total(index))) }
    }
}

/// What `calibrate show` prints.
extension CalibrationReport {
    /// Two tables and the warnings, for a terminal.
    package var text: String {
        guard !learned.isEmpty else {
            return "nothing is learned yet: beaconmesh calibrate stand PLACE --beacon BEACON"
                + warnings.map { "\n! \($0)" }.joined()
        }
        var table = TextTable([
            "place", "seconds", "stands", "spots", "right", "taken for", "levels alone",
            "spots alone",
        ])
        for place in learned {
            table.add([
                place.name, "\(place.seconds)", "\(place.stretches)", "\(place.spots)",
                place.right.map(Self.percent) ?? "–",
                place.takenFor.map { "\($0.name) \(Self.percent($0.share))" } ?? "–",
                place.alone.map { Self.percent($0.levels) } ?? "–",
                place.alone.map { Self.percent($0.spots) } ?? "–",
            ])
        }
        var parts = [table.text]
        if !names.isEmpty { parts.append(matrix) }
        if let accuracy {
            parts.append(
                "expect the right place \(Self.percent(accuracy)) of the time"
            )
        }
        if let engines { parts.append(engines) }
        if !missing.isEmpty { parts.append("not learned: \(Gathered.list(missing, most: 20))") }
        if !warnings.isEmpty {
            parts.append(warnings.map { "! \($0)" }.joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n")
    }

    /// What each engine is worth here, where the blend begins.
    private var engines: String? {
        model?.trial?.shares.map {
            "levels alone would be right \(Self.percent($0.levels)) here, learned spots alone "
                + "\(Self.percent($0.spots)), of whole stands held back"
        }
    }

    /// Held-back seconds, by true place and the place said, in percent of the row.
    private var matrix: String {
        let letters = names.indices.map { "\($0 + 1)" }
        var table = TextTable(["true, said in %:"] + letters)
        for (index, name) in names.enumerated() {
            let total = confusion.total(index)
            table.add(
                ["\(letters[index]) \(name)"]
                    + confusion.seconds[index].map { count in
                        guard count > 0 else { return "·" }
                        return "\(Int((Double(count) / Double(total) * 100).rounded()))"
                    })
        }
        return table.text
    }

    /// The same as JSON.
    package var json: String {
        get throws {
            struct Line: Encodable {
                var place: String
                var seconds: Int
                var stands: Int
                var spots: Int
                var carriers: [String]
                var right: Double?
                var taken_for: String?
                var levels_alone: Double?
                var spots_alone: Double?
            }
            struct Matrix: Encodable {
                var places: [String]
                var seconds: [[Int]]
            }
            struct Whole: Encodable {
                var places: [Line]
                var not_learned: [String]
                var expected_accuracy: Double?
                var confusion: Matrix
                var warnings: [String]
            }
            let whole = Whole(
                places: learned.map {
                    Line(
                        place: $0.name, seconds: $0.seconds, stands: $0.stretches, spots: $0.spots,
                        carriers: $0.carriers, right: $0.right, taken_for: $0.takenFor?.name,
                        levels_alone: $0.alone?.levels, spots_alone: $0.alone?.spots)
                }, not_learned: missing, expected_accuracy: accuracy,
                confusion: Matrix(places: names, seconds: confusion.seconds), warnings: warnings)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(whole), as: UTF8.self)
        }
    }
}
