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
        /// The share of seconds of parts held back that were placed here, or `nil` if none were, or
        /// no other place is learned.
        var right: Double?
        /// What the place is taken for most often, and how often; `nil` if for nothing.
        var takenFor: (name: String, share: Double)?
        /// The share of seconds of stretches held back whole at which each engine alone is right, or
        /// `nil` if there was no second stretch.
        var alone: (levels: Double, spots: Double)?
        /// What was held back for that, or `nil`.
        var held: Held?
    }

    /// What was held back to judge what was learned from the rest.
    package struct Held: Equatable {
        /// Stands and walks, or parts of them.
        package var count: Int
        /// In which anything was heard.
        package var seconds: Int
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
    /// What may be expected at the places tried: the share of seconds of whole stands and walks held
    /// back at which what was learned from the others is right, each place counting the same. `nil` where
    /// that says too little: fewer than two places, or than half of those that are learned, have a
    /// second stand.
    package let accuracy: Double?
    /// What was held back for that, in all and at how many places.
    package let held: (all: Held, places: Int)
    /// How many places the site has.
    let places: Int

    /// Learns from what was gathered, and judges that.
    package init(_ gathered: Gathered, at site: CalibrationSite) {
        model = gathered.survey.model(revision: 0, homes: site.home)
        confusion = gathered.survey.confusion()
        names = confusion.places.map(site.text)
        let trial = model?.trial?.results.filter { $0.seconds > 0 } ?? []
        let held = Self.held(gathered.survey)
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
                    right: confusion.places.count > 1 ? confusion.right(at: place) : nil,
                    takenFor: confusion.takenFor(place).map { (site.text($0.place), $0.share) },
                    alone: trial.first { $0.place == place }?.shares,
                    held: trial.isEmpty ? nil : held.places[place]))
        }
        self.learned = learned
        self.held = (held.all, held.places.count)
        accuracy =
            held.places.count >= 2 && held.places.count * 2 >= learned.count
            ? model?.trial?.shares?.spots : nil
        let known = Set(learned.map(\.place))
        places = site.places.count
        missing = site.places.filter { !known.contains($0) }.map(site.text)
        warnings =
            gathered.notes + Self.pairs(confusion, site) + Self.thin(learned)
            + Self.carriers(learned)
    }

    /// What can be held back whole: stretches that begin where another does; by place and in all.
    private static func held(_ survey: Survey) -> (all: Held, places: [Place: Held]) {
        var begun: [Place: Int] = [:]
        for stretch in survey.stretches {
            if let place = stretch.first?.place { begun[place, default: 0] += 1 }
        }
        var all = Held(count: 0, seconds: 0)
        var places: [Place: Held] = [:]
        for stretch in survey.stretches {
            guard let first = stretch.first?.place, begun[first, default: 0] > 1 else { continue }
            all.count += 1
            var seconds: [Place: Int] = [:]
            for second in stretch where !second.heard.isEmpty {
                seconds[second.place, default: 0] += 1
            }
            for (place, count) in seconds {
                all.seconds += count
                places[place, default: Held(count: 0, seconds: 0)].count += 1
                places[place]?.seconds += count
            }
        }
        return (all, places)
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
                let known =
                    "\(percent(Double(right) / Double(all))) of \(all) s held back are right"
                let how =
                    share >= inseparable
                    ? "cannot be told apart by these nodes" : "are easily taken for each other"
                lines.append(
                    (
                        share,
                        "\(site.text(first)) and \(site.text(second)) \(how): \(known)"
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
            "spots alone", "held back",
        ])
        for place in learned {
            table.add([
                place.name, "\(place.seconds)", "\(place.stretches)", "\(place.spots)",
                place.right.map(Self.percent) ?? "–",
                place.takenFor.map { "\($0.name) \(Self.percent($0.share))" } ?? "–",
                place.alone.map { Self.percent($0.levels) } ?? "–",
                place.alone.map { Self.percent($0.spots) } ?? "–",
                place.held.map(Self.text) ?? "–",
            ])
        }
        var parts = [table.text]
        if names.count > 1 { parts += [matrix, parted] }
        parts.append(promise)
        if !missing.isEmpty { parts.append("not learned: \(Gathered.list(missing, most: 20))") }
        if !warnings.isEmpty {
            parts.append(warnings.map { "! \($0)" }.joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n")
    }

    /// How it is known what is right and what is taken for what.
    private var parted: String {
        "right, taken for: of \(confusion.seconds.joined().reduce(0, +)) s, held back in parts of "
            + "20 s; the rest of the same stands is learned from, which flatters"
    }

    /// What to expect and how it is known, or why nothing can be.
    package var promise: String {
        guard let accuracy, let shares = model?.trial?.shares else {
            let verb = learned.count == 1 ? "is" : "are"
            return "nothing is promised: \(learned.count) of \(places) places \(verb) learned, "
                + "\(held.places) of them "
                + "\(held.places == 1 ? "has" : "have") a second stand to hold back; stand at least "
                + "twice at half of them, and at two or more"
        }
        return "expect the right place \(Self.percent(accuracy)) of the time at \(held.places) of "
            + "\(places) places (held back: \(Self.text(held.all))): so often learned spots alone are "
            + "right there, levels alone \(Self.percent(shares.levels))"
    }

    private static func text(_ held: Held) -> String {
        "\(held.count) stands, \(held.seconds) s"
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
                var held_back: HeldBack?
            }
            struct HeldBack: Encodable {
                var stands: Int
                var seconds: Int

                init(_ held: Held) { (stands, seconds) = (held.count, held.seconds) }
            }
            struct Matrix: Encodable {
                var places: [String]
                var seconds: [[Int]]
            }
            struct Whole: Encodable {
                var places: [Line]
                var not_learned: [String]
                var expected_accuracy: Double?
                var held_back: HeldBack
                var confusion: Matrix
                var warnings: [String]
            }
            let whole = Whole(
                places: learned.map {
                    Line(
                        place: $0.name, seconds: $0.seconds, stands: $0.stretches, spots: $0.spots,
                        carriers: $0.carriers, right: $0.right, taken_for: $0.takenFor?.name,
                        levels_alone: $0.alone?.levels, spots_alone: $0.alone?.spots,
                        held_back: $0.held.map(HeldBack.init))
                }, not_learned: missing, expected_accuracy: accuracy,
                held_back: HeldBack(held.all),
                confusion: Matrix(places: names, seconds: confusion.seconds), warnings: warnings)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(whole), as: UTF8.self)
        }
    }
}
