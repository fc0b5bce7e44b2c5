import SiteModel

// What of the reception counts.
extension Weighing {
    /// When any ear that works last heard one of the devices, or `nil` if that is too long ago.
    func lastHeard(
        _ devices: [Int], _ received: Reception, at now: Timestamp
    ) -> Reception.LastHeard? {
        var last: Reception.LastHeard?
        for device in devices {
            for ear in ears.indices where scratch.isUsable[ear] {
                guard
                    let hearing = received.hearing(
                        of: device, by: ears[ear], node: nodeOfEar[ear]),
                    now - hearing.at < max(Locating.silence, hearing.droppedAfter)
                else { continue }
                let life = max(Fix.life, hearing.sinksAfter)
                if hearing.at + life > (last.map { $0.at + $0.life } ?? .init(milliseconds: .min)) {
                    last = Reception.LastHeard(at: hearing.at, life: life)
                }
            }
        }
        return last
    }

    /// Fills `scratch` with what the ears heard of the devices: of several that one person carries
    /// the loudest counts. Returns whether any was heard in just this second.
    mutating func listen(
        to devices: [Int], at second: Int64, _ received: Reception, grace: Double
    ) -> Bool {
        for zone in zones.indices {
            scratch.levels[zone] = -.infinity
            scratch.isEared[zone] = false
        }
        for ear in ears.indices {
            scratch.steady[ear] = nil
            guard scratch.isUsable[ear] else { continue }
            scratch.isEared[zoneOfEar[ear]] = true
            let isSparse = nodeOfEar[ear].map { received.isSparse[$0] } ?? false
            var loudest: Double?
            for device in devices {
                let level =
                    isSparse
                    ? received.hearing(of: device, by: ears[ear], node: nodeOfEar[ear]).flatMap {
                        Reception.level(of: $0, at: Timestamp(second: second))
                    }
                    : self.level(of: device, at: ear, second: second, received, grace: grace)
                if let level, level > loudest ?? -.infinity { loudest = level }
            }
            scratch.steady[ear] = loudest
            let zone = zoneOfEar[ear]
            if let loudest, loudest > scratch.levels[zone] { scratch.levels[zone] = loudest }
        }
        return devices.contains { received.logs[$0]?.isHeard(in: second) ?? false }
    }

    /// Fills `scratch` with what the ears heard of one device in just this second, and who listened.
    mutating func listen(to device: Int, in second: Int64, _ received: Reception) {
        let beacons = received.beacons.count
        for ear in ears.indices {
            let node = device < beacons ? nodeOfEar[ear] : device - beacons
            let isOwn = (device < beacons) == (nodeOfEar[ear] != nil)
            let level =
                scratch.isUsable[ear] ? received.logs[device]?.level(ear: ear, second: second) : nil
            scratch.heard[ear] = level
            scratch.isListening[ear] =
                level != nil
                || isOwn && scratch.isUsable[ear]
                    && (node.map {
                        !received.isSparse[$0]
                            && received.listening.listened(node: $0, second: second)
                    }
                        ?? false)
        }
    }
}

extension Weighing {
    /// Fills `scratch` with how much louder each ear hears than was taught.
    mutating func take(biases site: SurveyBias, _ user: SurveyBias) {
        guard spots != nil else { return }
        for ear in ears.indices { scratch.offsets[ear] = 0 }
        site.add(to: &scratch.offsets)
        user.add(to: &scratch.offsets)
    }

    /// What was heard as the survey would have.
    mutating func subtractOffsets() {
        for ear in ears.indices { scratch.heard[ear]? -= scratch.offsets[ear] }
    }
}
