@testable import Operations
@testable import Records
import Foundation
import Notifications

@testable import Outbox
@testable import Simulation
@testable import SiteEngine
@testable import SiteModel
@testable import SitePipeline
@testable import SiteStore
@testable import TrainingEngine
@testable import Wire
@testable import Registry

/// A whole site in one value: people, radio, real node cores, an in-memory broker, a pipeline and
/// a real SQLite file. A crash drops the transaction under way; nothing else is simulated away.
struct SimulatedSite {
    /// How much happens, and how closely it is looked at.
    struct Scale {
        var people = 10
        var pace = Pace.live
        /// Between two advertisements of a tag.
        var interval = Timestamp.Span.milliseconds(500)
        /// Between two looks at everything.
        var step = Timestamp.Span.milliseconds(250)
        /// Whether people ask for workouts.
        var isBusy = true
        /// Whether workouts begin and pause by themselves.
        var isAutomatic = false
        /// Whether a manager corrects sessions and locks what is past.
        var isManaged = false
        /// How long before the start everything was registered.
        var registered = Timestamp.Span.seconds(60)
        /// The size of each node's outbox in MiB.
        var megabytes = 1
        var policy = Policy(
            site: .init(enter: .seconds(5), lost: .seconds(10), leave: .seconds(20)),
            attendance: AttendancePolicy(mergeGap: .seconds(0)))
    }

    let names: Names
    let plan: Plan
    let faults: Faults
    var pipeline: Pipeline
    var store: Store
    private(set) var told: [Told] = []
    /// All facts of the pipeline, in order, with the number of inputs before them.
    private(set) var facts: [(after: Int, fact: Fact)] = []
    /// Called after each committed batch, when nothing else is under way.
    var afterCommit: (SimulatedSite) throws -> Void = { _ in }

    /// What the machine's clock shows at each start of the coordinator after a crash, and whether a time server
    /// keeps it; the right time where there is none.
    struct Clock {
        var lead: Timestamp.Span
        var isSynced: Bool
        /// How long the coordinator was away before.
        var away: Timestamp.Span
    }

    var clocks: [Clock] = []
    /// How far the coordinator's clock is ahead.
    private var lead = Timestamp.Span.seconds(0)
    /// While the coordinator is away: until when, and the clock it comes back with.
    private var absence: (until: Timestamp, clock: Clock)?
    /// What the coordinator takes for the present moment.
    var coordinatorNow: Timestamp { now + lead }

    /// While these last nobody reaches the broker, earliest first; it forgets everything.
    var brokerOutages: [Interval] = []
    private(set) var nodes: [SimulatedNode] = []

    private var world: World
    private var broker: MemoryBroker
    private(set) var now: Timestamp
    private var isConnected = false
    private var crashes: [Timestamp]
    private var restarts: [Timestamp]
    private var inFlight: [Fact]?
    private var requests = 0
    private var decisions = 0
    private let scale: Scale
    let path: String

    static let people = 10
    static let start = Timestamp(milliseconds: 1_790_000_000_000)

    init(seed: UInt64, faults: Faults, scale: Scale = Scale()) throws {
        self.faults = faults
        self.scale = scale
        let start = Self.start
        now = start
        let layout = Layout.small
        let people = Layout.people(count: scale.people, seed: seed)
        path = NSTemporaryDirectory() + "beaconmesh-law-\(UUID().uuidString).sqlite"
        store = try Store(path: path)
        var document = SiteDocument(
            slug: layout.slug, name: layout.name, timeZone: layout.timeZone, isDemo: true,
            rooms: layout.rooms.map { .init(slug: $0.slug, name: $0.name) },
            stations: layout.stations.map {
                .init(
                    slug: $0.slug, name: $0.name, room: layout.rooms[$0.room].slug,
                    slots: $0.slots)
            },
            nodes: layout.nodes.map { node in
                .init(
                    slug: node.slug, name: node.name, room: layout.rooms[node.room].slug,
                    station: node.station.map { layout.stations[$0].slug })
            },
            users: people.map { .init(slug: $0.slug, name: $0.name) },
            beacons: people.map {
                .init(slug: $0.beaconSlug, title: "Tag", identity: $0.identity, user: $0.slug)
            },
            policy: scale.policy)
        for index in document.stations.indices {
            document.stations[index].use.claimGrace = 20
            document.stations[index].use.autoStart = scale.isAutomatic ? 5 : nil
            document.stations[index].use.autoPause = scale.isAutomatic ? 10 : nil
        }
        document.content["exercises"] = StarterExercises.rows
        _ = try SiteImport(store).importDocument(document, at: start - scale.registered)
        guard let loaded = try store.load() else { throw Broken.nothingImported }
        (plan, names) = (loaded.plan, loaded.names)
        pipeline = Pipeline(plan: loaded.plan, names: loaded.names, saved: loaded.saved)
        pipeline.keepsDecisions = true
        world = World(
            layout, people: people, pace: scale.pace, seed: seed, from: start,
            interval: scale.interval, strays: faults.strays)
        broker = MemoryBroker(faults: faults, seed: seed)
        crashes = faults.crashes
        restarts = faults.brokerRestarts
        nodes = try layout.nodes.enumerated().map { index, node in
            try SimulatedNode(
                index, slug: node.slug, site: layout.slug, at: start, megabytes: scale.megabytes)
        }
    }

    enum Broken: Error {
        case nothingImported
    }

    /// Where a person really is, or `nil` when away.
    func truth(_ person: Int) -> World.Whereabouts? { world.truth(person) }

    /// Closes and removes the database.
    func cleanUp() {
        store.close()
        for end in ["", "-wal", "-shm", ".backup", ".replaced"] { unlink(path + end) }
    }

    /// Lets time pass in steps of `Scale.step`.
    mutating func run(seconds: Double) throws {
        let end = now + .seconds(seconds)
        while now < end {
            now = now + scale.step
            if let crash = crashes.first, now >= crash {
                crashes.removeFirst()
                die()
                let clock =
                    clocks.isEmpty
                    ? Clock(lead: .seconds(0), isSynced: true, away: .seconds(0))
                    : clocks.removeFirst()
                absence = (now + clock.away, clock)
            }
            if let absence, now >= absence.until {
                self.absence = nil
                try start(by: absence.clock)
            }
            if let restart = restarts.first, now >= restart {
                restarts.removeFirst()
                dropEverybody()
            }
            let isReachable = !brokerOutages.contains { $0.from <= now && now < $0.to }
            if !isReachable { dropEverybody() }
            if isReachable, absence == nil { try connect() }
            radio()
            try nodesWork(isReachable: isReachable)
            guard absence == nil else { continue }
            if isReachable, scale.isBusy { people() }
            if scale.isManaged, now.milliseconds % 5000 == 0 { try manage() }
            for delivery in broker.deliveries(for: "core", at: now) {
                try tell(
                    .message(
                        topic: delivery.topic, payload: delivery.payload,
                        isRetained: delivery.isRetained, at: coordinatorNow))
            }
            // How often it is called changes nothing, so that days without a broker pass quickly.
            let tick: Int64 = isReachable || scale.isBusy ? 1000 : 200_000
            if now.milliseconds % tick == 0 { try tell(.tick(at: coordinatorNow)) }
            try storeFacts()
        }
    }

    /// The coordinator is stopped, its database is replaced, and it is started again.
    mutating func restart(replacing replace: (String) throws -> Void) throws {
        store.close()
        try replace(path)
        store = try Store(path: path)
        die()
        try start(by: Clock(lead: .seconds(0), isSynced: true, away: .seconds(0)))
    }

    /// A node is switched off, its card changed for another one, and it starts again. Returns the card
    /// that was in.
    mutating func change(card: Ring<MemoryDisk>, of node: Int) -> Ring<MemoryDisk> {
        nodes[node].die(&broker, at: now)
        return nodes[node].change(card: card)
    }

    /// The broker forgets what it retained.
    mutating func forgetRetained() { dropEverybody() }

    /// The coordinator dies: what was not committed is gone.
    private mutating func die() {
        inFlight = nil
        broker.disconnect("core", isClean: false, at: now)
        isConnected = false
    }

    /// It comes back from the file.
    private mutating func start(by clock: Clock) throws {
        guard let loaded = try store.load() else { throw Broken.nothingImported }
        pipeline = Pipeline(plan: loaded.plan, names: loaded.names, saved: loaded.saved)
        pipeline.keepsDecisions = true
        told = []
        facts = []
        lead = clock.lead
        if case .begin(let moment) = StartClock.course(
            wall: coordinatorNow, isSynced: clock.isSynced, newest: loaded.saved.site.clock,
            waited: StartClock.patience)
        {
            lead = moment - now
        }
        // What the manager decided just before.
        try tell(.overrides(store.decisions(), at: coordinatorNow))
    }

    private mutating func dropEverybody() {
        broker.restart()
        guard isConnected else { return }
        isConnected = false
        for index in nodes.indices { nodes[index].disconnect() }
        pipeline.disconnected()
    }

    private mutating func connect() throws {
        guard !isConnected else { return }
        isConnected = true
        broker.connect("core", at: now)
        try perform(pipeline.connected(at: coordinatorNow))
    }

    private mutating func radio() {
        let people = world.people
        world.advance(to: now) { emission in
            nodes[emission.node].heard(emission.packet(of: people).span, at: emission.at)
        }
    }

    private mutating func nodesWork(isReachable: Bool) throws {
        for index in nodes.indices {
            guard !faults.isOut(index, at: now) else {
                nodes[index].die(&broker, at: now)
                continue
            }
            try nodes[index].work(
                &broker, isReachable: isReachable, at: now,
                clock: faults.clock(of: index, at: now), step: scale.step)
        }
    }

    /// People ask for workouts now and then, sometimes for nonsense, and sometimes twice.
    private mutating func people() {
        guard now.milliseconds % 2000 == 0 else { return }
        requests += 1
        let user = world.people[requests % Self.people].slug
        let verbs = Verb.all.filter(\.isOfMachines)
        let verb = verbs[(requests / 3) % verbs.count]
        let station = names.stations.entries[requests % names.stations.entries.count].slug
        let payload = RequestPayload(
            id: "r\(requests / 2)",
            json: Self.arguments(of: verb, user: user, station: station, number: requests / 2))
        let topic = SiteTopics(site: names.site)[.request, "phone", verb.name]
        let asked = Publication(topic: topic, payload: payload.json, quality: 1, isRetained: false)
        broker.publish(asked, at: now)
    }

    /// A session is moved or removed, or the start of an open one moved; every eighth time, what is a
    /// minute past is locked. Refused is what changed meanwhile or is locked.
    private mutating func manage() throws {
        decisions += 1
        let ended = pipeline.mesh.saved.sessions.filter { $0.to != nil }
        let open = pipeline.mesh.saved.sessions.filter { $0.to == nil }
        if decisions % 8 == 0 {
            _ = try Books(store).perform(
                .lock(
                    through: "2026-09-21", boundary: coordinatorNow - .seconds(60), reason: "paid",
                    force: true), by: "mia", via: .cli, at: coordinatorNow)
        } else if decisions % 3 == 1, !open.isEmpty {
            // One that goes on began earlier or later.
            let session = open[decisions % open.count]
            let moved = session.from + .seconds(decisions % 2 == 0 ? 3 : -2)
            try correct(
                .times(session.id, revision: nil, from: min(moved, coordinatorNow), to: nil))
        } else if !ended.isEmpty {
            let session = ended[decisions % ended.count]
            try correct(
                decisions % 3 == 0
                    ? .remove(session.id, revision: nil)
                    : .times(
                        session.id, revision: nil, from: session.from - .seconds(2),
                        to: session.to))
        }
        try tell(.overrides(store.decisions(), at: coordinatorNow))
    }

    /// Somebody asks for a change, and somebody approves it, unless it is refused.
    private func correct(_ change: SessionChange) throws {
        let asked = try Books(store).perform(
            .request(change, reason: "forgot"), by: "ann", via: .cli, at: coordinatorNow)
        guard case .success(.correction(let row)) = asked else { return }
        _ = try Books(store).perform(
            .approve(row.id, reason: "seen"), by: "mia", via: .cli, at: coordinatorNow)
    }

    private mutating func tell(_ input: Told) throws {
        told.append(input)
        let effects: [Pipeline.Effect]
        switch input {
        case .message(let topic, let payload, let isRetained, let at):
            effects = pipeline.heard(
                topic: topic, payload: payload.span, isRetained: isRetained, at: at)
        case .tick(let at): effects = pipeline.tick(at: at)
        case .recalled(let found, let at): effects = pipeline.recalled(found, at: at)
        case .overrides(let overrides, let at):
            effects = pipeline.adopt(overrides: overrides, at: at)
        }
        for case .fact(let fact) in pipeline.takeDecisions() { facts.append((told.count, fact)) }
        try perform(effects)
    }

    private mutating func perform(_ effects: [Pipeline.Effect]) throws {
        for effect in effects {
            switch effect {
            case .commit(let batch): inFlight = batch
            case .recall(let recalls):
                try tell(.recalled(try store.recall(recalls), at: coordinatorNow))
            case .publish(let publication): broker.publish(publication, at: now)
            case .subscribe(let filters, let quality):
                for filter in filters {
                    broker.subscribe("core", to: filter, quality: quality, at: now)
                }
            case .unsubscribe(let filters):
                for filter in filters { broker.unsubscribe("core", from: filter) }
            case .show, .warn, .complain, .respond, .ask, .ingest, .notified: break
            case .restore(_, let reason): throw Refused(reason: reason)
            }
        }
    }

    struct Refused: Error {
        let reason: String
    }

    /// The database thread: one transaction at a time, a quarter of a second late.
    private mutating func storeFacts() throws {
        while let batch = inFlight {
            inFlight = nil
            do {
                try store.commit(batch)
            } catch {
                try perform(pipeline.refused(.never("\(error)"), at: coordinatorNow))
            }
            try perform(pipeline.committed())
            if pipeline.isSettled { try afterCommit(self) }
        }
    }

    /// What the broker retains of the site's own tree.
    var retained: [String: [UInt8]] {
        let root = SiteTopics(site: names.site).root
        var topics: [String: [UInt8]] = [:]
        for publication in broker.retained where publication.topic.hasPrefix(root) {
            let rest = publication.topic.dropFirst(root.count)
            if rest.hasPrefix("node/"), !rest.hasSuffix("config/desired"),
                !rest.hasSuffix("cursor")
            {
                continue
            }
            topics[publication.topic] = publication.payload
        }
        return topics
    }
}
