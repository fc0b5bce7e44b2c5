import SiteModel

extension Survey {
    /// Into how many parts stretches are dealt, of which one at a time is held back.
    private static let deals = 5
    /// The seconds in a row by which a place is judged.
    private static let memory = 5

    /// How often each engine is right at stretches nobody taught, by place, or `nil` if fewer than half
    /// of the places have a second stretch, or no ear has a home. Whole stretches are held back in
    /// turn: what is heard at one spot on one day repeats, so that parts of one would flatter.
    func trial(homes: (Ear) -> Place?) -> PlaceModel.Trial? {
        let homes = ears.map(homes)
        guard homes.contains(where: { $0 != nil }) else { return nil }
        var places: [Place] = []
        for second in stretches.joined() where !places.contains(second.place) {
            places.append(second.place)
        }
        places.sort()
        let zones = places + Set(homes.compactMap { $0 }).subtracting(places).sorted()
        let homeZones = homes.map { home in home.flatMap { zones.firstIndex(of: $0) } }
        // Stretches of a place are dealt like cards, so that each part has some of every place.
        var dealt = places.map { _ in 0 }
        var parts: [(part: Int, place: Int)] = []
        for stretch in stretches {
            guard let place = stretch.first.flatMap({ places.firstIndex(of: $0.place) }) else {
                parts.append((-1, -1))
                continue
            }
            parts.append((dealt[place] % Self.deals, place))
            dealt[place] += 1
        }
        var results = zones.map { PlaceModel.Trial.Result(place: $0) }
        for turn in 0..<Self.deals {
            let held = stretches.indices.filter {
                parts[$0].part == turn && dealt[parts[$0].place] > 1
            }
            let rest = stretches.indices.filter { parts[$0].part >= 0 && !held.contains($0) }
            guard !held.isEmpty,
                let model = learned(from: rest.map { stretches[$0] }, revision: 0)
            else { continue }
            let table = SpotTable(model, zones: zones, ears: ears)
            for index in held {
                judge(stretches[index], by: table, homeZones, &results)
            }
        }
        // What was tried at a few places only says nothing of the others.
        let tried = results.count { $0.seconds > 0 }
        guard tried > 0, tried * 2 >= places.count else { return nil }
        return PlaceModel.Trial(results: results.filter { $0.seconds > 0 || $0.misled > 0 })
    }

    private func judge(
        _ stretch: [Second], by table: SpotTable, _ homes: [Int?],
        _ results: inout [PlaceModel.Trial.Result]
    ) {
        let isListening = ears.map { _ in true }
        let steady = ZoneLevels()
        let count = (homes.compactMap { $0 } + table.zones).reduce(0) { max($0, $1 + 1) }
        var log = EarLog(width: ears.count)
        var recent: [(levels: [Double], spots: [Double])] = []
        for (index, second) in stretch.enumerated() where !second.heard.isEmpty {
            guard let place = table.zone(of: second.place) else { continue }
            let row = row(of: second)
            for ear in ears.indices {
                if let level = row[ear] { log.put(level, ear: ear, second: Int64(index)) }
            }
            var levels = Array(repeating: -Double.infinity, count: count)
            for ear in ears.indices {
                guard let home = homes[ear],
                    let level = steady.level(of: ear, in: log, at: Int64(index), grace: 3)?.level
                else { continue }
                levels[home] = max(levels[home], level)
            }
            let loudest = levels.reduce(-Double.infinity) { max($0, $1) }
            var spots = Array(repeating: -Double.infinity, count: count)
            for spot in table.zones.indices {
                let evidence = table.evidence(
                    of: spot, heard: row, isListening: isListening, presence: 1)
                let zone = table.zones[spot]
                spots[zone] = max(spots[zone], evidence.levels + evidence.silence)
            }
            recent.append(
                (loudest > -.infinity ? levels.map { max($0 - loudest, -12) } : levels, spots))
            if recent.count > Self.memory { recent.removeFirst() }
            results[place].seconds += 1
            if let named = Self.best(recent.map(\.levels)) {
                if named == place {
                    results[place].levels += 1
                } else {
                    results[named].misled += 1
                }
            }
            if Self.best(recent.map(\.spots)) == place { results[place].spots += 1 }
        }
    }

    /// What rows by zone add up to most for, `nil` where there is nothing to add.
    private static func best(_ rows: [[Double]]) -> Int? {
        var best: (zone: Int, sum: Double)?
        for zone in rows[0].indices {
            let sum = rows.reduce(0) { $0 + $1[zone] }
            if sum > best?.sum ?? -.infinity { best = (zone, sum) }
        }
        return best?.zone
    }
}
