import Operations
import Platform
import Simulation
import SiteEngine
import SiteModel
import SitePipeline
import Wire

/// `core-inputs`: inputs a second through a site's machines, twelve people at eleven nodes.
/// `wire-inputs`: the same as messages through the pipeline, facts taken for stored at once.
enum CoreBench {
    private static let people = 12

    static func run(_ context: BenchContext) throws -> [Figure] {
        let site = try BenchSite(
            people: people, seed: context.seed, in: context.directory("core"),
            from: BenchContext.start)
        var inputs = SiteInputs(site, seed: context.seed, from: BenchContext.start)
        let steps = inputs.steps(seconds: context.amount(quick: 600, full: 1800))
        let core = try context.limited(to: context.left / 2).samples { _ in
            Double(steps.count) / (try throughMesh(steps, of: site))
        }
        let wire = try context.samples { _ in
            Double(steps.count) / (try throughPipeline(steps, of: site))
        }
        return [
            Figure("core-inputs", unit: "inputs/s", core),
            Figure("wire-inputs", unit: "inputs/s", wire),
        ]
    }

    /// The seconds it took.
    private static func throughMesh(
        _ steps: [SiteInputs.Step], of site: BenchSite
    ) throws(BenchFailure) -> Double {
        var mesh = Mesh(plan: site.plan, restoring: site.saved)
        var decisions: [Decision] = []
        var facts = 0
        let watch = Stopwatch()
        for step in steps {
            mesh.handle(step.input, at: step.at, into: &decisions)
            for case .fact in decisions { facts += 1 }
            decisions.removeAll(keepingCapacity: true)
        }
        let seconds = watch.seconds
        guard facts > 0 else { throw .failed("so many minutes decided nothing") }
        return seconds
    }

    private static func throughPipeline(
        _ steps: [SiteInputs.Step], of site: BenchSite
    ) throws(BenchFailure) -> Double {
        var pipeline = Pipeline(plan: site.plan, names: site.names, saved: site.saved)
        _ = pipeline.connected(at: BenchContext.start)
        var told = 0
        let watch = Stopwatch()
        for step in steps {
            var effects: [Pipeline.Effect]
            if let message = step.message {
                effects = pipeline.heard(
                    topic: message.topic, payload: message.payload.span, isRetained: false,
                    at: step.at)
            } else {
                effects = pipeline.tick(at: step.at)
            }
            while !pipeline.isSettled { effects += pipeline.committed() }
            told += effects.count
        }
        let seconds = watch.seconds
        guard pipeline.counts.refused.isEmpty, told > 0 else {
            throw .failed("the pipeline refused \(pipeline.counts.refused)")
        }
        return seconds
    }
}

/// What a site's machines are told, second by second: the frames of all nodes, what people ask for,
/// and that time passes. Each as the core hears it and as it comes over the wire.
struct SiteInputs {
    /// One thing told.
    struct Step: Equatable {
        let at: Timestamp
        let input: Input
        /// The topic and the bytes it came with; `nil` for a tick.
        let message: Publication?
    }

    private let site: BenchSite
    private let nodes: [NodeID]
    private let beacons: [BeaconID]
    private let users: [UserID]
    private let stations: [StationID]
    private var world: World
    private var isTraining: [Bool]
    private var sequence: Int64 = 0
    private var requests = 0

    /// Inputs of a site from a whole second on.
    init(_ site: BenchSite, seed: UInt64, from start: Timestamp) {
        self.site = site
        let (layout, people) = (site.demo.layout, site.demo.people)
        nodes = layout.nodes.compactMap { site.names.nodes.id($0.slug) }
        beacons = people.compactMap { site.names.beacons.id($0.beaconSlug) }
        users = people.compactMap { site.names.users.id($0.slug) }
        stations = layout.stations.compactMap { site.names.stations.id($0.slug) }
        precondition(nodes.count == layout.nodes.count && beacons.count == people.count)
        world = World(layout, people: people, pace: .live, seed: seed, from: start)
        isTraining = users.map { _ in false }
    }

    /// Everything within `seconds`.
    mutating func steps(seconds: Int) -> [Step] { (0..<seconds).flatMap { _ in next() } }

    /// The next second.
    mutating func next() -> [Step] {
        let heard = world.frames(second: world.now.second)
        let now = world.now
        sequence += 1
        var steps = nodes.indices.map { frame(of: $0, heard[$0], at: now) }
        for person in users.indices { steps += request(of: person, at: now) }
        return steps + [Step(at: now, input: .tick, message: nil)]
    }

    private func frame(of node: Int, _ heard: [World.Heard], at now: Timestamp) -> Step {
        let entries = heard.map {
            Frame.Entry(
                beacon: beacons[$0.person], median: $0.median, count: $0.count,
                strongest: $0.strongest)
        }.sorted { $0.beacon < $1.beacon }
        let frame = Frame(boot: 1, sequence: sequence, at: now, entries: entries)
        let payload = FramePayload(
            boot: 1, seq: sequence, tMs: now.milliseconds,
            r: entries.map {
                FramePayload.Entry(
                    beacon: site.names.beacons.slug($0.beacon), median: $0.median.dBm,
                    count: $0.count, strongest: $0.strongest.dBm)
            })
        let topic = site.topics[.frame, site.names.nodes.slug(nodes[node])]
        return Step(
            at: now, input: .frame(frame, from: nodes[node]),
            message: Publication(topic: topic, payload: payload.json, quality: 0, isRetained: false)
        )
    }

    /// People start a workout at their first station and complete it when they leave.
    private mutating func request(of person: Int, at now: Timestamp) -> [Step] {
        let place = world.truth(person)
        if let station = place?.station, !isTraining[person] {
            isTraining[person] = true
            return [
                request(
                    .training(users[person], .start(stations[station])), .startWorkout,
                    users[person],
                    at: stations[station], now)
            ]
        }
        guard place == nil, isTraining[person] else { return [] }
        isTraining[person] = false
        let verb = Request.Verb.training(users[person], .complete())
        return [request(verb, .completeWorkout, users[person], at: nil, now)]
    }

    private mutating func request(
        _ asked: Request.Verb, _ verb: Verb, _ user: UserID, at station: StationID?,
        _ now: Timestamp
    ) -> Step {
        requests += 1
        let payload = RequestPayload(
            id: "r\(requests)",
            args: RequestPayload.Arguments(
                user: site.names.users.slug(user), station: station.map(site.names.stations.slug)))
        let topic = site.topics[.request, "bench", verb.name]
        return Step(
            at: now,
            input: .request(
                Request(client: "bench", id: "r\(requests)", name: verb.name, verb: asked)),
            message: Publication(topic: topic, payload: payload.json, quality: 1, isRetained: false)
        )
    }
}
