import SiteModel
import SurveyFiles

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
        self.answers(
            to: readings, at: site, model: model, dead: dead, quickness: quickness, warmUp: nil)
    }

    /// The same, of ours after other recordings.
    func answers(
        to readings: RecordedReadings, at site: RecordedSite, model: PlaceModel?, dead: Set<Int>,
        quickness: Double, warmUp: WarmUp?
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
                dead: dead.union(deaf), warmUp: warmUp)
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

/// What rules may learn from before they locate a sequence.
struct Lesson: Hashable, Sendable {
    var name: String
    var files: [String]

    /// Nothing.
    static let none = Lesson(name: "no calibration", files: [])

    /// What there is to learn from for a sequence of a place: its fingerprints, its sequences for
    /// training; without either, its other sequences, and those of other transmitters alone.
    static func all(for sequence: RecordedSequence, at place: RecordedPlace) -> [Lesson] {
        // The nearest to the test first: `fingerprints_station` says more of stations than others.
        var lessons = place.fingerprints.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }.map {
            Lesson(name: "on \(Self.stem($0))", files: [$0])
        }
        let training = place.sequences.filter { $0.isForTraining }
        if !training.isEmpty {
            lessons.append(Lesson(name: "on train", files: training.map(\.path)))
        }
        guard lessons.isEmpty else { return lessons }
        let others = place.sequences.filter { $0.id != sequence.id }
        if !others.isEmpty {
            lessons.append(Lesson(name: "leave one run out", files: others.map(\.path)))
        }
        let strange = others.filter { Set($0.transmitters).isDisjoint(with: sequence.transmitters) }
        if !strange.isEmpty {
            lessons.append(Lesson(name: "on other carriers", files: strange.map(\.path)))
        }
        return lessons
    }

    /// What is learned, and the site with what labels add to it. `nil` for no lesson.
    func model(
        of site: RecordedSite, warmUp: WarmUp? = nil
    ) throws -> (site: RecordedSite, model: PlaceModel?) {
        guard !files.isEmpty else { return (site, nil) }
        var site = site
        var reader = SurveyReader(site: site)
        for file in files { try reader.read(file, at: &site) }
        let survey = reader.survey()
        return (
            site, (warmUp?.corrected(survey) ?? survey).model(revision: 1, homes: site.home)
        )
    }

    private static func stem(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.split(separator: ".").first.map(String.init) ?? name
    }
}
