import SiteModel

/// Receive offsets out of the traffic itself, without coordinates.
///
/// The way from place a to place b is as long as the way back. A tag near node a is heard by b at
/// −way + b's offset, and by a at a's offset; near node b the other way round. Hence
///
///     offset b − offset a = ½ · ((level b − level a near a) + (level b − level a near b))
///
/// in which the tag's own strength and the way fall out, however far apart the two are. Who is near
/// is who hears best by the offsets known so far, so it is done several times over. The beginning
/// must not depend on that: there the tenth of all seconds with the greatest difference stands for
/// “near b”, that with the least for “near a”.
struct OffsetFit: Equatable, Sendable {
    /// Offsets by node, their median 0; 0 where nothing is known.
    private(set) var offsets: [Double]
    /// Whether anything is known, by node.
    private(set) var isKnown: [Bool]
    /// How well the differences between pairs agree with each other, in dB: 1.48 times the median of
    /// what is left of them.
    private(set) var residual: Double
    /// In how many samples a node heard best.
    private(set) var weights: [Int]

    /// A difference between two nodes known from elsewhere: `second` hears `decibels` louder.
    struct Vote: Equatable, Sendable {
        var first: Int
        var second: Int
        var decibels: Double
    }

    private static let leastTogether = 20
    private static let leastNear = 5
    private static let edge = 0.1
    private static let rounds = 6
    private static let sweeps = 60

    /// Fits offsets to samples, and to what fixed beacons say.
    init(_ table: OffsetSamples.Table, votes: [Vote] = []) {
        let nodes = table.nodes
        var counts = LevelCounts()
        var pairs = Self.extremes(table, &counts)
        pairs.add(votes)
        var offsets = pairs.solved().offsets
        var (isKnown, near) = ([Bool](repeating: false, count: nodes), Near(table, offsets))
        for _ in 0..<Self.rounds {
            pairs = near.reciprocity(table, &counts)
            pairs.add(votes)
            let solved = pairs.solved()
            isKnown = solved.isKnown
            for node in 0..<nodes {
                offsets[node] = min(max((offsets[node] + solved.offsets[node]) / 2, -15), 15)
            }
            near = Near(table, offsets)
        }
        for node in 0..<nodes where !isKnown[node] { offsets[node] = 0 }
        residual = 1.48 * (pairs.left(by: offsets).sorted().middle ?? 6)
        weights = near.weights
        self.offsets = offsets
        self.isKnown = isKnown
    }

    /// How far pairs of samples disagree once `corrections` are taken off, in dB: the mean over
    /// pairs; `nil` without any. Who is near is said by this fit, which must not have seen them.
    func disagreement(of table: OffsetSamples.Table, after corrections: [Double]) -> Double? {
        var counts = LevelCounts()
        let left = Near(table, offsets).reciprocity(table, &counts).left(by: corrections)
        return left.isEmpty ? nil : left.reduce(0, +) / Double(left.count)
    }

    /// The offsets shrunk by their standard error (James–Stein): offsets that scatter no more than
    /// their own error count as none.
    var drawnIn: [Double] {
        let error = 1 + residual
        let known = offsets.indices.filter { isKnown[$0] }
        guard !known.isEmpty else { return offsets.map { _ in 0 } }
        let square = known.reduce(0.0) { $0 + offsets[$1] * offsets[$1] } / Double(known.count)
        let share = square > 0 ? max(0, 1 - error * error / square) : 0
        return offsets.map { min(max($0 * share, -OffsetRow.most), OffsetRow.most) }
    }

    /// Differences between pairs at the edges of all their samples.
    private static func extremes(_ table: OffsetSamples.Table, _ counts: inout LevelCounts) -> Pairs
    {
        let nodes = table.nodes
        var pairs = Pairs(nodes: nodes)
        for first in 0..<nodes {
            for second in first + 1..<max(nodes, first + 1) {
                counts.clear()
                for sample in 0..<table.count {
                    counts.add(
                        table.levels[sample * nodes + second],
                        minus: table.levels[sample * nodes + first])
                }
                guard counts.total >= leastTogether, let low = counts.quantile(edge),
                    let high = counts.quantile(1 - edge)
                else { continue }
                pairs.add([Vote(first: first, second: second, decibels: (low + high) / 2)])
            }
        }
        return pairs
    }

    /// Which node hears best in each sample.
    struct Near: Equatable, Sendable {
        /// The samples, by node.
        private(set) var samples: [[Int]]

        init(_ table: OffsetSamples.Table, _ offsets: [Double]) {
            samples = Array(repeating: [], count: table.nodes)
            for sample in 0..<table.count {
                var best: (node: Int, level: Double)?
                for node in 0..<table.nodes {
                    let level = table.levels[sample * table.nodes + node]
                    guard level != OffsetSamples.unheard else { continue }
                    let corrected = Double(level) - offsets[node]
                    if corrected > best?.level ?? -.infinity { best = (node, corrected) }
                }
                if let best { samples[best.node].append(sample) }
            }
        }

        var weights: [Int] { samples.map(\.count) }

        /// Differences between pairs from both ways between them.
        fileprivate func reciprocity(
            _ table: OffsetSamples.Table, _ counts: inout LevelCounts
        ) -> Pairs {
            let nodes = table.nodes
            // How much louder the second is when a tag is near the first.
            var ways = [Double?](repeating: nil, count: nodes * nodes)
            for first in 0..<nodes where samples[first].count >= leastNear {
                for second in 0..<nodes where second != first {
                    counts.clear()
                    for sample in samples[first] {
                        counts.add(
                            table.levels[sample * nodes + second],
                            minus: table.levels[sample * nodes + first])
                    }
                    guard counts.total >= leastNear else { continue }
                    ways[first * nodes + second] = counts.quantile(0.5)
                }
            }
            var pairs = Pairs(nodes: nodes)
            for first in 0..<nodes {
                for second in first + 1..<max(nodes, first + 1) {
                    guard let there = ways[first * nodes + second],
                        let back = ways[second * nodes + first]
                    else { continue }
                    let half = (there - back) / 2
                    pairs.add([Vote(first: first, second: second, decibels: half)])
                }
            }
            return pairs
        }
    }

    /// What is known of the differences between nodes.
    fileprivate struct Pairs {
        /// By node: other nodes, and how much louder than them it hears.
        private var votes: [[(other: Int, decibels: Double)]]

        init(nodes: Int) { votes = Array(repeating: [], count: nodes) }

        mutating func add(_ new: [Vote]) {
            for vote in new {
                votes[vote.second].append((vote.first, vote.decibels))
                votes[vote.first].append((vote.second, -vote.decibels))
            }
        }

        /// Each node at the median of what the others say of it, by going through them until
        /// nothing moves; then their median is taken off.
        func solved() -> (offsets: [Double], isKnown: [Bool]) {
            var offsets = [Double](repeating: 0, count: votes.count)
            for _ in 0..<sweeps {
                for node in votes.indices {
                    let said = votes[node].map { offsets[$0.other] + $0.decibels }.sorted()
                    guard let middle = said.middle else { continue }
                    offsets[node] = (offsets[node] + middle) / 2
                }
            }
            let known = votes.indices.filter { !votes[$0].isEmpty }
            let zero = known.map { offsets[$0] }.sorted().middle ?? 0
            for node in known { offsets[node] -= zero }
            return (offsets, votes.map { !$0.isEmpty })
        }

        /// What of each pair the offsets leave unexplained, in dB.
        func left(by offsets: [Double]) -> [Double] {
            votes.indices.flatMap { node in
                votes[node].filter { $0.other < node }.map {
                    abs($0.decibels - (offsets[node] - offsets[$0.other]))
                }
            }
        }
    }
}

extension [Double] {
    /// The median of a sorted list, or `nil` if it is empty.
    package var middle: Double? {
        guard !isEmpty else { return nil }
        return count.isMultiple(of: 2)
            ? (self[count / 2 - 1] + self[count / 2]) / 2 : self[count / 2]
    }
}

/// How often each difference between two levels in whole dB occurred.
struct LevelCounts: Equatable, Sendable {
    /// Levels reach from −120 to +20 dBm.
    private static let widest = 140

    private var bins = [Int](repeating: 0, count: 2 * Self.widest + 1)
    private(set) var total = 0

    mutating func clear() {
        for bin in bins.indices { bins[bin] = 0 }
        total = 0
    }

    /// Counts a difference, if both were heard.
    mutating func add(_ level: Int8, minus other: Int8) {
        guard level != OffsetSamples.unheard, other != OffsetSamples.unheard else { return }
        add(Int(level) - Int(other))
    }

    /// Counts a number of whole dB.
    mutating func add(_ decibels: Int) {
        bins[min(max(decibels, -Self.widest), Self.widest) + Self.widest] += 1
        total += 1
    }

    /// What a share of all stays below, in dB, spread evenly within each whole dB; `nil` if there is
    /// nothing.
    func quantile(_ share: Double) -> Double? {
        guard total > 0 else { return nil }
        let target = share * Double(total)
        var below = 0
        for bin in bins.indices where bins[bin] > 0 {
            if Double(below + bins[bin]) >= target {
                let part = (target - Double(below)) / Double(bins[bin])
                return Double(bin - Self.widest) - 0.5 + part
            }
            below += bins[bin]
        }
        return nil
    }
}
