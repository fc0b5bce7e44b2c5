import SiteModel

// What one ear says, for whoever asks why.
extension Weighing {
    /// What an ear usually hears at the spot of a zone that fits best now.
    func expected(_ ear: Int, at zone: Int) -> Double? {
        bestSpot(of: zone).flatMap { spots?.level(spot: $0, ear: ear)?.median }
    }

    private func bestSpot(of zone: Int) -> Int? {
        guard let spots else { return nil }
        var best: (spot: Int, evidence: Double)?
        for spot in spots.zones.indices where spots.zones[spot] == zone {
            let evidence = spots.evidence(
                of: spot, heard: scratch.heard, isListening: scratch.isListening, presence: 1)
            let sum = evidence.levels + evidence.silence
            if sum > best?.evidence ?? -.infinity { best = (spot, sum) }
        }
        return best?.spot
    }

    /// The logarithm of what one ear's second counts for a zone.
    func support(of ear: Int, for zone: Int, spotWeight: Double) -> Double {
        var sum = 0.0
        if let spots, let spot = bestSpot(of: zone),
            let level = spots.level(spot: spot, ear: ear)
        {
            if let heard = scratch.heard[ear] {
                let z = (heard - level.median) * level.inverseScale
                sum +=
                    level.peak - 2.5 * Exponential.ln(1 + z * z / 4) + Exponential.ln(level.chance)
            } else if scratch.isListening[ear] {
                sum += Exponential.ln(1 - level.chance)
            }
            sum *= Weights.spot
        }
        guard zoneOfEar[ear] == zone, let steady = scratch.steady[ear] else { return sum }
        guard steady >= scratch.levels[zone] else { return sum }
        let loudest = scratch.levels.reduce(-Double.infinity) { max($0, $1) }
        guard spots == nil else {
            let least = max(loudest - steady - Weights.leastBesideSpots, 0)
            return sum - (1 - spotWeight) * min(least, Weights.mostBesideSpots)
        }
        let perDecibel = geometry == nil ? Weights.level : Weights.levelBesideGeometry
        return sum + perDecibel * max(steady - loudest, -Weights.most)
    }
}
