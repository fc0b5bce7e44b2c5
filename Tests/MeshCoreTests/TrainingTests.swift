import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import TrainingEngine

/// Workouts and claims: each verb in each state.
struct TrainingTests {
    var training = Training(plan: MeshSite.plan(), logs: [], downtimes: [])
    var rows = MeshRows()
    var next: Int64 = 1
    let ann = MeshSite.users[0]
    let ben = MeshSite.users[1]
    let cleo = MeshSite.users[2]

    @discardableResult
    private mutating func perform(
        _ verb: Request.Training, _ user: UserID, _ at: Double
    ) -> Answer.Outcome {
        let (facts, outcome) = training.perform(verb, of: user, at: moment(at), next: &next)
        rows.apply(facts.map { Fact($0) })
        if case .refused = outcome { #expect(facts.isEmpty, "a refusal changes nothing") }
        return outcome
    }

    @Test(
        arguments: [
            // From nothing, active, paused and completed; `nil` is a refusal.
            ([], Request.Training.start(nil), Workout.State.active), ([], .pause, nil),
            ([], .resume, nil),
            ([], .complete(), nil),
            ([.start(nil)], .start(nil), nil), ([.start(nil)], .pause, .paused),
            ([.start(nil)], .resume, nil),
            ([.start(nil)], .complete(), .completed),
            ([.start(nil), .pause], .start(nil), nil), ([.start(nil), .pause], .pause, .paused),
            ([.start(nil), .pause], .resume, .active),
            ([.start(nil), .pause], .complete(), .completed),
            ([.start(nil), .complete()], .start(nil), .active),
            ([.start(nil), .complete()], .pause, nil),
            ([.start(nil), .complete()], .resume, nil),
            ([.start(nil), .complete()], .complete(), nil),
            ([], .cancel, nil), ([.start(nil)], .cancel, .cancelled),
            ([.start(nil), .pause], .cancel, .cancelled),
            ([.start(nil), .complete()], .cancel, nil), ([.start(nil), .cancel], .cancel, nil),
            ([.start(nil), .cancel], .resume, nil),
            ([.start(nil), .cancel], .start(nil), .active),
        ] as [([Request.Training], Request.Training, Workout.State?)])
    mutating func `each verb in each state does what the table says`(
        before: [Request.Training], verb: Request.Training, after: Workout.State?
    ) {
        for (index, verb) in before.enumerated() { perform(verb, ann, Double(index)) }
        let old = training.latest(of: ann)
        let outcome = perform(verb, ann, 10)
        let workout = training.latest(of: ann)
        if let after {
            #expect(workout?.state == after)
            #expect(outcome == workout.map { .workout(WorkoutLog($0).standing) })
        } else {
            #expect(workout == old)
            let refusal: ProblemCode =
                verb == .start(nil)
                ? .alreadyActive
                : verb == .complete() && before.last == .complete() ? .alreadyCompleted : .badState
            #expect(outcome == .refused(refusal))
        }
        #expect(rows.faults == [])
    }

    @Test mutating func `each step is told once, when it happened`() {
        for (index, verb) in [Request.Training.start(nil), .pause, .pause, .resume, .complete()]
            .enumerated()
        {
            perform(verb, ann, Double(index))
        }
        let events = rows.events.values.sorted { $0.id < $1.id }
        #expect(events.map(\.kind) == [.started, .paused, .resumed, .completed])
        #expect(events.map(\.at) == [0, 1, 3, 4].map { moment($0) })
    }

    @Test mutating func `completing while paused ends the pause, too`() {
        perform(.start(nil), ann, 0)
        perform(.pause, ann, 10)
        perform(.complete(), ann, 25)
        let workout = training.latest(of: ann)
        #expect(workout?.paused == .seconds(15))
        #expect(workout?.pausedSince == nil && workout?.to == moment(25))
    }

    @Test mutating func `a clock set back ends nothing before it began`() {
        perform(.start(MeshSite.bench), ann, 100)
        perform(.pause, ann, 50)
        perform(.resume, ann, 20)
        perform(.complete(), ann, 10)
        let workout = training.latest(of: ann)
        #expect(workout?.to == moment(100) && workout?.paused == .seconds(0))
        #expect(rows.faults == [])
    }

    @Test mutating func `a station has as many slots as it has, the lowest free one is taken`() {
        perform(.start(MeshSite.rack), ann, 0)
        perform(.start(MeshSite.rack), ben, 0)
        #expect(
            perform(.start(MeshSite.rack), cleo, 0)
                == .refused(.stationInUse, .init(since: moment(0))))
        #expect(training.book.holders(of: MeshSite.rack) == [ann, ben])
        perform(.complete(), ann, 5)
        perform(.start(MeshSite.rack), cleo, 5)
        #expect(training.book.holders(of: MeshSite.rack) == [cleo, ben])
        #expect(rows.faults == [])
    }

    @Test mutating func `of two who start at one slot in one millisecond exactly one gets it`() {
        let outcomes = [ann, ben].map { perform(.start(MeshSite.bench), $0, 7) }
        #expect(outcomes[1] == .refused(.stationInUse, .init(since: moment(7))))
        #expect(training.book.holders(of: MeshSite.bench) == [ann])
        #expect(training.open == 1 && training.latest(of: ben) == nil)
    }

    @Test mutating func `completing frees the claim in the same facts`() {
        perform(.start(MeshSite.bench), ann, 0)
        perform(.pause, ann, 1)
        #expect(training.book.holders(of: MeshSite.bench) == [ann], "a pause keeps the station")
        let facts = training.perform(.complete(), of: ann, at: moment(9), next: &next).facts
            .map { Fact($0) }
        #expect(facts.workouts.map(\.to) == [moment(9)])
        #expect(facts.claims.map(\.to) == [moment(9)])
        #expect(training.book.holders(of: MeshSite.bench).isEmpty)
    }

    @Test mutating func `a station that does not exist is not found`() {
        #expect(perform(.start(StationID(99)), ann, 0) == .refused(.notFound))
        #expect(training.latest(of: ann) == nil)
    }

    @Test func `what is stored goes on after a restart`() {
        var run = SiteRun()
        run.ask(.training(ann, .start(MeshSite.bench)), id: "1", 0)
        run.ask(.training(ann, .pause), id: "2", 10)
        var again = SiteRun(saved: run.mesh.saved)
        again.ask(.training(ben, .start(MeshSite.bench)), id: "3", 15)
        again.ask(.training(ann, .complete()), id: "4", 20)
        let outcomes = again.decisions.facts.answers.map(\.outcome)
        #expect(outcomes.first == .refused(.stationInUse, .init(since: moment(0))))
        #expect(again.mesh.saved.workouts.first?.workout.paused == .seconds(10))
        #expect(again.mesh.saved.claims.isEmpty)
    }

    /// Whoever asks for whatever in whatever order, by a clock that also runs backwards.
    @Test(arguments: UInt64(1)...200)
    func `durations are never negative and the database agrees`(seed: UInt64) {
        var dice = Dice(seed: seed)
        var test = self
        var now = 0.0
        for _ in 0..<120 {
            now += .random(in: -30...60, using: &dice)
            let user = MeshSite.users.randomElement(using: &dice) ?? ann
            let verbs: [Request.Training] = [
                .start(nil), .start(MeshSite.bench), .start(MeshSite.rack), .pause, .resume,
                .complete(), .cancel,
            ]
            test.perform(verbs.randomElement(using: &dice) ?? .pause, user, now)
        }
        #expect(test.rows.faults == [])
        #expect(test.rows.workouts.values.filter { $0.to == nil }.count == test.training.open)
        let claimed = test.rows.claims.values.filter { $0.to == nil }.map(\.user)
        let holding = [MeshSite.bench, MeshSite.rack].flatMap { test.training.book.holders(of: $0) }
        #expect(Set(claimed) == Set(holding))
    }

    @Test func `a refusal says who has the station, of those who share it`() {
        var plan = MeshSite.plan()
        plan.users[1].shares = true
        var (training, next) = (Training(plan: plan, logs: [], downtimes: []), Int64(1))
        func start(_ user: UserID, _ second: Double) -> Answer.Outcome {
            training.perform(.start(MeshSite.rack), of: user, at: moment(second), next: &next)
                .outcome
        }
        _ = start(MeshSite.users[0], 0)
        _ = start(MeshSite.users[1], 1)
        #expect(
            start(MeshSite.users[2], 2)
                == .refused(.stationInUse, .init(since: moment(1), holders: [MeshSite.users[1]])))
    }
}
