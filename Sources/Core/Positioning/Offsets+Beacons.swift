import SiteModel

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
