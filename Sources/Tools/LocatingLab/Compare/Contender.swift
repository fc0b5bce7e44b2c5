import SiteModel

/// A rule that is compared: one of ours, or of another project.
package enum Contender: Hashable, Sendable {
    case ours(LocatingPolicy.Method)
    case peer(PeerRule)

    /// Every rule, ours first.
    package static let all: [Contender] =
        LocatingPolicy.Method.allCases.map { .ours($0) } + PeerRule.allCases.map { .peer($0) }

    package var name: String {
        switch self {
        case .ours(let method): method.rawValue
        case .peer(let rule): "peer \(rule.rawValue)"
        }
    }

    /// Whether what is learned of places changes what it says.
    package var learns: Bool { self == .ours(.auto) || self == .ours(.spot) }

    /// What it says, by transmitter of the readings, from the first whole second of each on.
    package func answers(
        to readings: RecordedReadings, at site: RecordedSite, model: PlaceModel?, dead: Set<Int>,
        quickness: Double
    ) -> [[ZoneScore.Answer]] {
        var answers: [[ZoneScore.Answer]] = readings.transmitters.map { _ in [] }
        switch self {
        case .ours(let method):
            var site = site
            var readings = readings
            let deaf = site.settle(with: model)
            readings.silence(deaf)
            var run = LocateRun(
                readings, at: site, model: model,
                policy: LocatingPolicy(method: method, quickness: quickness),
                dead: dead.union(deaf))
            run.run { row, _ in
                answers[row.transmitter].append(
                    ZoneScore.Answer(
                        zone: row.zone.map { site.zones[$0].id }, confidence: row.confidence))
            }
        case .peer(let rule):
            for who in answers.indices {
                answers[who] = Self.answers(of: rule, on: readings, transmitter: who, site)
            }
        }
        return answers
    }

    /// These rules know no dead receivers, and none without a zone.
    private static func answers(
        of peer: PeerRule, on readings: RecordedReadings, transmitter: Int, _ site: RecordedSite
    ) -> [ZoneScore.Answer] {
        let owners = site.receivers.indices.filter { site.receivers[$0].zone != nil }
        var rule = peer.make(zoneOfReceiver: owners.compactMap { site.receivers[$0].zone })
        let heard = readings.readings.filter { $0.transmitter == transmitter }
        let first = readings.firstSeconds[transmitter]
        guard !owners.isEmpty, first <= readings.lastSecond else { return [] }
        var next = 0
        return (first...readings.lastSecond).map { second in
            while next < heard.count, heard[next].at <= Double(second) {
                if let receiver = owners.firstIndex(of: Int(heard[next].receiver)) {
                    rule.heard(
                        receiver: receiver, level: heard[next].level, at: heard[next].at)
                }
                next += 1
            }
            guard let said = rule.zone(at: Double(second)) else { return ZoneScore.Answer() }
            return ZoneScore.Answer(zone: site.zones[said.zone].id, confidence: said.confidence)
        }
    }
}
