import Testing

@testable import SiteEngine
@testable import SiteModel

/// Workouts by request, on a station with one slot and one with two.
@Suite struct CoreTrainingTests {
    let ana = UserID(1)
    let bo = UserID(2)
    let cy = UserID(3)
    let rower = StationID(1)
    let mats = StationID(2)

    func plan() -> Plan {
        Plan(
            revision: 1, site: SiteID(1), rooms: [Room(id: RoomID(1))],
            stations: [
                Station(id: rower, room: RoomID(1), slots: 1),
                Station(id: mats, room: RoomID(1), slots: 2),
            ], nodes: [], users: [User(id: ana), User(id: bo), User(id: cy)], beacons: [],
            bindings: [], policy: Policy())
    }

    func at(_ second: Int64) -> Timestamp { Timestamp(second: 1_000_000 + second) }

    /// A mesh, and what it answers to numbered requests.
    final class Desk {
        private(set) var mesh: Mesh
        var facts: [Fact] = []
        private var number = 0

        init(mesh: Mesh) { self.mesh = mesh }

        func ask(
            _ verb: Request.Verb, at now: Timestamp, id: String? = nil
        ) -> Answer.Outcome? {
            number += 1
            let request = Request(
                client: "phone", id: id ?? "r\(number)", name: "asked", verb: verb)
            var made: [Decision] = []
            mesh.handle(.request(request), at: now, into: &made)
            var outcome: Answer.Outcome?
            for decision in made {
                switch decision {
                case .fact(let fact):
                    facts.append(fact)
                    if case .answer(let answer) = fact { outcome = answer.outcome }
                case .live(.answer(let answer)): outcome = answer.outcome
                case .live: break
                }
            }
            return outcome
        }

        func isRefused(
            _ verb: Request.Verb, at now: Timestamp, _ why: ProblemCode
        ) -> Bool { ask(verb, at: now) == .refused(why) }
    }

    func desk() -> Desk { Desk(mesh: Mesh(plan: plan(), restoring: Saved())) }

    func workout(_ outcome: Answer.Outcome?) -> Workout? {
        guard case .workout(let log) = outcome else { return nil }
        return log.workout
    }

    @Test func `duration is end less start less pauses`() throws {
        let desk = desk()
        _ = desk.ask(.training(ana, .start(rower)), at: at(0))
        _ = desk.ask(.training(ana, .pause), at: at(100))
        _ = desk.ask(.training(ana, .resume), at: at(160))
        _ = desk.ask(.training(ana, .pause), at: at(200))
        let done = try #require(workout(desk.ask(.training(ana, .complete()), at: at(230))))
        #expect(done.state == .completed)
        #expect(done.paused == .seconds(90))
        let end = try #require(done.to)
        #expect((end - done.from).seconds - done.paused.seconds == 140)
    }

    @Test func `pausing twice is pausing once`() throws {
        let desk = desk()
        _ = desk.ask(.training(ana, .start(nil)), at: at(0))
        let once = workout(desk.ask(.training(ana, .pause), at: at(10)))
        let twice = workout(desk.ask(.training(ana, .pause), at: at(20)))
        #expect(once == twice)
        #expect(once?.pausedSince == at(10))
    }

    @Test func `what cannot be is refused with its reason`() {
        let desk = desk()
        #expect(desk.isRefused(.training(ana, .pause), at: at(0), .badState))
        #expect(desk.isRefused(.training(ana, .complete()), at: at(0), .badState))
        _ = desk.ask(.training(ana, .start(nil)), at: at(1))
        #expect(desk.isRefused(.training(ana, .resume), at: at(2), .badState))
        #expect(desk.isRefused(.training(ana, .start(rower)), at: at(3), .alreadyActive))
        _ = desk.ask(.training(ana, .complete()), at: at(4))
        #expect(desk.isRefused(.training(ana, .pause), at: at(5), .badState))
        #expect(desk.isRefused(.training(ana, .complete()), at: at(6), .alreadyCompleted))
    }

    @Test func `of two who want one slot at the same moment exactly one gets it`() {
        let desk = desk()
        #expect(workout(desk.ask(.training(ana, .start(rower)), at: at(0))) != nil)
        #expect(
            desk.ask(.training(bo, .start(rower)), at: at(0))
                == .refused(.stationInUse, .init(since: at(0))))
        #expect(workout(desk.ask(.training(bo, .start(mats)), at: at(0))) != nil)
        #expect(workout(desk.ask(.training(cy, .start(mats)), at: at(0))) != nil)
        let slots = desk.mesh.saved.claims.filter { $0.station == mats }.map(\.slot)
        #expect(slots.sorted() == [1, 2])
    }

    @Test func `completing frees the station in the same facts`() throws {
        let desk = desk()
        _ = desk.ask(.training(ana, .start(rower)), at: at(0))
        desk.facts = []
        _ = desk.ask(.training(ana, .complete()), at: at(60))
        let kinds = desk.facts.compactMap { fact -> String? in
            switch fact {
            case .presence: nil
            case .workout(let workout): "workout \(workout.state)"
            case .claim(let claim): "claim \(claim.to == at(60))"
            case .event(let event): "event \(event.kind.rawValue)"
            case .answer: "answer"
            case .site: "site"
            default: "other"
            }
        }
        #expect(
            kinds == [
                "claim true", "workout completed", "event workout.completed", "answer", "site",
            ])
        #expect(workout(desk.ask(.training(bo, .start(rower)), at: at(60))) != nil)
    }

    @Test func `a request told again is answered alike and adds nothing`() {
        let desk = desk()
        let first = desk.ask(.training(ana, .start(rower)), at: at(0), id: "same")
        desk.facts = []
        #expect(desk.ask(.training(ana, .start(rower)), at: at(9), id: "same") == first)
        // The time that goes by may be stored.
        let added = desk.facts.filter { fact in
            switch fact {
            case .site, .presence: false
            default: true
            }
        }
        #expect(added.isEmpty)
        #expect(
            desk.ask(.training(ana, .pause), at: at(9), id: "same")
                == .refused(.idempotencyMismatch))
        #expect(desk.mesh.saved.workouts.first?.workout.state == .active)
    }

    /// Whatever is asked, and however the clock runs: no negative duration, one open workout a
    /// user, no slot claimed twice.
    @Test(arguments: UInt64(1)...200) func `durations are never negative`(seed: UInt64) {
        var dice = Dice(seed: seed)
        let desk = desk()
        var now: Int64 = 0
        for _ in 0..<60 {
            now += Int64(dice.roll(40)) - 8
            let user = [ana, bo, cy][dice.roll(3)]
            let verb: Request.Verb =
                switch dice.roll(4) {
                case 0: .training(user, .start([nil, rower, mats][dice.roll(3)]))
                case 1: .training(user, .pause)
                case 2: .training(user, .resume)
                default: .training(user, .complete())
                }
            _ = desk.ask(verb, at: at(now))
            for workout in desk.mesh.saved.workouts.map(\.workout) {
                if let to = workout.to {
                    let duration = (to - workout.from).milliseconds - workout.paused.milliseconds
                    #expect(duration >= 0, "seed \(seed)")
                }
                #expect((workout.state == .completed) == (workout.to != nil), "seed \(seed)")
            }
            let claims = desk.mesh.saved.claims.map { "\($0.station.row)/\($0.slot)" }
            #expect(Set(claims).count == claims.count, "seed \(seed)")
        }
    }
}
