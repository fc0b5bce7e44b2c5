import Foundation
import LocatingLab
import Positioning
import Simulation
import SiteModel
import SurveyFiles

/// One recording of a scenario, and where each method said people were.
struct ScenarioRun {
    /// A rule, and what it knows beforehand.
    struct Method: Equatable, Sendable {
        /// The rule.
        var contender: Contender
        /// Whether a minute at each spot has taught it the places.
        var isCalibrated = false

        /// All that are compared, ours first: as a site runs it by default, then other projects'.
        static let all: [Method] =
            [Method(contender: .ours(.auto), isCalibrated: true), Method(contender: .ours(.auto))]
            + PeerRule.allCases.map { Method(contender: .peer($0)) }

        /// What tables call it.
        var name: String { contender.name + (isCalibrated ? ", calibrated" : "") }

        /// Whether the project answers for its figures.
        var isOurs: Bool {
            switch contender {
            case .ours: true
            case .peer: false
            }
        }
    }

    private static let minute = 60.0

    private let scenario: LocatingScenario
    let walk: SimulatedRecording
    private let stand: SimulatedRecording
    let site: RecordedSite
    private(set) var readings: RecordedReadings
    private let dead: Set<Int>

    init(_ scenario: LocatingScenario, size: LocatingSize, seed: UInt64) {
        self.init(scenario, people: size.people, seconds: size.seconds, seed: seed)
    }

    init(_ scenario: LocatingScenario, people: Int, seconds: Double, seed: UInt64) {
        self.scenario = scenario
        walk = SimulatedRecording(
            scenario.plan, scenario.conditions, people: people, seconds: seconds, seed: seed)
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

    func score(_ method: Method) -> ZoneScore {
        let answers = method.contender.answers(
            to: readings, at: site,
            model: method.isCalibrated ? survey.model(revision: 1, homes: site.home) : nil,
            dead: dead, quickness: LocatingPolicy().quickness)
        var score = ZoneScore()
        for (person, name) in walk.transmitters.enumerated() {
            // Readings sort their transmitters by name, and leave out who was never heard.
            let who = readings.transmitters.firstIndex(of: name)
            score.add(
                walk.visits[person].map {
                    RecordedTruth.Visit(
                        start: $0.start, end: $0.end, zone: site.zones[$0.zone].id)
                }, from: who.map { readings.firstSeconds[$0] } ?? 0,
                answers: who.map { answers[$0] } ?? [])
        }
        return score
    }

    /// A receiver hears everything so much louder than when the places were taught, in dB.
    mutating func drift(_ receiver: Int, by decibels: Double) {
        for index in readings.readings.indices
        where Int(readings.readings[index].receiver) == receiver {
            readings.readings[index].level += decibels
        }
    }

    /// A minute at each spot, as `beaconmesh calibrate` keeps it.
    var survey: Survey {
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
                        place: RecordedSite.place(of: zone), at: RecordedSite.moment(second),
                        heard: heard.keys.sorted().map { receiver in
                            Survey.Heard(
                                ear: RecordedSite.ear(of: receiver),
                                level: SurveyReader.level(of: heard[receiver] ?? []))
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
            }, sequences: [], strangeNeighbours: [])
    }
}

/// What came of a run, for people and for programs.
protocol ScenarioReport: Codable {}

extension ScenarioReport {
    /// As JSON, keys in order.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
