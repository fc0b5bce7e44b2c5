import SiteModel

/// What fixed nodes hear of fixed beacons: nothing of it moves, so that it says how nodes differ, and
/// when one of them changes.
///
/// A beacon at the place of a node counts as the node's own: two nodes that hear each other's hear
/// them at equal levels, apart from their offsets. Where positions are known, so do two nodes that
/// are about as far from a beacon as each other.
struct OffsetLinks: Sendable {
    /// A link that jumps by more than this in two stretches of ten minutes on end has changed, in dB.
    static let alarm = 6.0
    /// How often a link must be heard in ten minutes to count.
    private static let leastHeard = 30
    /// How far the usual level of a link follows what it is now in ten minutes, in dB.
    private static let follow = 0.5
    /// Distances that differ by less than this in path loss are the same, in dB at 25 dB a decade.
    private static let alike = 6.0

    private struct Link: Sendable {
        let beacon: Int
        let node: Int
        /// The path loss by distance, in dB, if both positions are known.
        let loss: Double?
        var counts = LevelCounts()
        /// The level of the latest ten minutes, and what is usual.
        var level: Double?
        var usual: Double?
        /// How far it was off in the stretch before.
        var before = 0.0
    }

    /// Something that changed all at once, and by how much.
    struct Jump: Equatable, Sendable {
        var device: Ear
        var decibels: Double
    }

    private let plan: (nodes: [NodeID], beacons: [BeaconID])
    private var links: [Link] = []
    /// By beacon and node of the plan, the index of their link.
    private var index: [Int?]
    private let nodes: Int
    /// By beacon, the node at whose place it is fixed, if there is one only.
    private let owners: [Int?]

    init(plan: Plan) {
        self.plan = (plan.nodes.map(\.id), plan.beacons.map(\.id))
        nodes = plan.nodes.count
        var owners = [Int?](repeating: nil, count: plan.beacons.count)
        index = Array(repeating: nil, count: plan.beacons.count * plan.nodes.count)
        for (number, beacon) in plan.beacons.enumerated() {
            guard let anchor = beacon.anchor else { continue }
            let near = plan.nodes.indices.filter {
                !plan.nodes[$0].isMobile && plan.nodes[$0].place == anchor
            }
            owners[number] = near.count == 1 ? near.first : nil
            let position =
                plan.stations.first { $0.id == anchor.station }?.position
                ?? owners[number].flatMap { plan.nodes[$0].position }
            for (place, node) in plan.nodes.enumerated() where !node.isMobile {
                let loss = position.flatMap { here in node.position.map { Self.loss(here, $0) } }
                index[number * nodes + place] = links.count
                links.append(Link(beacon: number, node: place, loss: loss))
            }
        }
        self.owners = owners
    }

    /// Counts a reading of a beacon that is fixed somewhere; of others, nothing.
    mutating func heard(beacon: Int, node: Int, level: Int8) {
        guard let index = self.index[beacon * nodes + node] else { return }
        links[index].counts.add(Int(level))
    }

    /// Ten minutes are over. Says what jumped.
    mutating func close() -> [Jump] {
        for index in links.indices {
            links[index].level =
                links[index].counts.total >= Self.leastHeard
                ? links[index].counts.quantile(0.5) : nil
            links[index].counts.clear()
        }
        let jumps = self.jumps()
        for index in links.indices {
            guard let level = links[index].level else { continue }
            guard let usual = links[index].usual else {
                links[index].usual = level
                continue
            }
            let off = level - usual
            let jumped = isJump(off, links[index].before)
            let step = min(max(off, -Self.follow), Self.follow)
            links[index].usual = jumped ? level : usual + step
            links[index].before = jumped ? 0 : off
        }
        return jumps
    }

    private func isJump(_ off: Double, _ before: Double) -> Bool {
        min(abs(off), abs(before)) > Self.alarm && (off > 0) == (before > 0)
    }

    /// What the jumps of single links have in common: a beacon that all nodes hear otherwise has
    /// changed itself, else the node has that hears all beacons otherwise.
    private func jumps() -> [Jump] {
        var jumps: [Jump] = []
        var guilty: Set<Int> = []
        func common(_ among: [Link], least: Int) -> Double? {
            let known = among.compactMap { link -> (off: Double, before: Double)? in
                guard let level = link.level, let usual = link.usual else { return nil }
                return (level - usual, link.before)
            }
            let jumped = known.filter { isJump($0.off, $0.before) }
            guard jumped.count >= least, 2 * jumped.count > known.count else { return nil }
            return jumped.map(\.off).sorted().middle
        }
        for beacon in plan.beacons.indices {
            let own = links.filter { $0.beacon == beacon }
            guard let decibels = common(own, least: 2) else { continue }
            guilty.insert(beacon)
            jumps.append(Jump(device: .beacon(plan.beacons[beacon]), decibels: decibels))
        }
        for node in 0..<nodes {
            let own = links.filter { $0.node == node && !guilty.contains($0.beacon) }
            guard let decibels = common(own, least: 1) else { continue }
            jumps.append(Jump(device: .node(plan.nodes[node]), decibels: decibels))
        }
        return jumps
    }

    /// What the links say of differences between nodes.
    var votes: [OffsetFit.Vote] {
        var votes: [OffsetFit.Vote] = []
        func level(_ beacon: Int, _ node: Int) -> Double? {
            index[beacon * nodes + node].flatMap { links[$0].usual }
        }
        let owned = owners.indices.compactMap { beacon in owners[beacon].map { (beacon, $0) } }
        for (place, first) in owned.enumerated() {
            for second in owned[(place + 1)...] where second.1 != first.1 {
                guard let there = level(first.0, second.1), let back = level(second.0, first.1)
                else { continue }
                if let own = level(first.0, first.1), let other = level(second.0, second.1) {
                    // Both hear their own, too: then how strongly each sends falls out.
                    let half = ((there - own) - (back - other)) / 2
                    votes.append(.init(first: first.1, second: second.1, decibels: half))
                } else {
                    votes.append(.init(first: first.1, second: second.1, decibels: there - back))
                }
            }
        }
        for (place, first) in links.enumerated() {
            for second in links[(place + 1)...] where second.beacon == first.beacon {
                guard let here = first.loss, let there = second.loss,
                    abs(here - there) < Self.alike, let one = first.usual, let other = second.usual
                else { continue }
                votes.append(
                    .init(
                        first: first.node, second: second.node,
                        decibels: other - one + there - here))
            }
        }
        return votes
    }

    /// The path loss between two points, up to a constant.
    private static func loss(_ a: Position, _ b: Position) -> Double {
        let (dx, dy) = (a.x - b.x, a.y - b.y)
        return 25 * Exponential.log10(max((dx * dx + dy * dy).squareRoot(), 1))
    }
}
