import Positioning
import SiteModel

/// Locates one recorded sequence with the coordinator's own locator over one rule.
enum SmoothingRun {
    /// The simulated start.
    private static let start = Timestamp(milliseconds: 1_790_000_000_000)

    /// The score of a rule on a sequence whose readings may have been disturbed.
    static func score(
        _ rule: NamedRule, on sequence: RecordedSequence, at place: RecordedPlace,
        readings: [RecordedReadings.Reading]
    ) -> ZoneScore {
        let said = places(rule, sequence, place, readings)
        var score = ZoneScore()
        for (who, visits) in sequence.visits.enumerated() {
            score.add(visits, said: said[who])
        }
        return score
    }

    /// By transmitter, the zone said at each whole second from the start, from what was heard before.
    static func places(
        _ rule: NamedRule, _ sequence: RecordedSequence, _ place: RecordedPlace,
        _ readings: [RecordedReadings.Reading]
    ) -> [[String?]] {
        let people = sequence.transmitters.count
        var locating = Locating(
            plan: place.site.plan(transmitters: people),
            places: (0..<people).map { _ in (room: nil, station: nil) }, timeConstant: rule.mean)
        let receivers = place.site.receivers.count
        var links = [any LevelRule](repeating: rule.rule, count: people * receivers)
        var isHeard = [Bool](repeating: false, count: links.count)
        var said: [[String?]] = (0..<people).map { _ in [nil] }
        var next = 0
        let visits = sequence.visits
        let ends = visits.compactMap { $0.last?.end } + [0]
        for second in 1...max(1, Int((ends.max() ?? 0).rounded(.up))) {
            let end = Int64(second) * 1000
            while next < readings.count, readings[next].milliseconds < end {
                let reading = readings[next]
                let link = Int(reading.transmitter) * receivers + Int(reading.receiver)
                links[link].heard(
                    RSSI(dBm: reading.level),
                    at: Self.start + .milliseconds(reading.milliseconds))
                isHeard[link] = true
                next += 1
            }
            let now = Self.start + .milliseconds(end)
            for link in links.indices where isHeard[link] {
                isHeard[link] = false
                guard let level = links[link].endSecond() else { continue }
                locating.heard(
                    beacon: link / receivers, node: link % receivers, level: level, at: now)
            }
            for who in 0..<people {
                let fix = locating.fix(user: who, beacons: [who], at: now) { _ in true }
                said[who].append(
                    fix.flatMap { place.site.zone(of: $0.place) }.map { place.site.zones[$0].id })
            }
        }
        return said
    }
}
