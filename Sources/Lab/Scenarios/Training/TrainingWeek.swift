import Basics
import Foundation
import Registry
import Simulation
import SiteEngine
import SiteModel
import SiteStore
import TrainingEngine

/// Members who train at the simulated gym for some days without touching a phone, but to wait for a station: what the
/// mesh makes of it, and what was so.
struct TrainingWeek {
    /// What it follows from.
    struct Options {
        var people = 200
        var days = 7
        var seed: UInt64 = 1
    }

    /// Somebody's time at a station, in truth.
    struct Stay: Equatable {
        var person: Int
        var station: Int
        var interval: Interval
    }

    /// What is set at every station, as `beaconmesh station change` would.
    static let timing = Station.Timing(autoStart: 20, autoPause: 120, claimGrace: 120)
    /// Midnight of Monday, the 5th of October 2026, at the gym.
    static let start = Timestamp(milliseconds: 1_791_151_200_000)
    /// The chance that somebody who rests, while a station is taken, waits for it.
    private static let waiting = 0.5
    /// The chance that somebody takes what they are offered; the others let it pass.
    private static let taking = 0.8
    /// So many seconds after the last day all has ended: a workout is abandoned after four hours.
    private static let tail: Int64 = 5 * 3600

    private let options: Options
    private let layout = Layout.gym
    private var world: World
    private var mesh: Mesh
    private let nodes: [NodeID]
    private let beacons: [BeaconID]
    let users: [UserID]
    let stations: [StationID]
    private var dice: SeededRandom
    private var sequence: Int64 = 0
    private var requests = 0
    /// Where everybody is at a station, since when.
    private var here: [(station: Int, since: Int64)?]
    /// Who has decided about this rest already.
    private var hasDecided: [Bool]
    /// The rows of the open claims of each station.
    private var held: [StationID: Set<Int64>] = [:]
    /// By user, the wait they have.
    private var waits: [UserID: Wait] = [:]

    /// What was so.
    private(set) var stays: [Stay] = []
    /// When everybody was at the site, in truth, by person.
    private(set) var visits: [IntervalSet]
    /// The newest of each row.
    private(set) var workouts: [Int64: Workout] = [:]
    private(set) var claims: [Int64: Claim] = [:]
    private(set) var queue: [Int64: Wait] = [:]
    /// When each wait was offered a slot, by row.
    private(set) var offered: [Int64: Timestamp] = [:]
    /// How often a station came into conflict.
    private(set) var conflicts = 0
    private var inConflict: Set<StationID> = []

    init(_ options: Options) throws {
        self.options = options
        let people = Layout.people(count: options.people, seed: options.seed)
        let folder = NSTemporaryDirectory() + "beaconmesh-week-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        // Nothing is lost if it stays: the system clears its temporary directory.
        defer { _ = try? FileManager.default.removeItem(atPath: folder) }
        let store = try Store(path: folder + "/site.sqlite")
        defer { store.close() }
        _ = try SiteImport(store).importDocument(
            Self.document(layout, people), at: Self.start - .seconds(3600))
        guard let loaded = try store.load() else { throw MonthSite.Fault.nothingImported }
        mesh = Mesh(plan: loaded.plan, restoring: loaded.saved)
        let names = loaded.names
        nodes = layout.nodes.compactMap { names.nodes.id($0.slug) }
        beacons = people.compactMap { names.beacons.id($0.beaconSlug) }
        users = people.compactMap { names.users.id($0.slug) }
        stations = layout.stations.compactMap { names.stations.id($0.slug) }
        world = World(
            layout, people: people, pace: .everyday, seed: options.seed, from: Self.start)
        dice = SeededRandom(seed: options.seed, stream: 60)
        here = people.map { _ in nil }
        hasDecided = people.map { _ in false }
        visits = people.map { _ in IntervalSet(joining: .seconds(60)) }
    }

    private static func document(_ layout: Layout, _ people: [Person]) -> SiteDocument {
        var document = SiteDocument(
            slug: layout.slug, name: layout.name, timeZone: layout.timeZone, isDemo: true,
            rooms: layout.rooms.map {
                .init(
                    slug: $0.slug, name: $0.name,
                    area: Area(
                        low: Position(x: $0.low.x, y: $0.low.y),
                        high: Position(x: $0.high.x, y: $0.high.y)))
            },
            stations: layout.stations.map {
                .init(
                    slug: $0.slug, name: $0.name, room: layout.rooms[$0.room].slug,
                    slots: $0.slots, x: $0.position.x, y: $0.position.y)
            },
            nodes: layout.nodes.map { node in
                .init(
                    slug: node.slug, name: node.name, room: layout.rooms[node.room].slug,
                    station: node.station.map { layout.stations[$0].slug }, x: node.position.x,
                    y: node.position.y)
            },
            users: people.map { .init(slug: $0.slug, name: $0.name) },
            beacons: people.map {
                .init(
                    slug: $0.beaconSlug, title: "Tag \($0.minor)", identity: $0.identity,
                    user: $0.slug)
            })
        for index in document.stations.indices {
            document.stations[index].use.autoStart = timing.autoStart
            document.stations[index].use.autoPause = timing.autoPause
            document.stations[index].use.claimGrace = timing.claimGrace
        }
        return document
    }

    /// Lets all days pass, and the night after them. `progress` is told the share done, 0 ... 1.
    mutating func run(_ progress: (Double) -> Void = { _ in }) {
        let first = Self.start.second
        let last = first + Int64(options.days) * 86_400
        var told: Int64 = 0
        for second in first..<last + Self.tail {
            let now = Timestamp(second: second + 1)
            listen(world.frames(second: second), at: now)
            for person in users.indices { look(at: person, second) }
            let percent = (second - first) * 100 / (last + Self.tail - first)
            guard percent > told else { continue }
            told = percent
            progress(Double(percent) / 100)
        }
        for person in users.indices { leave(person, at: last + Self.tail) }
    }

    /// One frame of every node, also where it heard nothing.
    private mutating func listen(_ heard: [[World.Heard]], at now: Timestamp) {
        sequence += 1
        for (index, node) in nodes.enumerated() {
            var entries = heard[index].map {
                Frame.Entry(
                    beacon: beacons[$0.person], median: $0.median, count: $0.count,
                    strongest: $0.strongest)
            }
            entries.sort { $0.beacon < $1.beacon }
            let frame = Frame(boot: 1, sequence: sequence, at: now, entries: entries)
            handle(.frame(frame, from: node), at: now)
        }
    }

    /// Notes where somebody really is, and has them do what people do.
    private mutating func look(at person: Int, _ second: Int64) {
        let truth = world.truth(person)
        if truth != nil {
            visits[person].insert(
                Interval(from: Timestamp(second: second), to: Timestamp(second: second + 1)))
        }
        if here[person]?.station != truth?.station {
            leave(person, at: second)
            here[person] = truth?.station.map { ($0, second) }
        }
        guard let truth, truth.station == nil else {
            hasDecided[person] = false
            return
        }
        wait(person, at: Timestamp(second: second + 1))
    }

    private mutating func leave(_ person: Int, at second: Int64) {
        guard let (station, since) = here[person] else { return }
        here[person] = nil
        stays.append(
            Stay(
                person: person, station: station,
                interval: Interval(from: Timestamp(second: since), to: Timestamp(second: second))))
    }

    /// Whoever rests may wait for a station that is taken, and go there when it is their turn.
    private mutating func wait(_ person: Int, at now: Timestamp) {
        let user = users[person]
        if let wait = waits[user] {
            guard offered[wait.id] != nil, wait.offeredUntil != nil, !hasDecided[person] else {
                return
            }
            hasDecided[person] = true
            guard dice.chance(Self.taking),
                let station = stations.firstIndex(of: wait.station),
                world.call(person, to: station)
            else { return }
            ask(.queue(user, .accept, wait.station), at: now)
            return
        }
        guard !hasDecided[person], world.rests(person) else { return }
        hasDecided[person] = true
        let taken = stations.indices.filter {
            held[stations[$0], default: []].count >= layout.stations[$0].slots
        }
        guard dice.chance(Self.waiting), !taken.isEmpty else { return }
        ask(.queue(user, .join, stations[taken[dice.index(below: taken.count)]]), at: now)
        // The offer is another decision.
        hasDecided[person] = false
    }

    private mutating func ask(_ verb: Request.Verb, at now: Timestamp) {
        requests += 1
        handle(
            .request(
                Request(client: "phone", id: "w\(requests)", name: "simulated", verb: verb)),
            at: now)
    }

    private mutating func handle(_ input: Input, at now: Timestamp) {
        var decisions: [Decision] = []
        mesh.handle(input, at: now, into: &decisions)
        for decision in decisions {
            switch decision {
            case .fact(.workout(let workout)): workouts[workout.id] = workout
            case .fact(.claim(let claim)):
                claims[claim.id] = claim
                if claim.to == nil {
                    held[claim.station, default: []].insert(claim.id)
                } else {
                    held[claim.station, default: []].remove(claim.id)
                }
            case .fact(.wait(let wait)): take(wait, at: now)
            case .live(.station(let state)):
                if state.state != .conflict {
                    inConflict.remove(state.station)
                } else if inConflict.insert(state.station).inserted {
                    conflicts += 1
                }
            case .fact, .live: break
            }
        }
    }

    private mutating func take(_ wait: Wait, at now: Timestamp) {
        queue[wait.id] = wait
        waits[wait.user] = wait.ended == nil ? wait : nil
        if wait.offeredUntil != nil, wait.ended == nil, offered[wait.id] == nil {
            offered[wait.id] = now
        }
    }
}
