import Testing

@testable import Demo
@testable import Simulation
@testable import SiteModel

/// The people of a demonstration train as people do, and say so in an order that makes sense.
struct DemoTrainerTests {
    private static let site = DemoSite(people: 12, seed: 3, hasCapture: false)

    /// What each person says in so many hours.
    private func said(_ pace: Pace, hours: Int) -> [[DemoTrainer.Action]] {
        let start = Timestamp(milliseconds: 1_760_000_000_000)
        var world = World(
            Self.site.layout, people: Self.site.people, pace: pace, seed: 3, from: start)
        let offered = Self.site.offered
        var trainers = Self.site.people.indices.map {
            DemoTrainer(offered: offered, pace: pace, person: UInt64($0), seed: 3)
        }
        var said = trainers.map { _ in [DemoTrainer.Action]() }
        for second in start.second..<(start.second + Int64(hours) * 3600) {
            _ = world.frames(second: second)
            for person in trainers.indices {
                said[person] += trainers[person].step(at: world.now, world.truth(person))
            }
        }
        return said
    }

    @Test func `every station has what is trained there`() {
        let offered = Self.site.offered
        #expect(offered.count == Self.site.layout.stations.count)
        #expect(offered.allSatisfy { !$0.isEmpty })
        let squat = offered.joined().first { $0.exercise.slug == "back-squat" }
        #expect(squat?.exercise.rest == 180 && squat?.increment == 2500)
    }

    @Test(arguments: [Pace.live, .everyday])
    func `a workout begins, has its sets and ends, now and then long after`(pace: Pace) {
        let said = said(pace, hours: pace == .live ? 4 : 96)
        var keys: Set<String> = []
        var kinds: [WorkoutSet.Kind: Int] = [:]
        var forgotten = 0
        for actions in said {
            var isOpen = false
            var station: Int?
            for action in actions {
                switch action {
                case .start(let place):
                    #expect(!isOpen)
                    (isOpen, station) = (true, place)
                case .move(let place):
                    #expect(isOpen && place != station, "\(action)")
                    station = place
                case .complete(let moment):
                    #expect(isOpen)
                    isOpen = false
                    if moment != nil { forgotten += 1 }
                case .set(let set):
                    #expect(isOpen && station != nil)
                    #expect(set.measure != nil && set.key.isUUID && keys.insert(set.key).inserted)
                    kinds[set.kind ?? .working, default: 0] += 1
                }
            }
        }
        #expect(forgotten > 0)
        for kind in WorkoutSet.Kind.allCases { #expect(kinds[kind, default: 0] > 0, "\(kind)") }
        #expect(kinds[.working, default: 0] > kinds[.warmUp, default: 0])
    }

    @Test func `the same seed trains alike`() {
        #expect(said(.live, hours: 1) == said(.live, hours: 1))
    }
}
