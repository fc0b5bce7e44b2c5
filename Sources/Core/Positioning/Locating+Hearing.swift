import SiteModel

extension Locating {
    /// Keeps what a node hears of a beacon as one number.
    package mutating func note(
        beacon: Int, node: Int, level: Double, at: Timestamp, sinksAfter: Timestamp.Span
    ) {
        var row = hearings[beacon] ?? nodes.map { _ in nil }
        hearings[beacon] = nil
        defer { hearings[beacon] = row }
        guard let old = row[node], at - old.at <= old.droppedAfter else {
            row[node] = Hearing(mean: level, at: at, sinksAfter: sinksAfter)
            return
        }
        // A frame that comes late or twice must not count as elapsed time.
        let seconds = Int64(max((at - old.at).seconds.rounded(), 0))
        let weight = steady.weight(rising: level > old.mean, after: seconds)
        row[node] = Hearing(
            mean: old.mean + weight * (level - old.mean), at: max(at, old.at),
            sinksAfter: sinksAfter)
    }

    /// The nodes that hear a beacon at `now`, strongest first.
    package func hearings(beacon: Int, at now: Timestamp) -> [BeaconState.Hearing] {
        guard let row = hearings[beacon] else { return [] }
        var list: [BeaconState.Hearing] = []
        for node in nodes.indices {
            guard let hearing = row[node], now - hearing.at < hearing.droppedAfter else { continue }
            let tenths = (hearing.mean * 10).rounded() / 10
            list.append(
                BeaconState.Hearing(
                    node: nodes[node].id, level: RSSI(dBm: tenths),
                    age: max(now - hearing.at, .milliseconds(0))))
        }
        return list.sorted { ($1.level, $0.node) < ($0.level, $1.node) }
    }

    /// What a hearing counts for at `now`, or `nil` when it is too old.
    package static func level(of hearing: Hearing, at now: Timestamp) -> Double? {
        let silence = now - hearing.at
        guard silence < hearing.droppedAfter else { return nil }
        return hearing.mean - max((silence.seconds - hearing.sinksAfter.seconds), 0)
    }

    /// When a user was last heard.
    package struct LastHeard {
        var at: Timestamp
        /// For how long that is evidence.
        var life: Timestamp.Span
    }

    /// When any ear that works last heard one of the devices, or `nil` if that is too long ago.
    package func lastHeard(_ devices: [Int], at now: Timestamp) -> LastHeard? {
        var last: LastHeard?
        for device in devices {
            for ear in ears.indices where scratch.isUsable[ear] {
                guard let hearing = hearing(of: device, by: ear),
                    now - hearing.at < max(Self.silence, hearing.droppedAfter)
                else { continue }
                let life = max(Fix.life, hearing.sinksAfter)
                if hearing.at + life > (last.map { $0.at + $0.life } ?? .init(milliseconds: .min)) {
                    last = LastHeard(at: hearing.at, life: life)
                }
            }
        }
        return last
    }

    private func hearing(of device: Int, by ear: Int) -> Hearing? {
        if device < beacons.count {
            return nodeOfEar[ear].flatMap { hearings[device]?[$0] }
        }
        guard case .beacon(let id) = ears[ear], let beacon = beacons.firstIndex(of: id) else {
            return nil
        }
        return hearings[beacon]?[device - beacons.count]
    }

    /// Fills `scratch` with what the ears heard of the devices: of several that one person carries
    /// the loudest counts. Returns whether any was heard in just this second.
    package mutating func listen(to devices: [Int], at second: Int64, grace: Double) -> Bool {
        for zone in zones.indices {
            scratch.levels[zone] = -.infinity
            scratch.isEared[zone] = false
        }
        for ear in ears.indices {
            scratch.steady[ear] = nil
            guard scratch.isUsable[ear] else { continue }
            scratch.isEared[zoneOfEar[ear]] = true
            let isSparse = nodeOfEar[ear].map { self.isSparse[$0] } ?? false
            var loudest: Double?
            for device in devices {
                let level =
                    isSparse
                    ? hearing(of: device, by: ear).flatMap {
                        Self.level(of: $0, at: Timestamp(second: second))
                    }
                    : logs[device].flatMap {
                        steady.level(of: ear, in: $0, at: second, grace: grace)
                    }
                if let level, level > loudest ?? -.infinity { loudest = level }
            }
            scratch.steady[ear] = loudest
            let zone = zoneOfEar[ear]
            if let loudest, loudest > scratch.levels[zone] { scratch.levels[zone] = loudest }
        }
        return devices.contains { logs[$0]?.isHeard(in: second) ?? false }
    }

    /// Fills `scratch` with what the ears heard of one device in just this second, and who listened.
    package mutating func listen(to device: Int, in second: Int64) {
        for ear in ears.indices {
            let node = device < beacons.count ? nodeOfEar[ear] : device - beacons.count
            let isOwn = (device < beacons.count) == (nodeOfEar[ear] != nil)
            let level = scratch.isUsable[ear] ? logs[device]?.level(ear: ear, second: second) : nil
            scratch.heard[ear] = level
            scratch.isListening[ear] =
                level != nil
                || isOwn && scratch.isUsable[ear]
                    && (node.map { !isSparse[$0] && listening.listened(node: $0, second: second) }
                        ?? false)
        }
    }
}
