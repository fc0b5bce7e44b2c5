import SiteModel

/// A learned model prepared for evaluation: rows of numbers by spot and receiver, in the order of a
/// plan.
package struct SpotTable: Sendable {
    /// What one ear hears at one spot.
    struct Level: Sendable {
        var median: Double
        var inverseScale: Double
        /// The logarithm of the density at its peak, up to a constant.
        var peak: Double
        var chance: Double
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

    /// By spot, the zone it belongs to; sorted by zone.
    let zones: [Int]
    /// By spot, whether it stands for the whole of its zone.
    let isWhole: [Bool]
    /// By zone, the number of its spots proper.
    let count: [Int]
    let logCount: [Double]
    /// By ear, whether the model knows it: not one that was hung up after it was learned.
    let isKnown: [Bool]
    let fit: PlaceModel.Fit
    let revision: Int64
    private let width: Int
    private let levels: [Level?]

    /// A model for the zones and ears of a plan; ears it does not know are left out.
    init(_ model: PlaceModel, zones: [Place], ears: [Ear]) {
        let spots = model.spots.compactMap { spot in
            zones.firstIndex(of: spot.place).map { (zone: $0, levels: spot.levels, spot: spot) }
        }
        isWhole = spots.map(\.spot.isWhole)
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
        levels = spots.flatMap { spot in
            ears.map { ear in
                spot.levels.first { $0.ear == ear }.map {
                    Level(
                        median: $0.median, inverseScale: 1 / $0.scale,
                        peak: -Exponential.ln($0.scale), chance: $0.chance)
                }
            }
        }
    }

    func level(spot: Int, ear: Int) -> Level? { levels[spot * width + ear] }

    /// What the levels of one second say of a spot. `presence` is by how much less often the device
    /// is heard now than when the model was learned, 0 ... 1.
    func evidence(
        of spot: Int, heard: [Double?], isListening: [Bool], presence: Double
    ) -> Evidence {
        var evidence = Evidence()
        // Products instead of sums of logarithms: one logarithm a spot, not one an ear.
        var tails = 1.0
        var chances = 1.0
        for ear in 0..<width where isListening[ear] {
            guard let level = levels[spot * width + ear] else { continue }
            let chance = min(max(level.chance * presence, 0.001), 0.98)
            if let heard = heard[ear] {
                let z = (heard - level.median) * level.inverseScale
                evidence.residual += abs(z)
                tails *= 1 + z * z / 4
                evidence.levels += level.peak
                chances *= chance
            } else {
                chances *= 1 - chance
            }
            if tails > 1e200 || chances < 1e-200 {
                evidence.levels -= 2.5 * Exponential.ln(tails)
                evidence.silence += Exponential.ln(chances)
                (tails, chances) = (1, 1)
            }
        }
        evidence.levels -= 2.5 * Exponential.ln(tails)
        evidence.silence += Exponential.ln(chances)
        return evidence
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
