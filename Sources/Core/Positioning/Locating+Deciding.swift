import Basics
import SiteModel

extension Locating {
    /// The margin of probability by which another place must win: 0.05 for the quickest site, 0.95
    /// for the calmest. A wrong room then costs as much as (1 + margin) / (1 − margin) late ones.
    var margin: Double { 0.95 - 0.9 * min(max(policy.quickness, 0), 1) }

    /// Keeps the decided place until another one wins, and says why it did.
    mutating func decide(
        _ user: Int, _ devices: [Int], heard: Reception.LastHeard, prior: BeliefLog.Belief,
        at now: Timestamp
    ) -> Fix? {
        let latest = whereabouts[user].beliefs.latest
        let grace = latest.map { weighing.grace($0) } ?? 3
        _ = weighing.listen(to: devices, at: now.second, received, grace: grace)
        let probabilities = whereabouts[user].probabilities
        var best = 0
        for zone in zones.indices where probabilities[zone] > probabilities[best] { best = zone }
        let old = whereabouts[user].zone
        guard let (zone, rule) = choice(devices, old: old, best: best, probabilities, now.second)
        else { return nil }
        if let old, old != zone {
            whereabouts[user].restlessness.moved(from: old, to: zone, at: now.second)
        }
        whereabouts[user].zone = zone
        let loudest = weighing.scratch.steady.reduce(-Double.infinity) { max($0, $1 ?? -.infinity) }
        let level =
            weighing.scratch.levels[zone] > -.infinity
            ? weighing.scratch.levels[zone] : max(loudest, -120)
        var fix = Fix(
            place: zones[zone],
            roomProbability: roomProbability(user: user, room: zones[zone].room),
            probability: told(user) { $0 == zone }, level: RSSI(dBm: level),
            heard: heard.at, isTaught: weighing.isTaught[zone], life: heard.life)
        if zone != old {
            fix.change = reasons(
                user, devices, rule: rule, from: old, to: zone, prior: prior, at: now)
        }
        return fix
    }

    /// The place by the rule in force, or `nil` while that rule has not decided any.
    private func choice(
        _ devices: [Int], old: Int?, best: Int, _ probabilities: [Double], _ second: Int64
    ) -> (zone: Int, rule: Reasons.Rule)? {
        switch policy.method {
        case .auto, .zoneLevel, .spot:
            guard let old else { return (best, .first) }
            return probabilities[best] - probabilities[old] > margin
                ? (best, .margin) : (old, .margin)
        case .nearest:
            var strongest: (ear: Int, level: Double)?
            for ear in weighing.ears.indices where weighing.scratch.isUsable[ear] {
                for device in devices {
                    guard let log = received.logs[device],
                        let level = log.level(ear: ear, second: log.newest),
                        level > strongest?.level ?? -.infinity
                    else { continue }
                    strongest = (ear, level)
                }
            }
            guard let strongest else { return old.map { ($0, .lost) } }
            return (weighing.zoneOfEar[strongest.ear], old == nil ? .first : .margin)
        case .threshold:
            return near(devices, old: old)
        }
    }

    /// The loudest place at or above the threshold; the old one holds down to 5 dB below it, and
    /// until another is near.
    private func near(_ devices: [Int], old: Int?) -> (zone: Int, rule: Reasons.Rule)? {
        let threshold =
            devices.filter { $0 < received.beacons.count }.map { thresholds[$0] }.min()
            ?? Self.usualThreshold
        if let old, weighing.scratch.levels[old] >= threshold - 5 { return (old, .margin) }
        var best: Int?
        for zone in zones.indices where weighing.scratch.levels[zone] >= threshold {
            if weighing.scratch.levels[zone] > best.map({ weighing.scratch.levels[$0] })
                ?? -.infinity
            {
                best = zone
            }
        }
        guard let best else { return old.map { ($0, .lost) } }
        return (best, old == nil ? .first : .margin)
    }

    /// What each ear said for the new place and against it. To be called right after `advance`.
    private mutating func reasons(
        _ user: Int, _ devices: [Int], rule: Reasons.Rule, from: Int?, to: Int,
        prior: BeliefLog.Belief, at now: Timestamp
    ) -> Reasons {
        let probabilities = whereabouts[user].probabilities
        var other: Int?
        for zone in zones.indices where zone != to {
            if probabilities[zone] > other.map({ probabilities[$0] }) ?? -1 { other = zone }
        }
        let weight = whereabouts[user].beliefs.latest?.spotWeight ?? 0
        // The offsets and the calm in force are those the second was weighed with.
        let shares = EarShares(
            of: devices, for: to, against: other, after: prior, at: now.second, received, &weighing
        ).shares
        let readings = shares.map { share in
            Reasons.Reading(
                ear: weighing.ears[share.ear],
                device: share.device < received.beacons.count
                    ? received.beacons[share.device].row
                    : nodes[share.device - received.beacons.count].id.row,
                level: share.level.map { RSSI(dBm: $0) }, age: .seconds(Double(share.age)),
                expected: share.usual, expectedAtRunnerUp: share.usualAtOther,
                support: max(share.logarithm, 0), against: max(-share.logarithm, 0))
        }
        return Reasons(
            user: users[user], at: now, rule: rule, from: from.map { zones[$0] }, to: zones[to],
            runnerUp: other.map { zones[$0] }, prior: prior.probabilities[to],
            runnerUpPrior: other.map { prior.probabilities[$0] } ?? 0,
            probability: probabilities[to],
            runnerUpProbability: other.map { probabilities[$0] } ?? 0, spotWeight: weight,
            model: weighing.spots?.revision, readings: readings)
    }
}

/// What a posterior is worth: the curve between what the filter states and how often it was right on
/// recordings, fitted offline. It is part of the version of the core: a recording replays with its own.
enum Confidence {
    /// Grows with each new curve.
    static let version = 4
    /// Nothing is ever told with more than this.
    static let most = 0.985
    /// Of the log-odds of all seconds together, what is told; what of that is taken away as spots do
    /// not fit (`strangeness` 1), and where levels name another place than spots.
    static let share = 0.5
    static let shareOfStrange = -0.25
    static let shareOfDisputed = -0.2
    /// The same of the lesser of these log-odds and those of the latest second alone.
    static let latest = 0.3
    static let latestOfStrange = 0.1
    /// What is this probable or improbable, is no more so: 0.999 and 0.0001.
    private static let logOdds = -9.2...6.9

    /// Where places were taught: a share of the log-odds of all seconds, `p`, and of those of the latest
    /// second alone, `now`, whose errors do not add up. `isDisputed`: levels name another place, and
    /// might have named this one.
    /// `calm`, 0 ... 1, is of who is said to go to and fro.
    ///
    /// The shares are a logistic regression over 75 cases, each counting the same, recordings held out and
    /// simulated sites; fitted without a place they do as well there, within 0.007 of the error.
    static func taught(
        _ p: Double, now: Double, strangeness: Double, isDisputed: Bool, calm: Double
    ) -> Double {
        guard p > 0 else { return 0 }
        let all = logOdds(of: p)
        let least = min(all, logOdds(of: now))
        let odds =
            (share + shareOfStrange * strangeness + (isDisputed ? shareOfDisputed : 0)) * all
            + (latest + latestOfStrange * strangeness) * least
        return min(1 / (1 + Exponential.exp(-odds * calm)), most)
    }

    private static func logOdds(of p: Double) -> Double {
        let q = min(max(p, 1e-9), 1 - 1e-9)
        return min(max(Exponential.ln(q / (1 - q)), logOdds.lowerBound), logOdds.upperBound)
    }

    /// Where none were: the geometric mean of what all seconds say and of what the latest says, its
    /// odds drawn in by `calm`.
    static func untaught(_ p: Double, now: Double, calm: Double) -> Double {
        let told = min(max(p * now, 0).squareRoot(), most)
        guard calm < 1, told > 0 else { return told }
        return 1 / (1 + Exponential.exp(-calm * Exponential.ln(told / (1 - told))))
    }
}
