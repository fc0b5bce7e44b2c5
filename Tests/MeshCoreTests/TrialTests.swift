import Testing

@testable import Positioning
@testable import SiteModel

/// What each engine is worth is learned by holding back whole stretches.
struct TrialTests {
    private static let ears: [Ear] = (1...3).map { .node(NodeID($0)) }
    private static let rooms = (1...3).map { Place(room: RoomID($0), station: nil) }

    /// Stretches of a minute at each room: its own node hears at `own` dBm, the others at −73 and −76.
    private static func survey(stands: Int, own: [Double] = [-50, -50, -50]) -> Survey {
        var dice = Dice(seed: 4)
        var second = 0.0
        var stretches: [[Survey.Second]] = []
        for _ in 0..<stands {
            for room in rooms.indices {
                stretches.append(
                    (0..<60).map { _ in
                        second += 1
                        return Survey.Second(
                            place: rooms[room], at: moment(second),
                            heard: ears.indices.map { ear in
                                let far = -70 - 3 * Double((ear - room + 3) % 3)
                                let level = ear == room ? own[ear] : far
                                return Survey.Heard(
                                    ear: ears[ear],
                                    level: RSSI(dBm: level + .random(in: -2...2, using: &dice)))
                            })
                    })
            }
        }
        return Survey(ears: ears, stretches: stretches)
    }

    /// Each node stands for the room of its number.
    private static func home(_ ear: Ear) -> Place? {
        ears.firstIndex(of: ear).map { rooms[$0] }
    }

    @Test func `where each room has a node both engines are right`() throws {
        let trial = try #require(Self.survey(stands: 2).trial(homes: Self.home))
        #expect(trial.results.map(\.place) == Self.rooms)
        for result in trial.results {
            #expect(result.seconds == 120 && result.levels == 120 && result.spots == 120)
            #expect(result.misled == 0)
        }
    }

    @Test func `a room whose node is quiet is found by spots, and levels name another`() throws {
        let survey = Self.survey(stands: 2, own: [-50, -50, -90])
        let trial = try #require(survey.trial(homes: Self.home))
        let quiet = try #require(trial.results.first { $0.place == Self.rooms[2] })
        #expect(quiet.levels == 0 && quiet.spots == 120)
        #expect(trial.results.reduce(0) { $0 + $1.misled } == 120)
        let shares = try #require(trial.shares)
        #expect(abs(shares.levels - 2.0 / 3) < 1e-12 && shares.spots == 1)
    }

    @Test func `one stand at each place is no trial, nor is a site of unknown nodes`() throws {
        #expect(Self.survey(stands: 1).trial(homes: Self.home) == nil)
        #expect(Self.survey(stands: 2).trial(homes: { _ in nil }) == nil)
        #expect(Survey(ears: Self.ears, stretches: []).trial(homes: Self.home) == nil)
        let model = try #require(Self.survey(stands: 2).model(revision: 1))
        #expect(model.trial == nil)
    }

    @Test func `second stands at a few places say nothing of the others`() throws {
        var survey = Self.survey(stands: 2)
        survey.stretches.removeLast(2)
        #expect(survey.trial(homes: Self.home) == nil)
        survey = Self.survey(stands: 2)
        survey.stretches.removeLast()
        #expect(survey.trial(homes: Self.home)?.results.count == 2)
    }

    @Test func `levels say the less beside spots, the more often they misled here`() throws {
        let survey = Self.survey(stands: 2, own: [-50, -50, -90])
        let trial = try #require(survey.trial(homes: Self.home))
        let says = Self.rooms.map { LevelTrust.say(at: $0, trial) }
        let misleading = try #require(trial.results.firstIndex { $0.misled > 0 })
        let honest = misleading == 0 ? 1 : 0
        #expect(says[misleading] < says[honest])
        #expect(says.allSatisfy { (0...1).contains($0) })
        #expect(LevelTrust.say(at: Self.rooms[0], nil) == LevelTrust.untried)
    }
}
