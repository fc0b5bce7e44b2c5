import MeshCore

/// Locates one recorded sequence with the coordinator's own locator over one rule.
enum SmoothingRun {
    /// The score of a rule on a sequence whose readings may have been disturbed.
    static func score(
        _ rule: NamedRule, on sequence: RecordedSequence, at place: RecordedPlace,
        readings: [RecordedSequence.Reading]
    ) -> ZoneScore {
        let said = places(rule, sequence, place, readings)
        var score = ZoneScore()
        for who in sequence.transmitters.indices {
            score.add(sequence.visits[who], said: said[who])
        }
        return score
    }

    /// By transmitter, the zone said at each whole second from the start, from what was heard before.
    static func places(
        _ rule: NamedRule, _ sequence: RecordedSequence, _ place: RecordedPlace,
        _ readings: [RecordedSequence.Reading]
    ) -> [[String?]] {
        let people = sequence.transmitters.count
        var locating = Locating(
            plan: place.plan(transmitters: people),
            places: (0..<people).map { _ in (room: nil, station: nil) }, timeConstant: rule.mean)
        let receivers = place.receivers.count
        var links = [any LevelRule](repeating: rule.rule, count: people * receivers)
        var isHeard = [Bool](repeating: false, count: links.count)
        var said: [[String?]] = (0..<people).map { _ in [nil] }
        var next = 0
        let ends = sequence.visits.compactMap { $0.last?.end } + [0]
        for second in 1...max(1, Int((ends.max() ?? 0).rounded(.up))) {
            let end = Int64(second) * 1000
            while next < readings.count, readings[next].at < end {
                let reading = readings[next]
                let link = reading.transmitter * receivers + reading.receiver
                links[link].heard(
                    RSSI(dBm: reading.level), at: BenchContext.start + .milliseconds(reading.at))
                isHeard[link] = true
                next += 1
            }
            let now = BenchContext.start + .milliseconds(end)
            for link in links.indices where isHeard[link] {
                isHeard[link] = false
                guard let level = links[link].endSecond() else { continue }
                locating.heard(
                    beacon: link / receivers, node: link % receivers, level: level, at: now)
            }
            for who in 0..<people {
                let fix = locating.fix(user: who, beacons: [who], at: now) { _ in true }
                said[who].append(fix.map { place.zones[Int($0.room.row) - 1] })
            }
        }
        return said
    }
}
