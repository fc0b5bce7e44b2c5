import Basics
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

/// What all nodes heard of single beacons in single windows of four seconds, thinned so that the
/// latest four hours always fit: at most 64 samples of each five minutes.
///
/// Which samples are kept follows from their number alone, so that every run keeps the same.
package struct OffsetSamples: Equatable, Sendable {
    /// In a sample, the level of a node that heard nothing.
    static let unheard = Int8.min
    /// The length of a bucket in seconds.
    static let bucketSeconds: Int64 = 300
    /// How many buckets are kept.
    static let most = 48
    /// How many samples of each bucket are kept.
    static let depth = 64

    /// Samples with one level for each node, one after the other.
    struct Table: Equatable, Sendable {
        var nodes: Int
        var levels: [Int8] = []
        var beacons: [Int] = []

        var count: Int { beacons.count }
    }

    struct Bucket: Equatable, Sendable {
        var number: Int64
        var table: Table
        /// The numbers of its samples among all that were offered.
        var marks: [UInt64] = []
        var offered: UInt64 = 0
        /// One sample of this many is kept, a power of two.
        var stride: UInt64 = 1
    }

    private let nodes: Int
    private var buckets: [Bucket] = []

    init(nodes: Int) { self.nodes = nodes }

    /// Takes in a sample; one older than the newest bucket goes into the newest.
    mutating func add(beacon: Int, levels: ArraySlice<Int8>, second: Int64) {
        let number = second / Self.bucketSeconds
        if buckets.last.map({ $0.number < number }) ?? true {
            buckets.append(Bucket(number: number, table: Table(nodes: nodes)))
            buckets.removeAll { $0.number <= number - Int64(Self.most) }
        }
        buckets[buckets.count - 1].add(beacon: beacon, levels: levels)
    }

    /// The samples of the buckets whose number `wanted` says yes to.
    func table(where wanted: (Int64) -> Bool) -> Table {
        var all = Table(nodes: nodes)
        for bucket in buckets where wanted(bucket.number) {
            all.levels += bucket.table.levels
            all.beacons += bucket.table.beacons
        }
        return all
    }

    /// How many samples there are in the buckets whose number `wanted` says yes to.
    func count(where wanted: (Int64) -> Bool) -> Int {
        buckets.reduce(0) { wanted($1.number) ? $0 + $1.table.count : $0 }
    }

    /// How many buckets hold samples.
    var span: Int { buckets.count }

    /// Forgets what is older than the given number of buckets before `second`.
    mutating func forget(buckets count: Int64, before second: Int64) {
        let number = second / Self.bucketSeconds
        buckets.removeAll { $0.number <= number - count }
    }
}

extension OffsetSamples.Bucket {
    mutating func add(beacon: Int, levels: ArraySlice<Int8>) {
        let mark = offered
        offered += 1
        guard isKept(mark) else { return }
        table.levels += levels
        table.beacons.append(beacon)
        marks.append(mark)
        while marks.count > OffsetSamples.depth { thin() }
    }

    /// Keeps about every other sample.
    private mutating func thin() {
        stride *= 2
        var thinned = OffsetSamples.Table(nodes: table.nodes)
        var kept: [UInt64] = []
        for index in marks.indices where isKept(marks[index]) {
            let first = index * table.nodes
            thinned.levels += table.levels[first..<first + table.nodes]
            thinned.beacons.append(table.beacons[index])
            kept.append(marks[index])
        }
        (table, marks) = (thinned, kept)
    }

    /// Mixed, because beacons send in turns: every other sample could be all of one beacon.
    private func isKept(_ mark: UInt64) -> Bool {
        (((mark &+ 1) &* 0x9E37_79B9_7F4A_7C15) >> 40) & (stride - 1) == 0
    }
}
