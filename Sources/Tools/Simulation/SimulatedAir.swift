import Basics
import SiteModel

/// The radio between people who carry tags and the receivers of a floor plan.
///
///     level = −59 − 10·exponent·log₁₀ d − walls − bodies + reflections at the spot
///             + receiver + tag + shadow + fading − slow fade                             (dBm)
///
/// What belongs to the building (receivers' offsets, reflections) follows from the seed; what
/// belongs to a day (tags, a part of the reflections, everything that drifts) from seed and day.
struct SimulatedAir {
    private static let power = -59.0
    /// How far reflections stay alike, in metres.
    private static let grain = 0.6
    /// How near to a line a body is in the way, in metres.
    private static let girth = 0.3
    /// Levels that are surely and never received, as in `Air`.
    private static let surely = -85.0
    private static let never = -97.0
    private static let notchShare = 0.04
    private static let notch = 10.0
    private static let spike = 20.0
    private static let fadeLength = 30.0...90.0

    private struct Link {
        var shadow: Double
        /// The level without what drifts and without other people, of the present stance.
        var mean = 0.0
        var fade: (start: Double, end: Double)
    }

    private let plan: FloorPlan
    private let conditions: Conditions
    private let seed: UInt64
    private let day: UInt64
    private let offsets: [Double]
    private let skews: [Double]
    private let tags: [Double]
    /// The link of person p to receiver r, at `p * receivers + r`.
    private var links: [Link]
    private var stances: [Int?]
    private var waves: SeededRandom

    init(_ plan: FloorPlan, _ conditions: Conditions, people: Int, seed: UInt64, day: UInt64) {
        self.plan = plan
        self.conditions = conditions
        self.seed = seed
        self.day = day
        var building = SeededRandom(seed: seed, stream: 100)
        offsets = plan.receivers.map { _ in building.normal() * conditions.receiverOffset }
        skews = plan.receivers.map { _ in building.normal() * conditions.skew }
        var random = SeededRandom(seed: seed, stream: 200 + day)
        tags = (0..<people).map { _ in random.normal() * conditions.tagOffset }
        links = []
        for _ in 0..<people * plan.receivers.count {
            let fade = Self.fade(after: -120, conditions, &random)
            links.append(Link(shadow: random.normal() * conditions.shadow, fade: fade))
        }
        stances = (0..<people).map { _ in nil }
        waves = random
    }

    /// How far a receiver's clock is ahead, in seconds.
    func skew(of receiver: Int) -> Double { skews[receiver] }

    /// One packet: calls `heard` with each receiver that got it and the level in whole dBm.
    ///
    /// - Parameters:
    ///   - leg: the number of the present leg of this person's way, and the leg.
    ///   - others: where everybody else is.
    mutating func send(
        from person: Int, leg: (number: Int, leg: Itinerary.Leg), others: [Layout.Point],
        at moment: Double, elapsed: Double, _ heard: (Int, Double) -> Void
    ) {
        let point = leg.leg.position(at: moment)
        if stances[person] != leg.number || !leg.leg.isStay {
            move(person, to: point, facing: leg.leg.facing)
            stances[person] = leg.number
        }
        let memory = Exponential.exp(-elapsed / max(conditions.shadowTime, 0.001))
        let novelty = (1 - memory * memory).squareRoot() * conditions.shadow
        let first = person * plan.receivers.count
        for receiver in plan.receivers.indices {
            let link = first + receiver
            links[link].shadow = links[link].shadow * memory + waves.normal() * novelty
            while links[link].fade.end <= moment {
                links[link].fade = Self.fade(
                    after: links[link].fade.end, conditions, &waves)
            }
            var level =
                links[link].mean + links[link].shadow + waves.normal() * conditions.fading
                - crowd(others, between: point, and: plan.receivers[receiver].position)
            if links[link].fade.start <= moment { level -= conditions.slowFade }
            if waves.chance(Self.notchShare) { level -= Self.notch }
            let reach = min((level - Self.never) / (Self.surely - Self.never), 1)
            guard waves.chance((1 - conditions.loss) * reach) else { continue }
            guard !isDead(receiver, at: moment) else { continue }
            if waves.chance(conditions.spikes) { level += Self.spike }
            heard(receiver, min(max(level.rounded(), -127), 20))
        }
    }

    /// Whether a reading just heard comes twice.
    mutating func isTwice() -> Bool { waves.chance(conditions.duplication) }

    private func isDead(_ receiver: Int, at moment: Double) -> Bool {
        guard conditions.outages.indices.contains(receiver) else { return false }
        return conditions.outages[receiver].contains { $0.contains(moment) }
    }

    private mutating func move(
        _ person: Int, to point: Layout.Point, facing: Layout.Point
    ) {
        for (index, receiver) in plan.receivers.enumerated() {
            let (dx, dy) = (receiver.position.x - point.x, receiver.position.y - point.y)
            let floor = (dx * dx + dy * dy).squareRoot()
            let metres = (floor * floor + FloorPlan.height * FloorPlan.height).squareRoot()
            // 1 ahead, −1 behind, where the body is between tag and receiver.
            let ahead = floor > 0.05 ? (dx * facing.x + dy * facing.y) / floor : 1
            links[person * plan.receivers.count + index].mean =
                Self.power + offsets[index] + tags[person]
                - 10 * conditions.exponent * Exponential.log10(metres)
                - plan.loss(from: point, to: receiver.position)
                - conditions.body * (1 - ahead) / 2 + reflections(index, at: point)
        }
    }

    private func crowd(
        _ others: [Layout.Point], between point: Layout.Point, and receiver: Layout.Point
    ) -> Double {
        guard conditions.crowd > 0 else { return 0 }
        let (dx, dy) = (receiver.x - point.x, receiver.y - point.y)
        let length = (dx * dx + dy * dy).squareRoot()
        guard length > 0.5 else { return 0 }
        var sum = 0.0
        for other in others {
            let (ox, oy) = (other.x - point.x, other.y - point.y)
            let along = (ox * dx + oy * dy) / length
            guard along > Self.girth, along < length - Self.girth else { continue }
            if abs(ox * dy - oy * dx) / length < Self.girth { sum += conditions.crowd }
        }
        return sum
    }

    /// What reflections add for a receiver at a point: smooth over a grid of independent numbers.
    private func reflections(_ receiver: Int, at point: Layout.Point) -> Double {
        var sum = 0.0
        if conditions.multipath > 0 {
            sum += conditions.multipath * grid(receiver, stream: 0, at: point)
        }
        if conditions.otherDay > 0 {
            sum += conditions.otherDay * grid(receiver, stream: 1 + day, at: point)
        }
        return sum
    }

    private func grid(_ receiver: Int, stream: UInt64, at point: Layout.Point) -> Double {
        let (x, y) = (point.x / Self.grain, point.y / Self.grain)
        let (left, low) = (x.rounded(.down), y.rounded(.down))
        var (sum, squares) = (0.0, 0.0)
        for corner in 0..<4 {
            let (right, up) = (Double(corner % 2), Double(corner / 2))
            let weight = abs(1 - right - (x - left)) * abs(1 - up - (y - low))
            let column = UInt64(bitPattern: Int64(left + right))
            let line = UInt64(bitPattern: Int64(low + up))
            var dice = SeededRandom(
                seed: seed ^ (UInt64(receiver) << 40 | stream << 56),
                stream: column << 32 ^ line & 0xFFFF_FFFF)
            sum += weight * dice.normal()
            squares += weight * weight
        }
        // Between the corners several numbers are averaged; the deviation stays what it was.
        return sum / squares.squareRoot()
    }

    private static func fade(
        after moment: Double, _ conditions: Conditions, _ random: inout SeededRandom
    ) -> (start: Double, end: Double) {
        guard conditions.slowFades > 0 else { return (.infinity, .infinity) }
        // An exponential waiting time, by the logarithm of a uniform number.
        let wait = -60 / conditions.slowFades * Exponential.ln(max(random.unit(), 1e-12))
        let start = moment + wait
        return (start, start + random.number(in: fadeLength))
    }
}
