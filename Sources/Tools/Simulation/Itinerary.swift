import Basics

/// Where one person is at each moment of a recording, which way they face, and where they say they
/// are: stays of some minutes at spots, and walks between them.
///
/// Follows from the arguments alone; the radio changes nothing about it.
struct Itinerary: Equatable, Sendable {
    /// A stretch of time at an even pace along a straight line, or on one spot.
    struct Leg: Equatable, Sendable {
        /// In seconds.
        var from: Double
        var to: Double
        var start: Layout.Point
        var end: Layout.Point
        /// Which way the person faces, of length 1.
        var facing: Layout.Point
        /// The zone whose spot it is, `nil` on the way.
        var zone: Int?

        func position(at moment: Double) -> Layout.Point {
            guard to > from, moment > from else { return start }
            let part = min((moment - from) / (to - from), 1)
            return Layout.Point(
                start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part)
        }

        var isStay: Bool { zone != nil }
    }

    /// In order of time, without gaps.
    private(set) var legs: [Leg] = []

    /// How far from a spot people stand, in metres each way.
    private static let reach = 0.35
    /// How long they keep one posture, in seconds.
    private static let posture = 12.0...40.0
    /// The same of somebody who calibrates.
    private static let turn = 5.0...10.0

    /// Stays at random zones, each for a time within `dwell`, until `seconds` have passed.
    init(
        wandering plan: FloorPlan, dwell: ClosedRange<Double>, seconds: Double,
        _ random: inout SeededRandom
    ) {
        var zone = random.index(below: plan.zones.count)
        var spot = Self.spot(of: plan.zones[zone], &random)
        // Somebody has been here for a while: first stays do not all end at one time.
        stay(
            zone, at: spot, until: random.number(in: 0...1) * dwell.upperBound,
            posture: Self.posture, &random)
        while end < seconds {
            var next = zone
            if plan.zones.count > 1 {
                next = (zone + 1 + random.index(below: plan.zones.count - 1)) % plan.zones.count
            }
            let target = Self.spot(of: plan.zones[next], &random)
            walk(plan.way(from: plan.zones[zone].room, to: plan.zones[next].room) + [target])
            (zone, spot) = (next, target)
            stay(
                zone, at: spot, until: end + random.number(in: dwell), posture: Self.posture,
                &random)
        }
    }

    /// Stands `seconds` at each spot of each zone in turn, turning round, and nothing in between.
    init(visiting plan: FloorPlan, seconds: Double, _ random: inout SeededRandom) {
        for (zone, place) in plan.zones.enumerated() {
            for spot in place.spots {
                stay(zone, at: spot, until: end + seconds, posture: Self.turn, &random)
            }
        }
    }

    private var end: Double { legs.last?.to ?? 0 }

    private static func spot(
        of zone: FloorPlan.Zone, _ random: inout SeededRandom
    ) -> Layout.Point {
        zone.spots[random.index(below: zone.spots.count)]
    }

    private mutating func stay(
        _ zone: Int, at spot: Layout.Point, until: Double, posture: ClosedRange<Double>,
        _ random: inout SeededRandom
    ) {
        while end < until {
            let from = end
            let point = Layout.Point(
                spot.x + random.number(in: -Self.reach...Self.reach),
                spot.y + random.number(in: -Self.reach...Self.reach))
            legs.append(
                Leg(
                    from: from, to: min(from + random.number(in: posture), until),
                    start: point, end: point, facing: Self.direction(&random), zone: zone))
        }
    }

    private mutating func walk(_ points: [Layout.Point]) {
        guard var here = legs.last?.end else { return }
        for point in points {
            let metres = here.distance(to: point)
            guard metres > 0 else { continue }
            legs.append(
                Leg(
                    from: end, to: end + metres / Path.speed, start: here, end: point,
                    facing: Layout.Point((point.x - here.x) / metres, (point.y - here.y) / metres),
                    zone: nil))
            here = point
        }
    }

    /// An even direction, without a sine: a point in the disc, moved to its edge.
    private static func direction(_ random: inout SeededRandom) -> Layout.Point {
        while true {
            let (x, y) = (random.number(in: -1...1), random.number(in: -1...1))
            let length = (x * x + y * y).squareRoot()
            if length > 0.01, length <= 1 { return Layout.Point(x / length, y / length) }
        }
    }

    /// The visits of zones up to `seconds`, in order of time: of those that cover their rooms, all
    /// time inside; of the others, the stays. Excursions under 2 s across a border are no visits.
    func visits(in plan: FloorPlan, until seconds: Double) -> [SimulatedRecording.Visit] {
        var visits: [SimulatedRecording.Visit] = []
        func add(_ from: Double, _ to: Double, _ zone: Int?) {
            guard let zone, to > from else { return }
            if let last = visits.last, last.zone == zone, from - last.end < 2 {
                visits[visits.count - 1].end = to
            } else {
                visits.append(SimulatedRecording.Visit(start: from, end: to, zone: zone))
            }
        }
        for leg in legs where leg.from < seconds {
            let end = min(leg.to, seconds)
            if let zone = leg.zone {
                add(leg.from, end, zone)
                continue
            }
            var from = leg.from
            while from < end {
                let to = min(from + 0.1, end)
                add(from, to, plan.zone(covering: leg.position(at: from)))
                from = to
            }
        }
        return visits.filter { $0.end - $0.start >= 2 }
    }
}
