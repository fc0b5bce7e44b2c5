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
        let geometry = Geometry(points: points, ears: places)
        return geometry.isUseful ? geometry : nil
    }
}
