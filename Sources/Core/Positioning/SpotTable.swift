import Basics
import SiteModel

/// A learned model prepared for evaluation: rows of numbers by spot and receiver, in the order of a
/// plan.
package struct SpotTable: Sendable {
    /// By how much wider levels scatter below the median where nothing was held back: a body turned
    /// the other way takes away, and somebody who stood there once did not turn. In simulation, taught
    /// by one stand each, accuracy rises from .870 to .878 and flaps fall from 2.96 to 2.72.
    private static let belowUntried = 1.5

    /// What one ear hears at one spot.
    struct Level: Sendable {
        var median: Double
        var inverseScale: Double
        /// The logarithm of the density at its peak, up to a constant.
        var peak: Double
        /// 0 of an ear that the spot knows nothing of.
        var chance: Double
        /// Its logarithm.
        var logChance: Double

        fileprivate static let unknown = Level(
            median: 0, inverseScale: 0, peak: 0, chance: 0, logChance: 0)
    }

    /// What the ears that listened made of a device in one second, prepared for every spot to be held
    /// against it.
    struct Second: Sendable {
        /// The ears that heard it, and the levels in dBm.
        fileprivate var ears: [Int] = []
        fileprivate var levels: [Double] = []
        /// The ears that did not.
        fileprivate var silent: [Int] = []
        fileprivate var presence = 1.0
        fileprivate var logPresence = 0.0

        /// Replaces what it held. `presence` is by how much less often the device is heard now than when
        /// the model was learned, 0 ... 1.
        mutating func fill(heard: [Double?], isListening: [Bool], presence: Double) {
            ears.removeAll(keepingCapacity: true)
            levels.removeAll(keepingCapacity: true)
            silent.removeAll(keepingCapacity: true)
            for ear in heard.indices where isListening[ear] {
                if let level = heard[ear] {
                    ears.append(ear)
                    levels.append(level)
                } else {
                    silent.append(ear)
                }
            }
            self.presence = max(presence, 0.001)
            logPresence = Exponential.ln(self.presence)
        }
    }

    /// What a second says of a spot.
    struct Evidence {
        /// The logarithm of the density of the levels heard.
        var levels = 0.0
        /// The logarithm of the chance of hearing just these ears.
        var silence = 0.0
        /// The sum over the ears heard of how far off they are, in scales.
        var residual = 0.0
    }

    /// By spot, the zone it belongs to.
    let zones: [Int]
    /// By spot, whether it stands for the whole of its zone.
    let isWhole: [Bool]
    /// By spot, whether nobody stood there.
    let isInferred: [Bool]
    /// By zone, the number of its spots proper.
    let count: [Int]
    let logCount: [Double]
    /// By ear, whether the model knows it: not one that was hung up after it was learned.
    let isKnown: [Bool]
    let fit: PlaceModel.Fit
    let revision: Int64
    private let width: Int
    private let places: [Place]
    private let levels: [Level]
    /// What is left of how far a level below the median is off, in scales.
    private let below: Double

    /// A model for the zones and ears of a plan; ears it does not know are left out.
    init(_ model: PlaceModel, zones: [Place], ears: [Ear]) {
        let spots = model.spots.compactMap { spot in
            zones.firstIndex(of: spot.place).map { (zone: $0, levels: spot.levels, spot: spot) }
        }
        isWhole = spots.map(\.spot.isWhole)
        isInferred = spots.map { $0.spot.seconds == 0 }
        self.zones = spots.map(\.zone)
        count = zones.indices.map { zone in
            spots.reduce(0) { $0 + ($1.zone == zone && !$1.spot.isWhole ? 1 : 0) }
        }
        logCount = count.map { Exponential.ln(Double(max($0, 1))) }
        isKnown = ears.map { ear in
            model.spots.contains { $0.levels.contains { $0.ear == ear } }
        }
        fit = model.fit
        revision = model.revision
        width = ears.count
        places = zones
        below = model.trial == nil ? 1 / Self.belowUntried : 1
        levels = spots.flatMap { spot in
            ears.map { ear in
                spot.levels.first { $0.ear == ear }.map {
                    let chance = min(max($0.chance, 0.001), 0.98)
                    return Level(
                        median: $0.median, inverseScale: 1 / $0.scale,
                        peak: -Exponential.ln($0.scale), chance: chance,
                        logChance: Exponential.ln(chance))
                } ?? .unknown
            }
        }
    }

    /// The zone of a place, or `nil` if that has none.
    func zone(of place: Place) -> Int? { places.firstIndex(of: place) }

    func level(spot: Int, ear: Int) -> Level? {
        let level = levels[spot * width + ear]
        return level.chance > 0 ? level : nil
    }

    /// What the levels of one second say of a spot.
    func evidence(of spot: Int, in second: Second) -> Evidence {
        var evidence = Evidence()
        let first = spot * width
        // A product instead of a sum of logarithms: one logarithm a spot, not one an ear.
        var tails = 1.0
        var count = 0.0
        for index in second.ears.indices {
            let level = levels[first + second.ears[index]]
            guard level.chance > 0 else { continue }
            let difference = second.levels[index] - level.median
            let z = difference * level.inverseScale * (difference < 0 ? below : 1)
            evidence.residual += abs(z)
            tails *= 1 + z * z / 4
            evidence.levels += level.peak
            evidence.silence += level.logChance
            count += 1
            if tails > 1e200 {
                evidence.levels -= 2.5 * Exponential.ln(tails)
                tails = 1
            }
        }
        evidence.levels -= 2.5 * Exponential.ln(tails)
        evidence.silence += count * second.logPresence
        guard !second.silent.isEmpty else { return evidence }
        var chances = 1.0
        for ear in second.silent {
            let level = levels[first + ear]
            guard level.chance > 0 else { continue }
            chances *= 1 - level.chance * second.presence
            if chances < 1e-200 {
                evidence.silence += Exponential.ln(chances)
                chances = 1
            }
        }
        evidence.silence += Exponential.ln(chances)
        return evidence
    }

    /// The same of one second by ear. `presence` is by how much less often the device is heard now than
    /// when the model was learned, 0 ... 1.
    func evidence(
        of spot: Int, heard: [Double?], isListening: [Bool], presence: Double
    ) -> Evidence {
        var second = Second()
        second.fill(heard: heard, isListening: isListening, presence: presence)
        return evidence(of: spot, in: second)
    }

    /// How many ears a spot expects to hear a device in a second.
    func expected(at spot: Int, isListening: [Bool]) -> Double {
        var sum = 0.0
        for ear in 0..<width where isListening[ear] {
            sum += level(spot: spot, ear: ear)?.chance ?? 0
        }
        return sum
    }
}

/// Tells the spots of a place apart by what is heard there: groups of seconds that are alike.
///
/// The group with the largest squared error is cut in two across the direction in which its seconds
/// differ most, and stays cut if the halves are truly different: 3.5 dB at each ear in the root mean
/// square, and 20 seconds each. Cutting on regardless splits noise, and beginning with the farthest
/// seconds makes spots of outliers; both were worse on recordings.
enum SpotClusters {
    static let most = 8
    static let leastSeconds = 20
    static let leastDistance = 3.5
    private static let rounds = 25

    /// The rows of each group, by index.
    static func members(of rows: [[Double]]) -> [[Int]] {
        var groups = [Array(rows.indices)]
        var isWhole = [false]
        while groups.count < most {
            var widest: (group: Int, error: Double)?
            for group in groups.indices
            where !isWhole[group] && groups[group].count >= 2 * leastSeconds {
                let error = error(of: groups[group], rows)
                if error > widest?.error ?? 0 { widest = (group, error) }
            }
            guard let group = widest?.group else { break }
            guard let halves = halves(of: groups[group], rows) else {
                isWhole[group] = true
                continue
            }
            groups[group] = halves.0
            groups.append(halves.1)
            isWhole.append(false)
            groups = settled(groups, rows)
        }
        return groups.filter { !$0.isEmpty }
    }

    /// Two halves of a group, or `nil` if they would be alike or too small.
    private static func halves(of group: [Int], _ rows: [[Double]]) -> ([Int], [Int])? {
        let centre = mean(of: group, rows)
        let offsets = group.map { row in rows[row].indices.map { rows[row][$0] - centre[$0] } }
        var direction = offsets[0]
        for offset in offsets where square(offset) > square(direction) { direction = offset }
        for _ in 0..<30 {
            var next = centre.map { _ in 0.0 }
            for offset in offsets {
                let share = product(offset, direction)
                for index in next.indices { next[index] += share * offset[index] }
            }
            let size = square(next).squareRoot() + 1e-12
            direction = next.map { $0 / size }
        }
        let isFirst = offsets.map { product($0, direction) > 0 }
        let cut = [true, false].map { side in
            group.indices.filter { isFirst[$0] == side }.map { group[$0] }
        }
        guard cut.allSatisfy({ !$0.isEmpty }) else { return nil }
        let halves = settled(cut, rows)
        guard halves.allSatisfy({ $0.count >= leastSeconds }) else { return nil }
        let distance = distance(mean(of: halves[0], rows), mean(of: halves[1], rows))
        guard (distance / Double(centre.count)).squareRoot() >= leastDistance else { return nil }
        return (halves[0], halves[1])
    }

    /// The groups after each row has gone to the nearest centre, again and again.
    private static func settled(_ groups: [[Int]], _ rows: [[Double]]) -> [[Int]] {
        var groups = groups
        let members = groups.joined().sorted()
        var centres = groups.map { mean(of: $0, rows) }
        for _ in 0..<rounds {
            var next: [[Int]] = centres.map { _ in [] }
            for row in members {
                var best = (group: 0, distance: Double.infinity)
                for group in centres.indices {
                    let distance = distance(rows[row], centres[group])
                    if distance < best.distance { best = (group, distance) }
                }
                next[best.group].append(row)
            }
            if next == groups { break }
            groups = next
            for group in centres.indices where !groups[group].isEmpty {
                centres[group] = mean(of: groups[group], rows)
            }
        }
        return groups
    }

    private static func error(of group: [Int], _ rows: [[Double]]) -> Double {
        let centre = mean(of: group, rows)
        return group.reduce(0) { $0 + distance(rows[$1], centre) }
    }

    private static func mean(of group: [Int], _ rows: [[Double]]) -> [Double] {
        var sum = rows[group[0]].map { _ in 0.0 }
        for row in group {
            for index in sum.indices { sum[index] += rows[row][index] }
        }
        return sum.map { $0 / Double(group.count) }
    }

    private static func distance(_ a: [Double], _ b: [Double]) -> Double {
        var sum = 0.0
        for index in a.indices { sum += (a[index] - b[index]) * (a[index] - b[index]) }
        return sum
    }

    private static func square(_ vector: [Double]) -> Double { product(vector, vector) }

    private static func product(_ a: [Double], _ b: [Double]) -> Double {
        var sum = 0.0
        for index in a.indices { sum += a[index] * b[index] }
        return sum
    }
}
