import SiteModel

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
            guard let place = places.firstIndex(of: second.place), !second.heard.isEmpty else {
                continue
            }
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
