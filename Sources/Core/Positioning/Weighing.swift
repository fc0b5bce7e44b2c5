import Basics
import SiteModel

/// How much each kind of evidence counts in a second. Reasons and figures: `DESIGN.md`, “Locating”.
package enum Weights {
    /// Of a dB of difference between the levels of two places, without and with geometry.
    package static let level = 0.4
    static let levelBesideGeometry = 0.3
    /// No difference counts for more than this, in dB.
    package static let most = 12.0
    /// Of path loss.
    package static let geometry = 0.5
    /// Of learned spots: successive seconds are not independent.
    package static let spot = 0.85
    /// Of a dB of difference beside spots, from the second on, and at most.
    static let levelBesideSpots = 1.0
    static let leastBesideSpots = 2.0
    static let mostBesideSpots = 6.0
    /// What all of it counts where spots do not fit.
    package static let strange = 0.6
    /// What the place as a whole counts beside its spots, where they fit and where they do not.
    package static let whole = 0.2
    static let wholeOfStrange = 0.9
    /// What a place whose ears are dead lacks to the loudest, in dB, at least.
    static let neutral = 1.5
    /// How loud a dead ear might be, in dBm.
    package static let unknown = -75.0
    /// What spots may say against a place in a second where they do not fit.
    static let spotMost = 2.0
    /// Over how many seconds the fit is averaged, and the rate of hearing.
    static let fitSeconds = 16.0
    static let rateSeconds = 20.0
    /// How many ears have fitted as usual before anything is known.
    static let fitPrior = 6.0
    /// How strange seconds are when the level begins to count, and counts fully: 0 is as usual, 1 an
    /// unknown spot.
    package static let fits = 0.45
    static let fitsNot = 0.85
}

/// Weighs one second: what the loudness of ears, path loss and learned spots say of each zone.
///
/// Holds what of a plan that rests on, and room for the numbers of the second weighed last.
struct Weighing: Sendable {
    let zones: [Place]
    /// Fixed nodes in the order of the plan, then beacons that are fixed somewhere.
    let ears: [Ear]
    let zoneOfEar: [Int]
    /// `nil` for a fixed beacon.
    let nodeOfEar: [Int?]
    /// The zones that have an ear, and those that were taught or inferred.
    let isEared: [Bool]
    let isTaught: [Bool]
    let method: LocatingPolicy.Method
    let spots: SpotTable?
    let geometry: Geometry?
    let steady = ZoneLevels()
    /// By zone, how much levels may say beside spots when they name it.
    let says: [Double]
    /// How much what is heard counts for the user weighed, above 0 ... 1.
    var calm = 1.0
    var scratch: Scratch

    /// What weighs for a plan with the places and ears of a table.
    init(plan: Plan, table: ZoneTable, policy: LocatingPolicy) {
        zones = table.zones
        ears = table.ears
        zoneOfEar = table.zoneOfEar
        nodeOfEar = table.nodeOfEar
        isEared = table.isEared
        method = policy.method
        let model = policy.usesSpots ? plan.model : nil
        let spots = model.map { learned in
            var model = learned
            model.spots += InferredSpots.of(learned, for: table)
            return SpotTable(model, zones: table.zones, ears: table.ears)
        }
        self.spots = (spots?.zones.isEmpty ?? true) ? nil : spots
        isTaught = table.zones.indices.map { spots?.count[$0] ?? 0 > 0 }
        geometry = table.geometry(of: plan)
        says = table.zones.map { LevelTrust.say(at: $0, plan.model?.trial) }
        scratch = Scratch(zones: table.zones.count, ears: table.ears.count)
    }

    /// One second: somebody may have moved, and something may have been heard; returns whether it was.
    mutating func weigh(
        _ devices: [Int], at second: Int64, _ received: Reception,
        _ belief: inout BeliefLog.Belief
    ) -> Bool {
        let count = Double(zones.count)
        if count > 1 {
            let come = Locating.moving / (count - 1)
            for zone in zones.indices {
                let p = belief.probabilities[zone]
                belief.probabilities[zone] = p * (1 - Locating.moving) + (1 - p) * come
            }
        }
        // A second in which nobody is heard says nothing of where.
        guard listen(to: devices, at: second, received, grace: grace(belief)) else {
            return false
        }
        weighLevels()
        belief.spotWeight = 0
        if let spots { weighSpots(spots, devices, second, received, &belief) }
        let doubt = 1 - belief.spotWeight
        let freshness = spots == nil ? freshness(of: devices, second, received, &belief) : 1
        var best = -Double.infinity
        for zone in zones.indices {
            var term = scratch.zoneTerms[zone]
            if spots == nil {
                term *= freshness
            } else {
                // Where spots fit, they alone count; the less they do, the less they may say.
                term =
                    (1 - belief.strangeness + belief.strangeness * Weights.strange)
                    * (doubt * term
                        + max(scratch.spotTerms[zone], -Weights.spotMost / max(doubt, 1e-3)))
            }
            scratch.zoneTerms[zone] = term * calm
            best = max(best, term * calm)
        }
        var sum = 0.0
        for zone in zones.indices {
            // Never quite nothing, or a place could not be believed again.
            let p =
                belief.probabilities[zone] * Exponential.exp(scratch.zoneTerms[zone] - best) + 1e-9
            belief.probabilities[zone] = p
            sum += p
        }
        for zone in zones.indices { belief.probabilities[zone] /= sum }
        weighNow(best: best)
        return true
    }

    /// What this second alone says. The errors of a spot do not average out, so that a filter which
    /// weighs one second after the other is too sure of itself.
    private mutating func weighNow(best: Double) {
        var sum = 0.0
        for zone in zones.indices {
            scratch.now[zone] = Exponential.exp(scratch.zoneTerms[zone] - best)
            sum += scratch.now[zone]
        }
        for zone in zones.indices { scratch.now[zone] /= sum }
    }

    /// After how many silent seconds a level sinks: later where a device is heard seldom.
    func grace(_ belief: BeliefLog.Belief) -> Double {
        guard spots == nil, belief.expected > 0 else { return Double(ZoneLevels.sinksAfter) }
        let rate = min(max(belief.heard / belief.expected, 0.1), 1)
        return min(Double(ZoneLevels.sinksAfter) / rate, ZoneLevels.mostGrace)
    }

    /// How much of what is known of the devices is of this second, 0 ... 1, and how often they are
    /// heard of late.
    private func freshness(
        of devices: [Int], _ second: Int64, _ received: Reception,
        _ belief: inout BeliefLog.Belief
    ) -> Double {
        var heard = 0.0
        var known = 0.0
        for ear in ears.indices where scratch.steady[ear] != nil {
            known += 1
            let isHeard = devices.contains {
                received.logs[$0]?.level(ear: ear, second: second) != nil
            }
            if isHeard || nodeOfEar[ear].map({ received.isSparse[$0] }) ?? false { heard += 1 }
        }
        belief.seconds += 1
        let step = max(1 / Weights.rateSeconds, 1 / belief.seconds)
        belief.heard += step * (heard - belief.heard)
        belief.expected += step * (known - belief.expected)
        return min(heard / max(known, 1), 1).squareRoot()
    }

    /// What the loudness of its ears and path loss say of each place, relative to the best.
    private mutating func weighLevels() {
        var loudest = -Double.infinity
        for zone in zones.indices { loudest = max(loudest, scratch.levels[zone]) }
        let perDecibel = geometry == nil ? Weights.level : Weights.levelBesideGeometry
        for zone in zones.indices {
            let level =
                isEared[zone] && scratch.isEared[zone]
                ? scratch.levels[zone] : borrowedLevel(of: zone)
            scratch.zoneTerms[zone] =
                if let level {
                    spots == nil
                        ? perDecibel * max(level - loudest, -Weights.most)
                        : -min(
                            Weights.levelBesideSpots
                                * max(loudest - level - Weights.leastBesideSpots, 0),
                            Weights.mostBesideSpots)
                } else if isEared[zone] {
                    // Its ears are dead. They might hear as loudly as one does from across a room:
                    // who is heard no louder by others may well be there, who is hardly is.
                    perDecibel
                        * min(max(Weights.unknown - loudest, -Weights.most), -Weights.neutral)
                } else {
                    // Without an ear and without having been taught a place cannot be found.
                    -1000
                }
        }
        guard spots == nil, let geometry else { return }
        var best = -Double.infinity
        for zone in zones.indices {
            scratch.spotTerms[zone] =
                geometry.evidence(
                    of: zone, levels: scratch.steady, isUsable: scratch.isUsable) ?? -.infinity
            best = max(best, scratch.spotTerms[zone])
        }
        guard best > -.infinity else { return }
        for zone in zones.indices {
            scratch.zoneTerms[zone] +=
                Weights.geometry * max(scratch.spotTerms[zone] - best, -100)
        }
    }

    /// The level of the ear that is loudest at a place which has none of its own.
    private func borrowedLevel(of zone: Int) -> Double? {
        guard let spots else { return nil }
        var best: (ear: Int, median: Double)?
        for spot in spots.zones.indices where spots.zones[spot] == zone && spots.isWhole[spot] {
            for ear in ears.indices where scratch.isUsable[ear] {
                guard let level = spots.level(spot: spot, ear: ear) else { continue }
                if level.median > best?.median ?? -.infinity { best = (ear, level.median) }
            }
        }
        return best.map { scratch.steady[$0.ear] ?? -200 }
    }

    /// What the learned spots say of each place, relative to the best, and how much that counts.
    private mutating func weighSpots(
        _ spots: SpotTable, _ devices: [Int], _ second: Int64, _ received: Reception,
        _ belief: inout BeliefLog.Belief
    ) {
        for zone in zones.indices { scratch.spotTerms[zone] = 0 }
        let kept = Exponential.exp(-1 / Weights.fitSeconds)
        if belief.ears == 0 {
            belief.ears = Weights.fitPrior
            belief.residual = Weights.fitPrior
        }
        var weighed = 0.0
        for device in devices where received.logs[device]?.isHeard(in: second) ?? false {
            listen(to: device, in: second, received)
            var heard = 0.0
            for ear in ears.indices where scratch.heard[ear] != nil && spots.isKnown[ear] {
                heard += 1
            }
            guard heard > 0 else { continue }
            subtractOffsets()
            let presence =
                belief.expected > 0 ? min(belief.heard / max(belief.expected, 1e-6), 1) : 1
            var least = Double.infinity
            var likeliest = (spot: 0, term: -Double.infinity)
            for zone in zones.indices {
                scratch.spotSums[zone] = 0
                scratch.bestTerms[zone] = -.infinity
                scratch.wholes[zone] = -.infinity
            }
            scratch.second.fill(
                heard: scratch.heard, isListening: scratch.isListening, presence: presence)
            for spot in spots.zones.indices {
                let evidence = spots.evidence(of: spot, in: scratch.second)
                let zone = spots.zones[spot]
                let term = evidence.levels + evidence.silence
                if spots.isWhole[spot] {
                    scratch.wholes[zone] = term
                    continue
                }
                // Whether a second fits what was taught, no guess can tell.
                if !spots.isInferred[spot] { least = min(least, evidence.residual) }
                // A running sum of exponentials, relative to the largest.
                let most = scratch.bestTerms[zone]
                if term > most {
                    let old = scratch.spotSums[zone]
                    scratch.spotSums[zone] = old > 0 ? old * Exponential.exp(most - term) + 1 : 1
                    scratch.bestTerms[zone] = term
                    scratch.bestSpots[zone] = spot
                    if term > likeliest.term { likeliest = (spot, term) }
                } else {
                    scratch.spotSums[zone] += Exponential.exp(term - most)
                }
            }
            belief.ears = belief.ears * kept + heard
            belief.residual = belief.residual * kept + min(least / spots.fit.usual, 6 * heard)
            let doubt = doubt(of: belief, spots.fit)
            let whole = Weights.whole + doubt * (Weights.wholeOfStrange - Weights.whole)
            let (logWhole, logRest) = (Exponential.ln(whole), Exponential.ln(1 - whole))
            var best = -Double.infinity
            for zone in zones.indices where isTaught[zone] {
                let mean =
                    scratch.bestTerms[zone] + Exponential.ln(scratch.spotSums[zone])
                    - spots.logCount[zone]
                scratch.wholes[zone] = Exponential.lnSum(
                    mean + logRest, scratch.wholes[zone] + logWhole)
                best = max(best, scratch.wholes[zone])
            }
            for zone in zones.indices {
                scratch.spotTerms[zone] += Weights.spot * max(scratch.wholes[zone] - best, -100)
            }
            // How much less often it is heard than when the places were learned.
            let expected = spots.expected(at: likeliest.spot, isListening: scratch.isListening)
            belief.seconds += 1
            let step = max(1 / Weights.rateSeconds, 1 / belief.seconds)
            belief.heard += step * (heard - belief.heard)
            belief.expected += step * (expected - belief.expected)
            weighed += 1
        }
        scratch.devices = Int(weighed)
        guard weighed > 0 else { return }
        // Several beacons of one person are no independent witnesses.
        let share = 1 / weighed.squareRoot()
        for zone in zones.indices {
            scratch.spotTerms[zone] = isTaught[zone] ? scratch.spotTerms[zone] * share : -10
        }
        let named = named
        belief.strangeness = doubt(of: belief, spots.fit)
        belief.spotWeight = 1 - belief.strangeness * says[named]
    }

    /// The zone whose ear is the loudest in the second weighed last.
    var named: Int {
        var named = 0
        for zone in zones.indices where scratch.levels[zone] > scratch.levels[named] {
            named = zone
        }
        return named
    }

    /// How little the spots fit, 0 ... 1.
    private func doubt(of belief: BeliefLog.Belief, _ fit: PlaceModel.Fit) -> Double {
        guard method != .spot else { return 0 }
        let distance = belief.residual / belief.ears * fit.usual
        let strangeness = (distance - fit.usual) / max(fit.strange - fit.usual, 0.1 * fit.usual)
        return min(max((strangeness - Weights.fits) / (Weights.fitsNot - Weights.fits), 0), 1)
    }
}
