import SiteModel

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

    /// The model of these places, or `nil` if no second is known in which anything was heard.
    package func model(revision: Int64) -> PlaceModel? {
        guard var model = learned(from: stretches, revision: revision) else { return nil }
        model.fit = fit(of: model)
        return model
    }

    private func learned(from stretches: [[Second]], revision: Int64) -> PlaceModel? {
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
