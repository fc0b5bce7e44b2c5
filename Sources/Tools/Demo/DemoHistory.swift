import Simulation
import SiteEngine
import SiteModel
import SiteStore
import TrainingEngine
import Wire

/// Two weeks of a gym's life, run through the very core that runs live, so that no page is empty; and this day so far.
struct DemoHistory {
    /// What came of it.
    struct Outcome {
        var frames = 0
        var facts = 0
    }

    private var world: World
    private var mesh: Mesh
    private let nodes: [NodeID]
    private let beacons: [BeaconID]
    private let users: [UserID]
    private let stations: [StationID]
    private var sequence: Int64 = 0
    private var requests: Int64 = 0
    private var trainers: [DemoTrainer]
    /// What everybody reached in ended workouts, by exercise.
    private var bests: [UserID: [String: ExerciseBests]] = [:]
    /// The sets of open workouts, by their rows.
    private var open: [Int64: [WorkoutSet]] = [:]
    private var pending: [Fact] = []
    private var outcome = Outcome()

    /// The history of a site up to midnight before `now`.
    init(
        site: DemoSite, loaded: (plan: Plan, names: Names, saved: Saved), days: Int, seed: UInt64,
        before now: Timestamp
    ) {
        let day: Int64 = 86_400
        let midnight = now.second / day * day - site.layout.ahead.milliseconds / 1000
        let start = Timestamp(second: midnight - Int64(days) * day)
        world = World(
            site.layout, people: site.people, pace: .everyday, seed: seed, from: start)
        mesh = Mesh(plan: loaded.plan, restoring: loaded.saved)
        let names = loaded.names
        nodes = site.layout.nodes.compactMap { names.nodes.id($0.slug) }
        beacons = site.people.compactMap { names.beacons.id($0.beaconSlug) }
        users = site.people.compactMap { names.users.id($0.slug) }
        stations = site.layout.stations.compactMap { names.stations.id($0.slug) }
        let offered = site.offered
        trainers = users.indices.map {
            DemoTrainer(offered: offered, pace: .everyday, person: UInt64($0), seed: seed)
        }
        end = midnight
        opened = Timestamp(
            second: min(max(now.second - Self.openFor, midnight + Self.night), now.second))
        today = World(site.layout, people: site.people, pace: .live, seed: seed, from: opened)
    }

    private let end: Int64
    /// When people began to come on this day.
    let opened: Timestamp
    /// This day, whose people the live part goes on with.
    private var today: World

    /// For how long people have come and gone when the live part begins, and for how long nobody did before, in seconds.
    private static let (openFor, night): (Int64, Int64) = (2400, 900)

    /// How long before the first arrival the nodes listen again after a night, so that a session
    /// does not begin with a gap that needs a review.
    private static let lead: Int64 = 120

    /// Runs it all, storing as it goes, up to `opening`, when the live part begins. `progress` is told the share done, 0 ... 1.
    mutating func run(
        into store: Store, opening: () -> Timestamp, progress: (Double) -> Void
    ) throws -> Outcome {
        let start = world.now.second
        var second = start
        var quietSince = second
        var told = -1
        while second < end {
            let isHeard = step(second)
            if isHeard { quietSince = second + 1 }
            second += 1
            // Five minutes of listening in vain close every session; then the night can pass.
            if second - quietSince > 300 {
                second = max(second, min(world.quietUntil.second - Self.lead, end))
            }
            if pending.count >= 1000 { try flush(into: store) }
            let percent = Int((second - start) * 100 / max(end - start, 1))
            if percent > told {
                told = percent
                progress(Double(min(percent, 100)) / 100)
            }
        }
        // The gym has closed: people left at midnight are sent home.
        for rest in second..<(second + 300) { listen(Timestamp(second: rest + 1), heard: []) }
        // Today the nodes listen from just before the first comes to when the live part begins.
        var rest = max(second + 300, opened.second - Self.lead)
        while rest < opening().second {
            let heard = rest < opened.second ? [] : today.frames(second: rest)
            listen(Timestamp(second: rest + 1), heard: heard)
            rest += 1
        }
        try flush(into: store)
        return outcome
    }

    private mutating func step(_ second: Int64) -> Bool {
        let heard = world.frames(second: second)
        let now = Timestamp(second: second + 1)
        listen(now, heard: heard)
        train(at: now)
        return heard.contains { !$0.isEmpty }
    }

    /// One frame of every node, also when it heard nothing.
    private mutating func listen(_ now: Timestamp, heard: [[World.Heard]]) {
        sequence += 1
        for index in nodes.indices {
            var entries: [Frame.Entry] = []
            if index < heard.count {
                entries = heard[index].map {
                    Frame.Entry(
                        beacon: beacons[$0.person], median: $0.median, count: $0.count,
                        strongest: $0.strongest)
                }
                entries.sort { $0.beacon < $1.beacon }
            }
            outcome.frames += 1
            let frame = Frame(boot: 1, sequence: sequence, at: now, entries: entries)
            handle(.frame(frame, from: nodes[index]), at: now)
        }
    }

    /// People start a workout at their first station, log what they do, and complete it when they leave.
    private mutating func train(at now: Timestamp) {
        for person in users.indices {
            for action in trainers[person].step(at: now, world.truth(person)) {
                let verb: Request.Training =
                    switch action {
                    case .start(let station): .start(stations[station])
                    case .move(let station): .move(station.map { stations[$0] })
                    case .set(let set): .addSet(set)
                    case .complete(let moment): .complete(at: moment)
                    }
                ask(.training(users[person], verb), at: now)
            }
        }
    }

    private mutating func ask(_ verb: Request.Verb, at now: Timestamp) {
        requests += 1
        let request = Request(
            client: "demo-history", id: "h\(requests)", name: "history", verb: verb)
        // What is not stored yet cannot be looked up: it is known here.
        let recalled = mesh.recall(for: request, at: now).map { recall in
            Recalled(
                bests: recall.exercise.flatMap { bests[recall.user]?[$0] } ?? ExerciseBests())
        }
        handle(.request(request, recalled: recalled), at: now)
    }

    private mutating func handle(_ input: Input, at now: Timestamp) {
        var decisions: [Decision] = []
        mesh.handle(input, at: now, into: &decisions)
        for case .fact(let fact) in decisions {
            // Nobody is to be told of what was made up.
            if case .notification = fact { continue }
            note(fact)
            pending.append(fact)
        }
    }

    /// Notes what a workout that ends has come to.
    private mutating func note(_ fact: Fact) {
        switch fact {
        case .set(let set): open[set.workout, default: []].append(set)
        case .workout(let workout) where workout.to != nil:
            var known = bests[workout.user] ?? [:]
            var volumes: [String: Int64] = [:]
            for set in open.removeValue(forKey: workout.id) ?? [] {
                known[set.exercise, default: ExerciseBests()].take(set)
                volumes[set.exercise, default: 0] += set.volume
            }
            for (exercise, volume) in volumes { known[exercise]?.take(volume: volume) }
            bests[workout.user] = known
        default: break
        }
    }

    private mutating func flush(into store: Store) throws {
        guard !pending.isEmpty else { return }
        try store.commit(pending)
        outcome.facts += pending.count
        pending.removeAll(keepingCapacity: true)
    }
}
