import SiteModel

/// Learns, in operation, the offset in dB of each receiver and of each tag against the others.
///
/// Receivers differ by several dB: antenna, enclosure, dongle. A place heard by a deaf node loses
/// people to its neighbours. The differences are learned from the traffic (`OffsetFit`) and from
/// fixed beacons and nodes that hear each other (`OffsetLinks`): every ten minutes at first, every half
/// hour once there are four hours to learn from.
///
/// A correction is applied only once it is proven: fitted to every other five minutes of the latest
/// four hours, it must bring pairs of nodes to agree by a fifth better in the five minutes between,
/// both ways round. It is shrunk by its own standard error, bounded to ±12 dB, follows by at most 1
/// dB at a time, and is withdrawn when it does worse than none. While a learned model of places is
/// in force corrections stay as they are, for the model was learned with them; drift is still told.
///
/// What it learned from is not saved and refills; what is applied is (`OffsetRow`).
package struct Offsets: Sendable {
    /// Between two looks at what was learned, in seconds.
    package static let period: Int64 = 600
    /// The length of a window in seconds: one sample.
    package static let window: Int64 = 4
    /// Nothing is said from fewer samples.
    static let leastSamples = 240
    /// Everything is fitted again when one sample in this many is new.
    package static let novelty = 8
    /// Nor from fewer stretches of five minutes.
    static let leastSpan = 4
    /// Minutes held back have to agree by this factor better.
    package static let proof = 0.8
    /// More than this against the stored offset is drift, in dB.
    package static let drift = 6.0
    /// How long a drift is told.
    static let alarmLife = Timestamp.Span.seconds(86_400)
    /// The most by which an applied offset changes at a time, in dB.
    package static let follow = 1.0
    /// Smaller changes are not worth a row, in dB.
    static let worthTelling = 0.5

    struct Window: Equatable, Sendable {
        var number: Int64 = 0
        var isHeard = false
    }

    let nodes: [Node]
    let beacons: [Beacon]
    private let index: PlanIndex
    let isFrozen: Bool
    /// The rows by node, then by beacon, of the plan.
    package private(set) var rows: [OffsetRow?]
    package var samples: OffsetSamples
    private var links: OffsetLinks
    private var windows: [Window]
    /// By beacon, then node: the sum of the window's levels and their number.
    private var sums: [Int32]
    private var counts: [Int32]
    /// The stretch of ten minutes that was looked at last.
    private var looked: Int64?
    private var hasNews = false
    /// The first bucket that was not complete when everything was fitted last.
    private var studied: Int64 = 0
    /// Nodes whose recent offset was off by more than `drift` when looked at last.
    private var suspects: [Bool]

    /// Offsets of the nodes and beacons of a plan. Of the rows, those apply whose device is where
    /// it was.
    package init(plan: Plan, restoring saved: [OffsetRow] = []) {
        nodes = plan.nodes
        beacons = plan.beacons
        index = PlanIndex(plan: plan)
        isFrozen = plan.model != nil
        samples = OffsetSamples(nodes: plan.nodes.count)
        links = OffsetLinks(plan: plan)
        windows = plan.beacons.map { _ in Window() }
        sums = Array(repeating: 0, count: plan.beacons.count * plan.nodes.count)
        counts = sums
        suspects = plan.nodes.map { _ in false }
        rows = Array(repeating: nil, count: plan.nodes.count + plan.beacons.count)
        for row in saved {
            guard let index = index(of: row.device) else { continue }
            let (place, position) = whereabouts(index)
            guard row.place == place, row.position == position else { continue }
            rows[index] = row
        }
    }

    /// What is to be added to the levels of a node, an index into the plan's, in dB.
    @inlinable package func correction(node: Int) -> Double { -(rows[node]?.applied ?? 0) }

    /// What is to be added to the levels of a beacon, an index into the plan's, in dB.
    @inlinable package func correction(beacon: Int) -> Double {
        -(rows[nodes.count + beacon]?.applied ?? 0)
    }

    /// A level as it would be if all nodes heard and all beacons sent alike; what no radio reports
    /// stays as it is.
    @inlinable package func corrected(_ level: RSSI, beacon: Int, node: Int) -> RSSI {
        level.corrected(by: correction(node: node) + correction(beacon: beacon))
    }

    /// A node heard a beacon; both are indices into the plan's lists, the level as it was heard.
    ///
    /// Levels no radio reports are ignored, and so is what comes later than what follows it.
    package mutating func heard(beacon: Int, node: Int, level: RSSI, at: Timestamp) {
        guard level.dBm >= -120, level.dBm <= 20, !nodes[node].isMobile else { return }
        let whole = Int8(level.dBm.rounded())
        hasNews = true
        guard beacons[beacon].anchor == nil else {
            return links.heard(beacon: beacon, node: node, level: whole)
        }
        let number = at.second / Self.window
        if number > windows[beacon].number || !windows[beacon].isHeard {
            finish(beacon)
            windows[beacon] = Window(number: number, isHeard: true)
        }
        guard number == windows[beacon].number else { return }
        sums[beacon * nodes.count + node] += Int32(whole)
        counts[beacon * nodes.count + node] += 1
    }

    /// Makes a sample of a window that is over.
    private mutating func finish(_ beacon: Int) {
        guard windows[beacon].isHeard else { return }
        let first = beacon * nodes.count
        var levels = [Int8](repeating: OffsetSamples.unheard, count: nodes.count)
        var heard = 0
        for node in nodes.indices where counts[first + node] > 0 {
            let mean = Double(sums[first + node]) / Double(counts[first + node])
            levels[node] = Int8(mean.rounded())
            (sums[first + node], counts[first + node]) = (0, 0)
            heard += 1
        }
        // One node alone says nothing of two.
        guard heard > 1 else { return }
        samples.add(
            beacon: beacon, levels: levels[...], second: windows[beacon].number * Self.window)
    }

    /// Time has passed. Returns the rows that changed; there are none but every ten minutes.
    package mutating func step(at now: Timestamp) -> [OffsetRow] {
        let stretch = now.second / Self.period
        guard let old = looked else {
            looked = stretch
            return []
        }
        guard stretch > old else { return [] }
        looked = stretch
        let before = rows
        for index in rows.indices where rows[index]?.drift != nil {
            guard let row = rows[index], now - row.since > Self.alarmLife else { continue }
            rows[index]?.drift = nil
        }
        if hasNews {
            hasNews = false
            look(at: now)
        }
        var changed: [OffsetRow] = []
        for index in rows.indices {
            // What is not told does not count either, so that a restored site knows the same.
            guard var row = rows[index], isWorthTelling(row, before[index]) else {
                rows[index] = before[index]
                continue
            }
            row.at = now
            rows[index] = row
            changed.append(row)
        }
        return changed
    }

    private func isWorthTelling(_ row: OffsetRow, _ old: OffsetRow?) -> Bool {
        guard let old else { return true }
        return row.isProven != old.isProven || row.drift != old.drift || row.since != old.since
            || abs(row.applied - old.applied) >= Self.worthTelling
            || abs(row.offset - old.offset) >= 2 * Self.worthTelling
            || (row.applied == 0) != (old.applied == 0)
    }

    private mutating func look(at now: Timestamp) {
        for jump in links.close() {
            guard let index = index(of: jump.device) else { continue }
            startOver(index, drift: jump.decibels, at: now)
        }
        let all = samples.count { _ in true }
        let new = samples.count { $0 >= studied }
        guard all >= Self.leastSamples, samples.span >= Self.leastSpan, new * Self.novelty >= all
        else { return }
        studied = now.second / OffsetSamples.bucketSeconds
        watch(at: now)
        let votes = links.votes
        let table = samples.table { _ in true }
        guard table.count >= Self.leastSamples, samples.span >= Self.leastSpan else { return }
        let fit = OffsetFit(table, votes: votes)
        let even = samples.table { $0.isMultiple(of: 2) }
        let odd = samples.table { !$0.isMultiple(of: 2) }
        let halves = (OffsetFit(even, votes: votes), OffsetFit(odd, votes: votes))
        let present = nodes.indices.map { rows[$0]?.applied ?? 0 }
        let none = nodes.map { _ in 0.0 }
        func left(_ first: [Double], _ second: [Double]) -> Double {
            // What one half says is tried on the other.
            (halves.0.disagreement(of: odd, after: first) ?? 0)
                + (halves.1.disagreement(of: even, after: second) ?? 0)
        }
        let nothing = left(none, none)
        let isProven = left(halves.0.drawnIn, halves.1.drawnIn) < Self.proof * nothing
        let isHarmful = left(present, present) > nothing
        learn(fit, isProven: isProven, isHarmful: isHarmful, at: now)
        learnBeacons(table, halves: (even, odd), at: now)
    }

    private mutating func learn(
        _ fit: OffsetFit, isProven: Bool, isHarmful: Bool, at now: Timestamp
    ) {
        let target = fit.drawnIn
        for node in nodes.indices where !nodes[node].isMobile && fit.isKnown[node] {
            let old = rows[node]
            let wasProven = old?.isProven ?? false
            let applied = old?.applied ?? 0
            let next: Double
            if isFrozen || !(isProven || isHarmful) {
                next = applied
            } else if !isProven {
                next = 0
            } else if wasProven {
                next = applied + min(max(target[node] - applied, -Self.follow), Self.follow)
            } else {
                next = target[node]
            }
            let (place, position) = whereabouts(node)
            rows[node] = OffsetRow(
                device: .node(nodes[node].id), place: place, position: position,
                offset: bounded(fit.offsets[node]), applied: bounded(next),
                weight: fit.weights[node] * Int(Self.window), since: old?.since ?? now,
                at: old?.at ?? now, isProven: isProven || (wasProven && !isHarmful),
                drift: old?.drift)
        }
    }

    /// Compares the latest half hour with what is stored.
    private mutating func watch(at now: Timestamp) {
        let latest = now.second / OffsetSamples.bucketSeconds - 6
        let table = samples.table { $0 > latest }
        guard table.count >= Self.leastSamples / 2 else { return }
        let recent = OffsetFit(table)
        guard recent.residual < 3 else { return }
        var jumped = false
        for node in nodes.indices {
            guard let row = rows[node], recent.isKnown[node],
                recent.weights[node] >= 10, abs(recent.offsets[node] - row.offset) > Self.drift
            else {
                suspects[node] = false
                continue
            }
            if suspects[node] {
                startOver(node, drift: recent.offsets[node] - row.offset, at: now)
                jumped = true
            }
            suspects[node].toggle()
        }
        if jumped { samples.forget(buckets: 6, before: now.second) }
    }

    /// Something changed all at once: what was learned of it is worth nothing any more.
    private mutating func startOver(_ index: Int, drift: Double, at now: Timestamp) {
        let (place, position) = whereabouts(index)
        let old = rows[index]
        rows[index] = OffsetRow(
            device: device(index), place: place, position: position,
            offset: bounded((old?.offset ?? 0) + drift),
            applied: isFrozen ? old?.applied ?? 0 : 0, weight: 0, since: now, at: now,
            isProven: false, drift: drift.inTenths)
    }

    func bounded(_ decibels: Double) -> Double {
        min(max(decibels, -OffsetRow.most), OffsetRow.most).inTenths
    }

    package mutating func put(_ row: OffsetRow, beacon: Int) { rows[nodes.count + beacon] = row }

    private func device(_ index: Int) -> Ear {
        index < nodes.count
            ? .node(nodes[index].id) : .beacon(beacons[index - nodes.count].id)
    }

    private func index(of device: Ear) -> Int? {
        switch device {
        case .node(let node): index.nodes[node]
        case .beacon(let beacon): index.beacons[beacon].map { nodes.count + $0 }
        }
    }

    /// Where a device is, as rows say it.
    private func whereabouts(_ index: Int) -> (Place?, Position?) {
        guard index < nodes.count else { return (beacons[index - nodes.count].anchor, nil) }
        return nodes[index].isMobile ? (nil, nil) : (nodes[index].place, nodes[index].position)
    }
}

extension Offsets {
    /// How many samples a tag needs before its offset is estimated.
    static let leastOfBeacon = 60
    /// The standard error of a tag's offset, in dB, from its user, from how it is worn and from
    /// where they stay.
    package static let doubt = 3.0

    /// What tags send louder than others: the level at the nearest node, whichever that is, once the
    /// nodes' own offsets are taken off.
    ///
    /// Only what is beyond doubt is applied, and only when both halves say the same.
    mutating func learnBeacons(
        _ table: OffsetSamples.Table, halves: (OffsetSamples.Table, OffsetSamples.Table),
        at now: Timestamp
    ) {
        let whole = strengths(table)
        let (even, odd) = (strengths(halves.0), strengths(halves.1))
        for beacon in beacons.indices where beacons[beacon].anchor == nil {
            guard let offset = whole[beacon]?.offset, let weight = whole[beacon]?.weight else {
                continue
            }
            let old = rows[nodes.count + beacon]
            var isProven = false
            if let first = even[beacon]?.offset, let second = odd[beacon]?.offset {
                isProven = abs(first - second) < Self.doubt && abs(offset) > Self.doubt
            }
            let target =
                isProven ? (offset > 0 ? offset - Self.doubt : offset + Self.doubt) : 0
            let applied = old?.applied ?? 0
            let next: Double
            if isFrozen {
                next = applied
            } else if old?.isProven ?? false {
                next = applied + min(max(target - applied, -Self.follow), Self.follow)
            } else {
                next = target
            }
            put(
                OffsetRow(
                    device: .beacon(beacons[beacon].id), place: nil, position: nil,
                    offset: bounded(offset), applied: bounded(next),
                    weight: weight * Int(Self.window), since: old?.since ?? now,
                    at: old?.at ?? now, isProven: isProven, drift: old?.drift),
                beacon: beacon)
        }
    }

    /// By beacon, how much louder than the middle of all it is heard, and from how many samples.
    private func strengths(
        _ table: OffsetSamples.Table
    ) -> [(offset: Double, weight: Int)?] {
        var counts = beacons.map { _ in LevelCounts?.none }
        for sample in 0..<table.count {
            var best: Double?
            for node in nodes.indices {
                let level = table.levels[sample * nodes.count + node]
                guard level != OffsetSamples.unheard else { continue }
                let corrected = Double(level) + correction(node: node)
                if corrected > best ?? -.infinity { best = corrected }
            }
            guard let best else { continue }
            let beacon = table.beacons[sample]
            var own = counts[beacon] ?? LevelCounts()
            counts[beacon] = nil
            own.add(Int(best.rounded()))
            counts[beacon] = own
        }
        let middles = counts.map { own -> Double? in
            guard let own, own.total >= Self.leastOfBeacon / 2 else { return nil }
            return own.quantile(0.5)
        }
        let known = middles.compactMap(\.self).sorted()
        // Of two nobody can say which is the louder than usual.
        guard known.count > 2, let middle = known.middle else { return beacons.map { _ in nil } }
        return zip(middles, counts).map { level, own in
            guard let level, let own else { return nil }
            return (level - middle, own.total)
        }
    }
}

extension RSSI {
    /// A level with so many dB added, within what radios report; what none does stays as it is.
    @inlinable package func corrected(by decibels: Double) -> RSSI {
        guard dBm >= -120, dBm <= 20 else { return self }
        return RSSI(dBm: min(max(dBm + decibels, -120), 20))
    }
}
