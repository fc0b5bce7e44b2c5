@testable import TrainingEngine
@testable import SiteEngine
@testable import SiteModel
@testable import SitePipeline
@testable import Wire

/// A gym of two rooms with a node each, a bench in the hall, two people with a tag each.
enum PipelineSite {
    static let root = "mesh/v1/gym/"

    static func plan(_ revision: Int64 = 1) -> Plan {
        Plan(
            revision: revision, site: SiteID(1), rooms: [Room(id: RoomID(1)), Room(id: RoomID(2))],
            stations: [Station(id: StationID(1), room: RoomID(1), slots: 1)],
            nodes: [
                Node(id: NodeID(1), room: RoomID(1), station: StationID(1)),
                Node(id: NodeID(2), room: RoomID(2), station: nil),
            ],
            users: [User(id: UserID(1)), User(id: UserID(2))],
            beacons: (1...2).map { Beacon(id: BeaconID($0), identity: .address(UInt64($0))) },
            bindings: (1...2).map {
                Binding(
                    beacon: BeaconID($0), user: UserID($0), from: Timestamp(milliseconds: 0),
                    to: nil)
            }, policy: Policy())
    }

    static func names(bench: String = "Bench") -> Names {
        Names(
            site: "gym", siteName: "Gym", timeZone: "Europe/Berlin", isDemo: false,
            rooms: table(["hall", "yard"]),
            stations: NameTable([.init(id: StationID(1), slug: "bench", name: bench)]),
            nodes: table(["n1", "n2"]), beacons: table(["tag-1", "tag-2"]),
            users: table(["u-ann", "u-ben"]))
    }

    private static func table<Of>(_ slugs: [String]) -> NameTable<Of> {
        NameTable(
            slugs.enumerated().map {
                .init(id: ID(Int64($0.offset + 1)), slug: $0.element, name: $0.element)
            })
    }
}

/// A pipeline with a database that stores when told to, and all it asked for.
struct PipelineRun {
    typealias Effect = Pipeline.Effect

    var pipeline: Pipeline
    private(set) var saved: Saved
    private(set) var effects: [Effect] = []
    /// All that were ever stored, by row.
    private var sets: [Int64: WorkoutSet] = [:]
    /// When the last message came.
    private var lookedUp = Self.moment(0)

    init(saved: Saved = Saved(), foreign: [ForeignNetwork] = []) {
        self.saved = saved
        pipeline = Pipeline(
            plan: PipelineSite.plan(), names: PipelineSite.names(), saved: saved,
            foreign: foreign)
    }

    static func moment(_ seconds: Double) -> Timestamp {
        Timestamp(milliseconds: 1_700_000_000_000) + .seconds(seconds)
    }

    @discardableResult
    mutating func hear(
        _ topic: String, _ payload: [UInt8], isRetained: Bool = false, _ at: Double
    ) -> [Effect] {
        lookedUp = Self.moment(at)
        return note(
            pipeline.heard(
                topic: topic, payload: payload.span, isRetained: isRetained, at: Self.moment(at)))
    }

    @discardableResult
    mutating func hear(
        _ topic: String, _ text: String, isRetained: Bool = false, _ at: Double
    ) -> [Effect] {
        hear(topic, Array(text.utf8), isRetained: isRetained, at)
    }

    @discardableResult
    mutating func tick(_ at: Double) -> [Effect] { note(pipeline.tick(at: Self.moment(at))) }

    /// One second of both nodes. `heard` says at what level node 1 hears which tag.
    @discardableResult
    mutating func second(
        _ at: Double, _ heard: [(beacon: String, level: Double)] = [], node: String = "n1"
    ) -> [Effect] {
        var made: [Effect] = []
        for name in ["n1", "n2"] {
            let frame = FramePayload(
                boot: 1, seq: 1, tMs: Self.moment(at).milliseconds,
                r: name != node
                    ? []
                    : heard.map {
                        .init(beacon: $0.beacon, median: $0.level, count: 1, strongest: $0.level)
                    })
            made += hear("\(PipelineSite.root)node/\(name)/frame", frame.json, at)
        }
        return made
    }

    @discardableResult
    mutating func ask(
        _ operation: String, id: String, user: String = "u-ann", station: String? = nil,
        expires: Double? = nil, client: String = "kiosk", _ at: Double
    ) -> [Effect] {
        let payload = RequestPayload(
            id: id, args: .init(user: user, station: station),
            expMs: expires.map { Self.moment($0).milliseconds })
        return hear("\(PipelineSite.root)req/\(client)/\(operation)", payload.json, at)
    }

    @discardableResult
    mutating func connect(_ at: Double) -> [Effect] {
        note(pipeline.connected(at: Self.moment(at)))
    }

    /// The database stored what it was given last.
    @discardableResult
    mutating func store() -> [Effect] {
        for fact in effects.commits.last ?? [] {
            saved.apply(fact)
            if case .set(let set) = fact { sets[set.id] = set }
        }
        return note(pipeline.committed())
    }

    /// What a database would find, of workouts that are not cancelled.
    private func recalled(_ recall: Recall) -> Recalled {
        let own = sets.values.filter { $0.user == recall.user }.sorted { $0.id < $1.id }
        var bests = ExerciseBests()
        for set in own where set.exercise == recall.exercise && !recall.except.contains(set.workout)
        {
            bests.take(set)
        }
        return Recalled(
            hasWorkout: own.contains { $0.workout == recall.workout },
            set: own.first { $0.key == recall.set }, bests: bests)
    }

    /// Stores until nothing waits.
    @discardableResult
    mutating func settle() -> [Effect] {
        var made: [Effect] = []
        while !pipeline.isSettled {
            if case .recall(let recalls)? = effects.last(where: {
                if case .recall = $0 { true } else { false }
            }), pipeline.recalls.count > 0 {
                made += note(pipeline.recalled(recalls.map(recalled), at: lookedUp))
            } else {
                made += store()
            }
        }
        return made
    }

    @discardableResult
    mutating func refuse(_ refusal: Pipeline.Refusal, _ at: Double) -> [Effect] {
        note(pipeline.refused(refusal, at: Self.moment(at)))
    }

    @discardableResult
    mutating func note(_ new: [Effect]) -> [Effect] {
        effects += new
        return new
    }
}

extension [Pipeline.Effect] {
    var publications: [Publication] {
        compactMap { if case .publish(let publication) = $0 { publication } else { nil } }
    }
    var commits: [[Fact]] { compactMap { if case .commit(let facts) = $0 { facts } else { nil } } }
    var shown: [Publication] {
        compactMap { if case .show(let publication) = $0 { publication } else { nil } }
    }
    var warnings: [String] {
        compactMap {
            switch $0 {
            case .warn(let text), .complain(let text, _): text
            default: nil
            }
        }
    }
    /// What is published under the site's root, by the rest of the topic.
    var topics: [String] {
        publications.map { String($0.topic.dropFirst(PipelineSite.root.count)) }
    }

    /// The last message on a topic of the site.
    func last(_ topic: String) -> Publication? {
        publications.last { $0.topic == PipelineSite.root + topic }
    }
}
