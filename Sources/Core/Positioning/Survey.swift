import SiteModel

/// Seconds in which somebody's place was known: what models are learned from.
package struct Survey: Equatable, Sendable, Codable {
    /// What one ear heard in a second.
    package struct Heard: Equatable, Sendable, Codable {
        package var ear: Ear
        /// The median level of the second.
        package var level: RSSI

        package init(ear: Ear, level: RSSI) {
            self.ear = ear
            self.level = level
        }
    }

    /// One second at a known place.
    package struct Second: Equatable, Sendable, Codable {
        package var place: Place
        /// When the second ended.
        package var at: Timestamp
        /// What was heard, sorted by ear; empty if nothing was.
        package var heard: [Heard]

        package init(place: Place, at: Timestamp, heard: [Heard]) {
            self.place = place
            self.at = at
            self.heard = heard
        }
    }

    /// The ears that listened throughout, sorted: who did not hear in a second was silent.
    package var ears: [Ear]
    /// Stretches of seconds on end, each of one walk or one stand. What is held back to judge a
    /// model is cut from these, for neighbouring seconds say the same.
    package var stretches: [[Second]]

    package init(ears: [Ear], stretches: [[Second]]) {
        self.ears = ears
        self.stretches = stretches
    }
}

/// How often seconds at one place were taken for another.
package struct Confusion: Equatable, Sendable, Codable {
    /// The places, sorted.
    package var places: [Place]
    /// Seconds, by true place and then by the place said.
    package var seconds: [[Int]]

    package init(places: [Place], seconds: [[Int]]) {
        self.places = places
        self.seconds = seconds
    }
}

extension Survey {
    /// The rules of learning. Constants: `DESIGN.md`, “Locating”.
    enum Learning {
        /// A level without evidence, and for how many seconds that counts.
        static let weakLevel = -95.0
        static let pseudoSeconds = 1.0
        /// How far levels scatter where little is known, for how many seconds that counts, and how
        /// far they scatter at least, in dB.
        static let priorScale = 6.0
        static let scaleSeconds = 5.0
        static let leastScale = 2.5
    }

    /// The model of these places, or `nil` if no second is known in which anything was heard. `homes`
    /// tells which place an ear stands for: without it the engines are not tried against each other.
    package func model(
        revision: Int64, homes: (Ear) -> Place? = { _ in nil }
    ) -> PlaceModel? {
        guard var model = learned(from: stretches, revision: revision) else { return nil }
        model.trial = trial(homes: homes)
        model.fit = fit(of: model)
        return model
    }

    func learned(from stretches: [[Second]], revision: Int64) -> PlaceModel? {
        var places: [Place] = []
        for second in stretches.joined() where !places.contains(second.place) {
            places.append(second.place)
        }
        places.sort()
        var spots: [PlaceModel.Spot] = []
        for place in places {
            let seconds = stretches.joined().filter { $0.place == place && !$0.heard.isEmpty }
            guard !seconds.isEmpty else { continue }
            let rows = seconds.map(row)
            let silent = rows.map { $0.map { $0 ?? Learning.weakLevel } }
            for members in SpotClusters.members(of: silent) {
                spots.append(spot(at: place, members.map { rows[$0] }, isWhole: false))
            }
            spots.append(spot(at: place, rows, isWhole: true))
        }
        guard !spots.isEmpty else { return nil }
        return PlaceModel(
            revision: revision, spots: spots, fit: PlaceModel.Fit(usual: 1, strange: 2))
    }

    /// What each ear heard in a second, in the order of `ears`.
    package func row(of second: Second) -> [Double?] {
        var row: [Double?] = ears.map { _ in nil }
        for heard in second.heard {
            if let ear = ears.firstIndex(of: heard.ear) { row[ear] = heard.level.dBm }
        }
        return row
    }

    private func spot(
        at place: Place, _ rows: [[Double?]], isWhole: Bool
    ) -> PlaceModel.Spot {
        let levels = ears.indices.map { ear in
            let heard = rows.compactMap { $0[ear] }.sorted()
            let count = Double(heard.count)
            let median = Self.median(heard) ?? Learning.weakLevel
            let deviation = Self.median(heard.map { abs($0 - median) }.sorted()) ?? 0
            let scale =
                (count * 1.48 * deviation + Learning.scaleSeconds * Learning.priorScale)
                / (count + Learning.scaleSeconds)
            let level =
                (count * median + Learning.pseudoSeconds * Learning.weakLevel)
                / (count + Learning.pseudoSeconds)
            return PlaceModel.Level(
                ear: ears[ear], median: level, scale: max(scale, Learning.leastScale),
                chance: min(max((count + 0.5) / Double(rows.count + 1), 0.02), 0.98))
        }
        return PlaceModel.Spot(
            place: place, levels: levels, seconds: rows.count, isWhole: isWhole)
    }

    /// How well the seconds of the survey fit the best spot of a model.
    private func fit(of model: PlaceModel) -> PlaceModel.Fit {
        var places: [Place] = []
        for spot in model.spots where !places.contains(spot.place) { places.append(spot.place) }
        let table = SpotTable(model, zones: places, ears: ears)
        let isListening = ears.map { _ in true }
        var usual: [Double] = []
        var strange: [Double] = []
        for second in stretches.joined() where !second.heard.isEmpty {
            let row = row(of: second)
            var (best, next) = (Double.infinity, Double.infinity)
            for spot in table.zones.indices where !table.isWhole[spot] {
                let residual = table.evidence(
                    of: spot, heard: row, isListening: isListening, presence: 1
                ).residual
                next = min(next, max(best, residual))
                best = min(best, residual)
            }
            usual.append(best / Double(second.heard.count))
            if next < .infinity { strange.append(next / Double(second.heard.count)) }
        }
        let median = max(Self.median(usual.sorted()) ?? 1, 0.1)
        // A sole spot knows nothing of strange ones.
        return PlaceModel.Fit(
            usual: median, strange: max(Self.median(strange.sorted()) ?? 0, 1.1 * median))
    }

    /// Of a sorted list.
    private static func median(_ sorted: [Double]) -> Double? {
        guard !sorted.isEmpty else { return nil }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}

extension Survey {
    /// The length in seconds of the parts of a stretch that are held back in turn.
    private static let part = 20
    private static let turns = 5
    /// The seconds in a row by which a place is judged, as the filter weighs them.
    private static let window = 5

    /// How often places are taken for each other: parts of the survey are held back in turn, and the
    /// model of the rest says of each of their seconds, from it and the four before, where it was.
    package func confusion() -> Confusion {
        var places: [Place] = []
        for second in stretches.joined() where !places.contains(second.place) {
            places.append(second.place)
        }
        places.sort()
        var seconds = places.map { _ in places.map { _ in 0 } }
        var parts: [[Second]] = []
        for stretch in stretches {
            for start in Swift.stride(from: 0, to: stretch.count, by: Self.part) {
                parts.append(Array(stretch[start..<min(start + Self.part, stretch.count)]))
            }
        }
        for turn in 0..<Self.turns {
            let held = parts.indices.filter { $0 % Self.turns == turn }.map { parts[$0] }
            let rest = parts.indices.filter { $0 % Self.turns != turn }.map { parts[$0] }
            guard let model = Survey(ears: ears, stretches: rest).model(revision: 0) else {
                continue
            }
            let table = SpotTable(model, zones: places, ears: ears)
            for part in held { judge(part, by: table, places, &seconds) }
        }
        return Confusion(places: places, seconds: seconds)
    }

    private func judge(
        _ part: [Second], by table: SpotTable, _ places: [Place], _ seconds: inout [[Int]]
    ) {
        let isListening = ears.map { _ in true }
        var recent: [[Double]] = []
        for second in part {
            // A place of which nothing is left to learn from cannot be named.
            guard let place = places.firstIndex(of: second.place), table.count[place] > 0,
                !second.heard.isEmpty
            else { continue }
            var terms = places.map { _ in -Double.infinity }
            for spot in table.zones.indices {
                let evidence = table.evidence(
                    of: spot, heard: row(of: second), isListening: isListening, presence: 1)
                let term = evidence.levels + evidence.silence
                terms[table.zones[spot]] = max(terms[table.zones[spot]], term)
            }
            recent.append(terms)
            if recent.count > Self.window { recent.removeFirst() }
            var best = (place: 0, sum: -Double.infinity)
            for candidate in places.indices {
                let sum = recent.reduce(0) { $0 + $1[candidate] }
                if sum > best.sum { best = (candidate, sum) }
            }
            seconds[place][best.place] += 1
        }
    }
}

extension Confusion {
    /// The share of seconds that were taken for the right place.
    package var accuracy: Double {
        let all = seconds.joined().reduce(0, +)
        let right = places.indices.reduce(0) { $0 + seconds[$1][$1] }
        return all > 0 ? Double(right) / Double(all) : 0
    }

    /// The share of a place's seconds that were taken for the right one, `nil` without any.
    package func accuracy(of place: Int) -> Double? {
        let all = seconds[place].reduce(0, +)
        return all > 0 ? Double(seconds[place][place]) / Double(all) : nil
    }
}
