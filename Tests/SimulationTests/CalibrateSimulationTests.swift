import Foundation
import Testing

@testable import Calibration
@testable import Demo
@testable import Positioning
@testable import Simulation
@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore
@testable import Registry

/// A gym of which only some stations have a node: what is learned by standing at the others finds
/// people there.
struct CalibrateSimulationTests {
    /// The demonstration's gym with five of its eleven nodes.
    private static let layout = {
        var layout = Layout.gym
        layout.nodes.removeAll { node in
            !["n-treadmill", "n-mats", "n-cardio", "n-entrance", "n-studio"].contains(node.slug)
        }
        return layout
    }()
    private static let start = Timestamp(milliseconds: 1_790_000_000_000)
    private static let people = 6

    /// Labelled seconds of everybody: a stretch for each stay of ten seconds or more.
    private struct Labels {
        var legs: [SurveyLeg] = []
        private var open: [(place: Place, seconds: [Survey.Second])?]

        init() { open = Array(repeating: nil, count: people) }

        mutating func add(
            _ person: Int, at place: Place?, _ second: Survey.Second?, carrier: String,
            ears: [Ear]
        ) {
            if let stay = open[person], stay.place != place {
                // Nobody says to the second when they come and go.
                let seconds = Array(stay.seconds.dropFirst(2).dropLast(2))
                if seconds.count >= 10 {
                    legs.append(
                        SurveyLeg(
                            place: stay.place, source: .walk, carrier: carrier, ears: ears,
                            seconds: seconds))
                }
                open[person] = nil
            }
            guard let place, let second else { return }
            open[person] = (place, (open[person]?.seconds ?? []) + [second])
        }
    }

    /// How often somebody is found who has been at a station for ten seconds.
    private struct Score: Equatable {
        var right = 0
        var all = 0
        var share: Double { Double(right) / Double(max(all, 1)) }
    }

    /// The same frames for one plan, and where it says everybody is.
    private struct Follower {
        var mesh: Mesh
        var stations: [UserID: StationID] = [:]
        var score = Score()

        init(_ plan: Plan) { mesh = Mesh(plan: plan, restoring: Saved()) }

        mutating func handle(_ frames: [(Frame, NodeID)], at now: Timestamp) {
            for (frame, node) in frames {
                var decisions: [Decision] = []
                mesh.handle(.frame(frame, from: node), at: now, into: &decisions)
                for case .live(.presence(let state)) in decisions {
                    stations[state.user] = state.station
                }
            }
        }
    }

    private static func document(_ people: [Person]) -> SiteDocument {
        var document = DemoSite(people: Self.people, seed: 3, hasCapture: false).document
        document.nodes.removeAll { node in !layout.nodes.contains { $0.slug == node.slug } }
        // What is far from every node is faint there.
        document.policy.stationFloor = RSSI(dBm: -100)
        return document
    }

    @Test func `learned stations without a node are found, and rolling back forgets them`() throws {
        let people = Layout.people(count: Self.people, seed: 3)
        let scratch = try CalibrateStore(Self.document(people), at: Self.start)
        let (store, site) = (scratch.site.store, scratch.site)
        var world = World(
            Self.layout, people: people, pace: .live, seed: 11, from: Self.start)
        let ears = Self.layout.nodes.compactMap { site.names.nodes.id($0.slug) }
            .map { Ear.node($0) }
        var labels = Labels()
        let begin = Self.start.second
        for second in begin..<begin + 2_400 {
            let heard = world.frames(second: second)
            for person in people.indices {
                let place = place(of: world.truth(person), site)
                let levels = ears.indices.compactMap { node in
                    heard[node].first { $0.person == person }
                        .map { Survey.Heard(ear: ears[node], level: $0.median) }
                }.sorted { $0.ear < $1.ear }
                labels.add(
                    person, at: place,
                    place.map {
                        Survey.Second(
                            place: $0, at: Timestamp(second: second + 1), heard: levels)
                    }, carrier: people[person].beaconSlug, ears: ears.sorted())
            }
        }
        for leg in labels.legs { try ModelTable(store).addSurvey([leg]) }
        let gathered = Gathered(try ModelTable(store).survey(), at: site)
        let report = CalibrationReport(gathered, at: site)
        let expected = try #require(report.accuracy)
        #expect(expected > 0.6)
        let before = try #require(try store.load()?.plan)
        try ModelTable(store).apply(
            try #require(report.model), through: gathered.through,
            seconds: report.seconds, accuracy: report.accuracy,
            at: world.now)
        let learned = try #require(try store.load()?.plan)
        #expect(try ModelTable(store).rollBack(to: 0, at: world.now))
        let back = try #require(try store.load()?.plan)
        #expect(learned.model != nil && back.model == nil)

        var followers = [before, learned, back].map(Follower.init)
        try live(&world, seconds: 1_200, &followers, people, site)
        let scores = followers.map(\.score)
        #expect(scores[0].all > 1_000)
        #expect(scores[0] == scores[2], "rolled back is as it was")
        #expect(scores[1].share > scores[0].share + 0.25, "\(scores)")
        #expect(scores[1].share > 0.6, "\(scores)")
    }

    private func place(
        of whereabouts: World.Whereabouts?, _ site: CalibrationSite
    ) -> Place? {
        guard let station = whereabouts?.station else { return nil }
        return try? site.place(Self.layout.stations[station].slug)
    }

    /// Lets people live on, and follows them by each plan.
    private func live(
        _ world: inout World, seconds: Int64, _ followers: inout [Follower], _ people: [Person],
        _ site: CalibrationSite
    ) throws {
        let nodes = Self.layout.nodes.compactMap { site.names.nodes.id($0.slug) }
        let beacons = people.compactMap { site.names.beacons.id($0.beaconSlug) }
        let users = people.compactMap { site.names.users.id($0.slug) }
        var stay = Array(repeating: 0, count: people.count)
        let begin = world.now.second
        for second in begin..<begin + seconds {
            let heard = world.frames(second: second)
            let now = Timestamp(second: second + 1)
            let frames = nodes.indices.map { node in
                (
                    Frame(
                        boot: 1, sequence: second - begin + 1, at: now,
                        entries: heard[node].map {
                            Frame.Entry(
                                beacon: beacons[$0.person], median: $0.median, count: $0.count,
                                strongest: $0.strongest)
                        }.sorted { $0.beacon < $1.beacon }), nodes[node]
                )
            }
            for index in followers.indices { followers[index].handle(frames, at: now) }
            for person in people.indices {
                let station = world.truth(person)?.station
                stay[person] = station == nil ? 0 : stay[person] + 1
                guard stay[person] > 10, let station else { continue }
                let row = site.names.stations.id(Self.layout.stations[station].slug)
                for index in followers.indices {
                    followers[index].score.all += 1
                    if followers[index].stations[users[person]] == row {
                        followers[index].score.right += 1
                    }
                }
            }
        }
    }
}

/// A site in a database of its own, removed with it.
private final class CalibrateStore {
    let path = NSTemporaryDirectory() + "calibrate-\(UUID().uuidString).sqlite"
    let site: CalibrationSite

    init(_ document: SiteDocument, at start: Timestamp) throws {
        let store = try Store(path: path)
        try SiteImport(store).importDocument(document, at: start - .seconds(60))
        store.close()
        site = try CalibrationSite(database: path)
    }

    deinit {
        site.store.close()
        for end in ["", "-wal", "-shm"] { unlink(path + end) }
    }
}
