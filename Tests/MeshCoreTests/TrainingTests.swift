import Testing

@testable import SiteEngine
@testable import SiteModel

/// Workouts and claims: each verb in each state.
struct TrainingTests {
    var training = Training(plan: MeshSite.plan(), saved: Saved())
    var rows = MeshRows()
    var next: Int64 = 1
    let ann = MeshSite.users[0]
    let ben = MeshSite.users[1]
    let cleo = MeshSite.users[2]

    enum Verb: CaseIterable {
        case start, pause, resume, complete

        func request(_ user: UserID) -> Request.Verb {
            switch self {
            case .start: .startWorkout(user, nil)
            case .pause: .pauseWorkout(user)
            case .resume: .resumeWorkout(user)
            case .complete: .completeWorkout(user)
            }
        }
    }

    @discardableResult
    private mutating func perform(_ verb: Request.Verb, _ at: Double) -> Answer.Outcome {
        let (facts, outcome) = training.perform(verb, at: moment(at), next: &next)
        rows.apply(facts)
        if case .refused = outcome { #expect(facts.isEmpty, "a refusal changes nothing") }
        return outcome
    }

    @Test(
        arguments: [
            // From nothing, active, paused and completed; `nil` is a refusal.
            ([], Verb.start, Workout.State.active), ([], .pause, nil), ([], .resume, nil),
            ([], .complete, nil),
            ([.start], .start, nil), ([.start], .pause, .paused), ([.start], .resume, nil),
            ([.start], .complete, .completed),
            ([.start, .pause], .start, nil), ([.start, .pause], .pause, .paused),
            ([.start, .pause], .resume, .active), ([.start, .pause], .complete, .completed),
            ([.start, .complete], .start, .active), ([.start, .complete], .pause, nil),
            ([.start, .complete], .resume, nil), ([.start, .complete], .complete, nil),
        ] as [([Verb], Verb, Workout.State?)])
    mutating func `each verb in each state does what the table says`(
        before: [Verb], verb: Verb, after: Workout.State?
    ) {
        for (index, verb) in before.enumerated() { perform(verb.request(ann), Double(index)) }
        let old = training.latest(of: ann)
        let outcome = perform(verb.request(ann), 10)
        let workout = training.latest(of: ann)
        if let after {
            #expect(workout?.state == after)
            #expect(outcome == workout.map { .workout($0) })
        } else {
            #expect(workout == old)
            let refusal: Answer.Refusal =
                before.isEmpty ? .notFound : verb == .start ? .alreadyActive : .badState
            #expect(outcome == .refused(refusal))
        }
        #expect(rows.faults == [])
    }

    @Test mutating func `each step is told once, when it happened`() {
        for (index, verb) in [Verb.start, .pause, .pause, .resume, .complete].enumerated() {
            perform(verb.request(ann), Double(index))
        }
        let events = rows.events.values.sorted { $0.id < $1.id }
        #expect(events.map(\.kind) == [.started, .paused, .resumed, .completed])
        #expect(events.map(\.at) == [0, 1, 3, 4].map { moment($0) })
    }

    @Test mutating func `completing while paused ends the pause, too`() {
        perform(.startWorkout(ann, nil), 0)
        perform(.pauseWorkout(ann), 10)
        perform(.completeWorkout(ann), 25)
        let workout = training.latest(of: ann)
        #expect(workout?.paused == .seconds(15))
        #expect(workout?.pausedSince == nil && workout?.to == moment(25))
    }

    @Test mutating func `a clock set back ends nothing before it began`() {
        perform(.startWorkout(ann, MeshSite.bench), 100)
        perform(.pauseWorkout(ann), 50)
        perform(.resumeWorkout(ann), 20)
        perform(.completeWorkout(ann), 10)
        let workout = training.latest(of: ann)
        #expect(workout?.to == moment(100) && workout?.paused == .seconds(0))
        #expect(rows.faults == [])
    }

    @Test mutating func `a station has as many slots as it has, the lowest free one is taken`() {
        perform(.startWorkout(ann, MeshSite.rack), 0)
        perform(.startWorkout(ben, MeshSite.rack), 0)
        #expect(perform(.startWorkout(cleo, MeshSite.rack), 0) == .refused(.stationInUse))
        #expect(training.holders(of: MeshSite.rack) == [ann, ben])
        perform(.completeWorkout(ann), 5)
        perform(.startWorkout(cleo, MeshSite.rack), 5)
        #expect(training.holders(of: MeshSite.rack) == [cleo, ben])
        #expect(rows.faults == [])
    }

    @Test mutating func `of two who start at one slot in one millisecond exactly one gets it`() {
        let outcomes = [ann, ben].map { perform(.startWorkout($0, MeshSite.bench), 7) }
        #expect(outcomes[1] == .refused(.stationInUse))
        #expect(training.holders(of: MeshSite.bench) == [ann])
        #expect(training.open == 1 && training.latest(of: ben) == nil)
    }

    @Test mutating func `completing frees the claim in the same facts`() {
        perform(.startWorkout(ann, MeshSite.bench), 0)
        perform(.pauseWorkout(ann), 1)
        #expect(training.holders(of: MeshSite.bench) == [ann], "a pause keeps the station")
        let (facts, _) = training.perform(.completeWorkout(ann), at: moment(9), next: &next)
        #expect(facts.workouts.map(\.to) == [moment(9)])
        #expect(facts.claims.map(\.to) == [moment(9)])
        #expect(training.holders(of: MeshSite.bench).isEmpty)
    }

    @Test mutating func `a station that does not exist is not found`() {
        #expect(perform(.startWorkout(ann, StationID(99)), 0) == .refused(.notFound))
        #expect(training.latest(of: ann) == nil)
    }

    @Test func `what is stored goes on after a restart`() {
        var run = SiteRun()
        run.ask(.startWorkout(ann, MeshSite.bench), id: "1", 0)
        run.ask(.pauseWorkout(ann), id: "2", 10)
        var again = SiteRun(saved: run.mesh.saved)
        again.ask(.startWorkout(ben, MeshSite.bench), id: "3", 15)
        again.ask(.completeWorkout(ann), id: "4", 20)
        let outcomes = again.decisions.facts.answers.map(\.outcome)
        #expect(outcomes.first == .refused(.stationInUse))
        #expect(again.mesh.saved.workouts.first?.paused == .seconds(10))
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
            let stations = [nil, MeshSite.bench, MeshSite.rack]
            let verb = Verb.allCases.randomElement(using: &dice) ?? .start
            if verb == .start, let station = stations.randomElement(using: &dice) {
                test.perform(.startWorkout(user, station), now)
            } else {
                test.perform(verb.request(user), now)
            }
        }
        #expect(test.rows.faults == [])
        #expect(test.rows.workouts.values.filter { $0.to == nil }.count == test.training.open)
        let claimed = test.rows.claims.values.filter { $0.to == nil }.map(\.user)
        let holding = [MeshSite.bench, MeshSite.rack].flatMap { test.training.holders(of: $0) }
        #expect(Set(claimed) == Set(holding))
    }
}
