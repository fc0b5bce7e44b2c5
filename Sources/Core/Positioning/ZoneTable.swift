import Basics
import SiteModel

/// The places and ears of a plan, as indices.
struct ZoneTable {
    /// Every place with an ear or a learned spot; with coordinates, also every other whose floor is
    /// known.
    private(set) var zones: [Place] = []
    /// Fixed nodes in the order of the plan, then fixed beacons.
    private(set) var ears: [Ear] = []
    private(set) var zoneOfEar: [Int] = []
    private(set) var nodeOfEar: [Int?] = []
    private(set) var earOfNode: [Int?]
    private(set) var earOfBeacon: [Int?]
    /// By zone, whether it has an ear.
    private(set) var isEared: [Bool] = []

    init(plan: Plan, model: PlaceModel?) {
        earOfNode = plan.nodes.map { _ in nil }
        earOfBeacon = plan.beacons.map { _ in nil }
        for (index, node) in plan.nodes.enumerated() where !node.isMobile {
            earOfNode[index] = ears.count
            add(.node(node.id), at: node.place, node: index)
        }
        for (index, beacon) in plan.beacons.enumerated() {
            guard let place = beacon.anchor else { continue }
            earOfBeacon[index] = ears.count
            add(.beacon(beacon.id), at: place, node: nil)
        }
        isEared = zones.map { _ in true }
        for spot in model?.spots ?? [] where !zones.contains(spot.place) {
            zones.append(spot.place)
            isEared.append(false)
        }
    }

    private mutating func add(_ ear: Ear, at place: Place, node: Int?) {
        let zone = zones.firstIndex(of: place) ?? zones.count
        if zone == zones.count { zones.append(place) }
        ears.append(ear)
        zoneOfEar.append(zone)
        nodeOfEar.append(node)
    }

    /// What coordinates tell, or `nil` if that is too little.
    func geometry(of plan: Plan) -> Geometry? {
        let points = ZonePoints(plan: plan, zones: zones)
            .points(Geometry.pointsPerZone, grid: Geometry.grid)
        let places = ears.indices.map { ear in
            (
                position: nodeOfEar[ear].flatMap { plan.nodes[$0].position },
                zone: Int?(zoneOfEar[ear])
            )
        }
        let storeys = zones.map { zone in
            plan.rooms.first { $0.id == zone.room }?.storey ?? 0
        }
        let geometry = Geometry(points: points, ears: places, storeys: storeys)
        return geometry.isUseful ? geometry : nil
    }
}

/// A few points that stand for the floor of each place, from what coordinates a plan has.
///
/// A room with a known area that is one place is covered by points of that area. Where several places
/// share a floor, each point belongs to the nearest station or node among them.
struct ZonePoints {
    private let plan: Plan
    private let zones: [Place]
    /// By zone, where its station and nodes are.
    private let centres: [[Position]]

    /// Points for the zones of a plan.
    init(plan: Plan, zones: [Place]) {
        self.plan = plan
        self.zones = zones
        centres = zones.map { zone in
            let station = plan.stations.first { $0.id == zone.station }?.position
            let nodes = plan.nodes.filter { !$0.isMobile && $0.place == zone }
            let positions = nodes.compactMap(\.position)
            return station.map { [$0] } ?? positions
        }
    }

    /// By zone up to `count` points; none where nothing is known.
    func points(_ count: Int, grid: Double) -> [[Position]] {
        var floors: [[Position]] = zones.map { _ in [] }
        for room in plan.rooms {
            guard let area = room.area else { continue }
            let sharers = zones.indices.filter { zones[$0].room == room.id }
            for point in Self.points(of: area, grid: grid) {
                if let zone = sharers.count == 1 ? sharers[0] : nearest(to: point, of: sharers) {
                    floors[zone].append(point)
                }
            }
        }
        let open = zones.indices.filter { zone in
            !plan.rooms.contains { $0.id == zones[zone].room && $0.area != nil }
        }
        if let area = Self.area(around: open.flatMap { centres[$0] }) {
            for point in Self.points(of: area, grid: grid) {
                if let zone = nearest(to: point, of: open) { floors[zone].append(point) }
            }
        }
        return zones.indices.map { zone in
            let clusters = Self.clustered(floors[zone], into: count)
            return clusters.isEmpty ? centres[zone] : clusters
        }
    }

    private func nearest(to point: Position, of candidates: [Int]) -> Int? {
        var best: (zone: Int, distance: Double)?
        for zone in candidates {
            for centre in centres[zone] {
                let distance = centre.squaredDistance(to: point)
                if distance < best?.distance ?? .infinity { best = (zone, distance) }
            }
        }
        return best?.zone
    }

    /// A rectangle around points, a metre wider on each side.
    private static func area(around points: [Position]) -> Area? {
        guard let first = points.first else { return nil }
        var (low, high) = (first, first)
        for point in points {
            low = Position(x: min(low.x, point.x), y: min(low.y, point.y))
            high = Position(x: max(high.x, point.x), y: max(high.y, point.y))
        }
        return Area(
            low: Position(x: low.x - 1, y: low.y - 1), high: Position(x: high.x + 1, y: high.y + 1))
    }

    /// A grid over a floor, coarser where the floor is large: at most some 2,500 points.
    private static func points(of area: Area, grid: Double) -> [Position] {
        let width = max(area.high.x - area.low.x, 0)
        let height = max(area.high.y - area.low.y, 0)
        let step = max(grid, max(width, height) / 50)
        let columns = max(Int(min(width / step, 50)), 1)
        let rows = max(Int(min(height / step, 50)), 1)
        let points = (0..<rows).flatMap { row in
            (0..<columns).map { column in
                Position(
                    x: area.low.x + (Double(column) + 0.5) * width / Double(columns),
                    y: area.low.y + (Double(row) + 0.5) * height / Double(rows))
            }
        }
        guard !area.corners.isEmpty else { return points }
        let inside = points.filter { area.holds($0, within: 0) }
        // A wedge may lie between all of them.
        return inside.isEmpty ? area.corners : inside
    }

    /// k-means, begun with points far from each other, so that it needs no dice.
    private static func clustered(_ points: [Position], into count: Int) -> [Position] {
        guard points.count > count else { return points }
        var centres = [farthest(of: points, from: [mean(of: points)])]
        while centres.count < count { centres.append(farthest(of: points, from: centres)) }
        for _ in 0..<15 {
            var members: [[Position]] = centres.map { _ in [] }
            for point in points {
                var best = 0
                for index in centres.indices
                where centres[index].squaredDistance(to: point)
                    < centres[best].squaredDistance(to: point)
                { best = index }
                members[best].append(point)
            }
            for index in centres.indices where !members[index].isEmpty {
                centres[index] = mean(of: members[index])
            }
        }
        return centres
    }

    private static func mean(of points: [Position]) -> Position {
        let count = Double(points.count)
        return Position(
            x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
    }

    private static func farthest(of points: [Position], from others: [Position]) -> Position {
        var best = (point: points[0], distance: -1.0)
        for point in points {
            let distance = others.map { $0.squaredDistance(to: point) }.min() ?? 0
            if distance > best.distance { best = (point, distance) }
        }
        return best.point
    }
}

extension Position {
    fileprivate func squaredDistance(to other: Position) -> Double {
        let (dx, dy) = (x - other.x, y - other.y)
        return dx * dx + dy * dy
    }
}

/// The smoothed level of a device at each receiver: a peak follower.
///
/// Fading only takes away, and a tag sends on three channels of which one may be in a notch: the level
/// rises to a stronger second with a time constant of 0.5 s and falls to weaker ones with 2.5 s, by
/// elapsed time, of which two seconds count at most. On recordings the place of the ear that is loudest by the 90 % quantile of a minute is
/// right at 10 points more spots than by the median (DESIGN, “Locating”). After 3 s of silence, or
/// up to 6 where a device is heard seldom, it sinks 1 dB a second, and is dropped at 15 s.
struct ZoneLevels: Sendable {
    /// Time constants in seconds.
    static let rise = 0.5
    static let fall = 2.5
    static let sinksAfter: Int64 = 3
    static let droppedAfter: Int64 = 15
    static let mostGrace = 6.0

    /// By the seconds since the level before, how much of a rise or fall is believed.
    private let riseWeights: [Double]
    private let fallWeights: [Double]

    init() {
        riseWeights = Self.weights(Self.rise)
        fallWeights = Self.weights(Self.fall)
    }

    private static func weights(_ timeConstant: Double) -> [Double] {
        (0...Int(droppedAfter)).map { 1 - Exponential.exp(-min(Double($0), 2) / timeConstant) }
    }

    /// What an ear's seconds up to `second` come to, and in which it heard, as bits, the newest the
    /// lowest; `nil` if it was silent for too long. The level sinks after `grace` seconds of silence.
    func level(
        of ear: Int, in log: EarLog, at second: Int64, grace: Double
    ) -> (level: Double, heard: UInt32)? {
        var level: Double?
        var seconds: UInt32 = 0
        let first = second - Self.droppedAfter + 1
        var last = first
        for moment in first...second {
            guard let heard = log.level(ear: ear, second: moment) else { continue }
            seconds |= 1 << UInt32(second - moment)
            if let old = level {
                let weights = heard > old ? riseWeights : fallWeights
                level = old + weights[Int(moment - last)] * (heard - old)
            } else {
                level = heard
            }
            last = moment
        }
        return level.map { ($0 - max(Double(second - last) - grace, 0), seconds) }
    }

    /// The share of a change that is believed after each number of seconds.
    func weight(rising: Bool, after seconds: Int64) -> Double {
        (rising ? riseWeights : fallWeights)[Int(min(max(seconds, 0), Self.droppedAfter))]
    }
}
