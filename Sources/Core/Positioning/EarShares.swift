import SiteModel

/// What each ear said in the second that was weighed last, for whoever asks why: shares that add up to how
/// much likelier the second made one zone than another.
///
/// A second is weighed as a whole. What an ear contributes to that:
/// - Levels: a place is as loud as its loudest ear. How two places differ is how two ears do, and
///   counts half for each.
/// - Learned spots and path loss: what would be missing if the ear had not listened.
///
/// What these leave out, for evidence is limited, blended, and calmed, is spread over all of them.
struct EarShares {
    /// What one ear said of one device.
    struct Share: Equatable {
        var ear: Int
        var device: Int
        /// In dBm: what it heard last, or where nobody taught the steadied level, less for silence;
        /// `nil` if it listened in vain.
        var level: Double?
        /// How many seconds ago it heard it, or `ZoneLevels.droppedAfter`.
        var age: Int64
        /// What is usual at the two zones, in dBm, by what the ear hears of the user now; `nil` where
        /// that was not learned.
        var usual: Double?
        var usualAtOther: Double?
        /// How much likelier it makes the zone than the other one, as a logarithm.
        var logarithm = 0.0
        /// The steadied level.
        fileprivate var steady: Double?
    }

    /// By device, then ear: the ears that work and heard the device of late, or listened.
    private(set) var shares: [Share] = []
    private let zone: Int
    private let other: Int?

    /// Weighs a second again, from what was believed before it, and tells what each ear said for a zone
    /// and against another one. `weighing` has the offsets and the calm of the user.
    init(
        of devices: [Int], for zone: Int, against other: Int?, after prior: BeliefLog.Belief,
        at second: Int64, _ received: Reception, _ weighing: inout Weighing
    ) {
        self.zone = zone
        self.other = other
        var belief = prior
        let isWeighed = weighing.weigh(devices, at: second, received, &belief)
        for device in devices {
            add(device, at: second, grace: weighing.grace(prior), received, &weighing)
        }
        guard let other, isWeighed else {
            for index in shares.indices { shares[index].logarithm = 0 }
            return
        }
        let spotWeight = weighing.spots == nil ? 0 : belief.spotWeight
        addLevels(against: other, weight: 1 - spotWeight, weighing)
        addPaths(against: other, weighing)
        fit(to: weighing.scratch.zoneTerms[zone] - weighing.scratch.zoneTerms[other])
    }

    /// Adds what the ears heard of a device, and what learned spots make of that.
    private mutating func add(
        _ device: Int, at second: Int64, grace: Double, _ received: Reception,
        _ weighing: inout Weighing
    ) {
        weighing.listen(to: device, in: second, received)
        weighing.subtractOffsets()
        let log = received.logs[device]
        let isHeard = log?.isHeard(in: second) ?? false
        let here = weighing.likeliestSpot(of: zone)
        let there = other.flatMap { weighing.likeliestSpot(of: $0) }
        for ear in weighing.ears.indices where weighing.scratch.isUsable[ear] {
            let age = (0..<ZoneLevels.droppedAfter).first {
                log?.level(ear: ear, second: second - $0) != nil
            }
            guard age != nil || weighing.scratch.isListening[ear] else { continue }
            let steady = weighing.steadied(
                device, at: ear, second: second, received, grace: grace)
            let heard = age.flatMap { log?.level(ear: ear, second: second - $0) }
            var share = Share(
                ear: ear, device: device, level: weighing.spots == nil ? steady ?? heard : heard,
                age: age ?? ZoneLevels.droppedAfter,
                usual: here.flatMap { weighing.usual(ear, at: $0) },
                usualAtOther: there.flatMap { weighing.usual(ear, at: $0) }, steady: steady)
            if isHeard, let here, let there {
                share.logarithm =
                    weighing.evidence(of: ear, at: here) - weighing.evidence(of: ear, at: there)
            }
            shares.append(share)
        }
    }

    /// Adds what the loudest ears of the two places say, as far as levels count.
    private mutating func addLevels(against other: Int, weight: Double, _ weighing: Weighing) {
        let loudest = weighing.scratch.levels.reduce(-Double.infinity) { max($0, $1) }
        guard loudest > -.infinity else { return }
        let levels = [zone, other].map {
            max(weighing.scratch.levels[$0], loudest - Weights.most)
        }
        let loud = [zone, other].compactMap { loudestShare(of: $0, weighing) }
        let perDecibel = weighing.geometry == nil ? Weights.level : Weights.levelBesideGeometry
        for index in loud {
            shares[index].logarithm +=
                weight * perDecibel * (levels[0] - levels[1]) / Double(loud.count)
        }
    }

    /// Adds what path loss makes of each ear, where places were not taught.
    private mutating func addPaths(against other: Int, _ weighing: Weighing) {
        guard weighing.spots == nil, let geometry = weighing.geometry else { return }
        let zone = zone
        func evidence(_ levels: [Double?], _ isUsable: [Bool]) -> Double? {
            guard let here = geometry.evidence(of: zone, levels: levels, isUsable: isUsable),
                let there = geometry.evidence(of: other, levels: levels, isUsable: isUsable)
            else { return nil }
            return Weights.geometry * (here - there)
        }
        guard let all = evidence(weighing.scratch.steady, weighing.scratch.isUsable) else { return }
        for ear in weighing.ears.indices {
            var levels = weighing.scratch.steady
            var isUsable = weighing.scratch.isUsable
            (levels[ear], isUsable[ear]) = (nil, false)
            guard let index = loudestShare(where: { $0.ear == ear }),
                let rest = evidence(levels, isUsable)
            else { continue }
            shares[index].logarithm += all - rest
        }
    }

    /// The share of the ear that makes a place as loud as it is, or `nil` if none of its ears works.
    private func loudestShare(of zone: Int, _ weighing: Weighing) -> Int? {
        loudestShare { weighing.zoneOfEar[$0.ear] == zone }
    }

    private func loudestShare(where isMeant: (Share) -> Bool) -> Int? {
        var best: Int?
        for (index, share) in shares.enumerated() where isMeant(share) {
            guard let found = best else {
                best = index
                continue
            }
            if share.steady ?? -.infinity > shares[found].steady ?? -.infinity { best = index }
        }
        return best
    }

    /// Makes the shares add up to what the second said.
    private mutating func fit(to said: Double) {
        let sum = shares.reduce(0) { $0 + $1.logarithm }
        let size = shares.reduce(0) { $0 + abs($1.logarithm) }
        let counted = shares.count { $0.level != nil }
        for index in shares.indices {
            let share = shares[index].logarithm
            if size == 0 {
                shares[index].logarithm =
                    shares[index].level == nil ? 0 : said / Double(max(counted, 1))
            } else if sum != 0, (0...1).contains(said / sum) {
                // Limits and calm draw in what all of them say.
                shares[index].logarithm = share * said / sum
            } else {
                shares[index].logarithm = share + (said - sum) * abs(share) / size
            }
        }
    }
}

extension Weighing {
    /// The level of a device at an ear that counts where nobody taught, in dBm: steadied, and less for
    /// its silence.
    fileprivate func steadied(
        _ device: Int, at ear: Int, second: Int64, _ received: Reception, grace: Double
    ) -> Double? {
        guard let node = nodeOfEar[ear], received.isSparse[node] else {
            return level(of: device, at: ear, second: second, received, grace: grace)
        }
        return received.hearing(of: device, by: ears[ear], node: node).flatMap {
            Reception.level(of: $0, at: Timestamp(second: second))
        }
    }

    /// The spot of a zone that fits best what the ears heard of one device, or `nil` where nobody
    /// taught any.
    fileprivate func likeliestSpot(of zone: Int) -> Int? {
        guard let spots else { return nil }
        var best: (spot: Int, evidence: Double)?
        for spot in spots.zones.indices where spots.zones[spot] == zone {
            let evidence = evidence(of: spot, isListening: scratch.isListening)
            if evidence > best?.evidence ?? -.infinity { best = (spot, evidence) }
        }
        return best?.spot
    }

    /// What an ear usually hears at a spot, as it hears the user now, in dBm.
    fileprivate func usual(_ ear: Int, at spot: Int) -> Double? {
        spots?.level(spot: spot, ear: ear).map { $0.median + scratch.offsets[ear] }
    }

    /// What would be missing of the evidence for a spot without an ear.
    fileprivate func evidence(of ear: Int, at spot: Int) -> Double {
        var others = scratch.isListening
        others[ear] = false
        return Weights.spot
            * (evidence(of: spot, isListening: scratch.isListening)
                - evidence(of: spot, isListening: others))
    }

    private func evidence(of spot: Int, isListening: [Bool]) -> Double {
        guard let spots else { return 0 }
        let evidence = spots.evidence(
            of: spot, heard: scratch.heard, isListening: isListening, presence: 1)
        return evidence.levels + evidence.silence
    }
}
