import Basics
import SiteModel

/// What levels a place should have where coordinates are known: the log-distance model from a few points
/// of each place, whatever power the device sends with.
///
///     level = power − 20·log₁₀ max(d, 1 m) − 4 dB if the ear belongs to another place − 14 dB a ceiling
///
/// The power is the robust mean of what is left over, so that neither the tag nor the way it is carried
/// needs to be known. Levels scatter about it as Student's t with four degrees of freedom and a scale of
/// 6 dB. Alone it is worse than the loudest ear; mixed with it, it helps (DESIGN, “Locating”).
package struct Geometry: Sendable {
    static let wall = 4.0
    /// What a ceiling takes away, in dB, and how far storeys lie apart, in metres. The loss is that of an office at
    /// 2.4 GHz (Recommendation ITU-R P.1238, floor penetration loss).
    static let (ceiling, storey) = (14.0, 3.0)
    static let scale = 6.0
    static let pointsPerZone = 2
    /// Below this nothing is heard, in dBm.
    static let floor = -105.0
    /// Of the grid the points are chosen from, in metres.
    static let grid = 0.5

    /// By zone, then point, then ear: what is lost on the way, in dB; `nil` of an ear whose position is
    /// not known. Empty for a zone nothing is known of.
    private let losses: [[[Double?]]]

    /// Whether there is anything to judge by: two places and three ears with coordinates.
    let isUseful: Bool

    /// The geometry of zones with given points and ears with given positions. `storeys`: on which each zone is.
    init(points: [[Position]], ears: [(position: Position?, zone: Int?)], storeys: [Int] = []) {
        func storey(_ zone: Int?) -> Int {
            zone.flatMap { storeys.indices.contains($0) ? storeys[$0] : nil } ?? 0
        }
        losses = points.enumerated().map { zone, points in
            points.map { point in
                ears.map { ear in
                    guard let position = ear.position else { return nil }
                    let (dx, dy) = (position.x - point.x, position.y - point.y)
                    let ceilings = Double(abs(storey(ear.zone) - storey(zone)))
                    let dz = ceilings * Self.storey
                    let distance = max((dx * dx + dy * dy + dz * dz).squareRoot(), 1)
                    return 20 * Exponential.log10(distance) + ceilings * Self.ceiling
                        + (ear.zone == zone ? 0 : Self.wall)
                }
            }
        }
        let known = ears.reduce(0) { $0 + ($1.position == nil ? 0 : 1) }
        isUseful = known >= 3 && points.reduce(0) { $0 + ($1.isEmpty ? 0 : 1) } >= 2
    }

    /// The logarithm of how likely the levels of the ears are in a zone, or `nil` if nothing is known of
    /// it or of the ears that heard.
    func evidence(of zone: Int, levels: [Double?], isUsable: [Bool]) -> Double? {
        var best = -Double.infinity
        var sum = 0.0
        for losses in losses[zone] {
            guard let evidence = Self.evidence(losses, levels, isUsable) else { return nil }
            // A running log-sum-exp, so that nothing is stored.
            if evidence > best {
                sum = sum * Exponential.exp(best - evidence) + 1
                best = evidence
            } else {
                sum += Exponential.exp(evidence - best)
            }
        }
        return sum > 0 ? best + Exponential.ln(sum / Double(losses[zone].count)) : nil
    }

    private static func evidence(
        _ losses: [Double?], _ levels: [Double?], _ isUsable: [Bool]
    ) -> Double? {
        var power = 0.0
        var count = 0.0
        for ear in levels.indices {
            guard let level = levels[ear], let loss = losses[ear] else { continue }
            power += level + loss
            count += 1
        }
        guard count > 0 else { return nil }
        power /= count
        // A round of reweighting: what is far off counts little, as under Student's t.
        var (sum, weights) = (0.0, 0.0)
        for ear in levels.indices {
            guard let level = levels[ear], let loss = losses[ear] else { continue }
            let z = (level + loss - power) / scale
            let weight = 1 / (1 + z * z / 4)
            sum += weight * (level + loss)
            weights += weight
        }
        power = sum / weights
        var product = 1.0
        var evidence = 0.0
        for ear in levels.indices {
            guard isUsable[ear], let loss = losses[ear] else { continue }
            // Who hears nothing should not expect much.
            let difference = levels[ear].map { $0 + loss - power } ?? min(floor + loss - power, 0)
            let z = difference / scale
            product *= 1 + z * z / 4
            if product > 1e200 {
                evidence -= 2.5 * Exponential.ln(product)
                product = 1
            }
        }
        return evidence - 2.5 * Exponential.ln(product)
    }
}
