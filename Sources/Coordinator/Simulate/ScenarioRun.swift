import MeshCore
import MeshSim

/// One recording of a scenario, and where each method said people were.
struct ScenarioRun {
    /// A way to say where people are.
    enum Method: Sendable, Equatable {
        /// The core's own, as a site runs it by default; calibrated with a minute at each spot or
        /// not at all.
        case auto(isCalibrated: Bool)
        /// Another project's.
        case peer(PeerRule)

        /// All, ours first.
        static let all: [Method] =
            [.auto(isCalibrated: true), .auto(isCalibrated: false)]
            + PeerRule.allCases.map { .peer($0) }

        /// What tables call it.
        var name: String {
            switch self {
            case .auto(let isCalibrated): isCalibrated ? "auto, calibrated" : "auto"
            case .peer(let rule): rule.rawValue
            }
        }

        /// Whether the project answers for its figures.
        var isOurs: Bool {
            switch self {
            case .auto: true
            case .peer: false
            }
        }
    }

    private static let minute = 60.0

    private let scenario: LocatingScenario
    private let walk: SimulatedRecording
    private let stand: SimulatedRecording
    private let site: RecordedSite
    private let readings: RecordedReadings
    private let dead: Set<Int>

    /// Simulates a scenario.
    init(_ scenario: LocatingScenario, size: LocatingSize, seed: UInt64) {
        self.scenario = scenario
        walk = SimulatedRecording(
            scenario.plan, scenario.conditions, people: size.people, seconds: size.seconds,
            seed: seed)
        stand = SimulatedRecording(
            standing: scenario.plan, scenario.conditions, seconds: Self.minute, seed: seed)
        site = Self.site(of: scenario.plan)
        dead = scenario.isKnown ? Set([scenario.silent].compactMap(\.self)) : []
        readings = RecordedReadings(
            walk.readings.filter { $0.receiver != scenario.silent }.map {
                RecordedReadings.Reading(
                    at: Double($0.at) / 1000, receiver: Int32($0.receiver),
                    transmitter: Int32($0.transmitter), level: $0.level)
            }, names: walk.transmitters)
    }

    /// The score of a method.
    func score(_ method: Method) -> ScenarioScore {
        let said = said(method)
        var score = ScenarioScore()
        for (person, name) in walk.transmitters.enumerated() {
            // Readings sort their transmitters by name.
            guard let who = readings.transmitters.firstIndex(of: name) else { continue }
            score.add(walk.visits[person], said: said[who])
        }
        return score
    }

    /// By transmitter: what was said at each whole second from 0 on.
    private func said(_ method: Method) -> [[ScenarioScore.Answer?]] {
        switch method {
        case .auto(let isCalibrated):
            locate(model: isCalibrated ? survey.model(revision: 1) : nil)
        case .peer(let rule): locate(rule)
        }
    }

    private func locate(model: PlaceModel?) -> [[ScenarioScore.Answer?]] {
        var said: [[ScenarioScore.Answer?]] = readings.transmitters.map { _ in [] }
        var run = LocateRun(
            readings, at: site, model: model, policy: LocatingPolicy(), dead: dead)
        run.run { row, _ in
            while said[row.transmitter].count < row.second { said[row.transmitter].append(nil) }
            said[row.transmitter].append(row.zone.map { ($0, row.confidence) })
        }
        return said
    }

    private func locate(_ peer: PeerRule) -> [[ScenarioScore.Answer?]] {
        // They stand for a zone each in every plan used here.
        let zones = site.receivers.map { $0.zone ?? 0 }
        var rules = readings.transmitters.map { _ in peer.make(zoneOfReceiver: zones) }
        var said: [[ScenarioScore.Answer?]] = rules.map { _ in [] }
        var next = 0
        for second in 0...max(readings.lastSecond, 0) {
            while next < readings.readings.count, readings.readings[next].at <= Double(second) {
                let reading = readings.readings[next]
                rules[Int(reading.transmitter)].heard(
                    receiver: Int(reading.receiver), level: reading.level, at: reading.at)
                next += 1
            }
            for who in rules.indices { said[who].append(rules[who].zone(at: Double(second))) }
        }
        return said
    }

    /// A minute at each spot, as `beaconmesh calibrate` keeps it.
    private var survey: Survey {
        var isHeard = scenario.plan.receivers.map { _ in false }
        var levels: [Int: [Int: [Double]]] = [:]
        for reading in stand.readings {
            isHeard[reading.receiver] = true
            let second = Int((reading.at + 999) / 1000)
            levels[second, default: [:]][reading.receiver, default: []].append(reading.level)
        }
        let spots = scenario.plan.zones.enumerated().flatMap { zone, place in
            place.spots.map { _ in zone }
        }
        let length = Int(Self.minute)
        return Survey(
            ears: isHeard.indices.filter { isHeard[$0] }.map { RecordedSite.ear(of: $0) }.sorted(),
            stretches: spots.enumerated().map { number, zone in
                (1...length).map { offset in
                    let second = number * length + offset
                    let heard = levels[second] ?? [:]
                    return Survey.Second(
                        place: RecordedSite.place(of: zone), at: LocateRun.moment(second),
                        heard: heard.keys.sorted().map { receiver in
                            Survey.Heard(
                                ear: RecordedSite.ear(of: receiver),
                                level: RSSI(dBm: Summary.median.value(of: heard[receiver] ?? [])))
                        })
                }
            })
    }

    private static func site(of plan: FloorPlan) -> RecordedSite {
        RecordedSite(
            name: plan.name,
            receivers: plan.receivers.map {
                RecordedSite.Receiver(
                    id: $0.id, zone: $0.zone,
                    position: Position(x: $0.position.x, y: $0.position.y))
            },
            zones: plan.zones.map { zone in
                let room = plan.rooms[zone.room]
                return RecordedSite.Zone(
                    id: zone.id,
                    area: zone.coversRoom
                        ? Area(
                            low: Position(x: room.low.x, y: room.low.y),
                            high: Position(x: room.high.x, y: room.high.y)) : nil)
            }, sequences: [])
    }
}
