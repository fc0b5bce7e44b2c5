import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import TrainingEngine

/// The workouts of three users, and what the database would hold of them.
struct TrainingRun {
    private(set) var training: Training
    private(set) var rows = MeshRows()
    /// What came of the last request.
    private(set) var facts: [TrainingFact] = []
    private var next: Int64 = 1

    init() {
        var plan = MeshSite.plan()
        plan.exercises = [
            Exercise(slug: "bench-press", measure: .reps, load: .weight),
            Exercise(slug: "pull-up", measure: .reps, load: .bodyweight, rest: 120),
            Exercise(slug: "plank", measure: .time, load: .none, rest: 60),
            Exercise(slug: "rowing", measure: .distance, load: .none),
            Exercise(slug: "walk", measure: .time, load: .weight),
        ]
        training = Training(plan: plan, logs: [], downtimes: [])
    }

    /// Asks for something, `at` seconds after the start of the test. Nothing may come of a refusal.
    @discardableResult
    mutating func perform(
        _ verb: Request.Training, by user: UserID = MeshSite.users[0], workout: Int64? = nil,
        recalled: Recalled? = nil, _ at: Double
    ) -> Answer.Outcome {
        let before = next
        let (facts, outcome) = training.perform(
            verb, of: user, workout: workout, recalled: recalled, at: moment(at), next: &next)
        self.facts = facts
        rows.apply(facts.map { Fact($0) })
        if case .refused = outcome {
            #expect(facts.isEmpty && next == before, "a refusal changes nothing")
        }
        return outcome
    }

    /// The stored set of a key.
    func row(_ key: String, of user: UserID = MeshSite.users[0]) -> WorkoutSet? {
        rows.sets.values.first { $0.user == user && $0.key == key }
    }
}

extension Answer.Outcome {
    /// The set it tells of.
    var taken: WorkoutSet? { if case .set(let set, _) = self { set } else { nil } }
    var refusal: ProblemCode? { if case .refused(let code, _) = self { code } else { nil } }
}

/// Sets as tests give them, mostly of one key; weights in kilograms.
extension GivenSet {
    static func bench(
        _ reps: Int, _ kilograms: Double, rir: Int? = nil, kind: WorkoutSet.Kind? = nil,
        key: String = "a", at: Double? = nil
    ) -> GivenSet {
        GivenSet(
            key: key, exercise: "bench-press", kind: kind, reps: reps,
            weight: Int64((kilograms * 1000).rounded()), rir: rir, at: at.map { moment($0) })
    }

    static func pullUp(_ reps: Int, _ kilograms: Double? = nil, key: String = "a") -> GivenSet {
        GivenSet(
            key: key, exercise: "pull-up", reps: reps,
            weight: kilograms.map { Int64(($0 * 1000).rounded()) })
    }

    static func plank(_ seconds: Int) -> GivenSet {
        GivenSet(key: "a", exercise: "plank", duration: seconds)
    }

    static func rowing(_ metres: Int) -> GivenSet {
        GivenSet(key: "a", exercise: "rowing", distance: metres)
    }

    static func walk(_ seconds: Int, _ kilograms: Double) -> GivenSet {
        GivenSet(
            key: "a", exercise: "walk", duration: seconds,
            weight: Int64((kilograms * 1000).rounded()))
    }
}

/// Sets: which are taken and which refused, and what is answered when one comes again.
struct SetTests {
    var run = TrainingRun()
    let ann = MeshSite.users[0]
    let ben = MeshSite.users[1]

    @Test(
        arguments: [
            (GivenSet(key: "a", exercise: "bench-press", weight: 60_000), "reps"),
            (GivenSet(key: "a", exercise: "plank"), "duration_s"),
            (GivenSet(key: "a", exercise: "rowing"), "distance_m"),
            (
                GivenSet(key: "a", exercise: "bench-press", reps: 5, duration: 9, weight: 1),
                "duration_s"
            ),
            (GivenSet(key: "a", exercise: "pull-up", reps: 5, distance: 9), "distance_m"),
            (GivenSet(key: "a", exercise: "plank", reps: 5, duration: 9), "reps"),
            (GivenSet(key: "a", exercise: "plank", duration: 9, distance: 9), "distance_m"),
            (GivenSet(key: "a", exercise: "rowing", reps: 5, distance: 9), "reps"),
            (GivenSet(key: "a", exercise: "rowing", duration: 9, distance: 9), "duration_s"),
            (GivenSet(key: "a", exercise: "bench-press", reps: 5), "weight_kg"),
            (GivenSet(key: "a", exercise: "walk", duration: 9), "weight_kg"),
            (GivenSet(key: "a", exercise: "plank", duration: 9, weight: 5000), "weight_kg"),
            (GivenSet(key: "a", exercise: "rowing", distance: 9, weight: 0), "weight_kg"),
        ] as [(GivenSet, String)])
    mutating func `a set that does not fit its exercise is refused with the member's name`(
        given: GivenSet, member: String
    ) {
        run.perform(.start(nil), 0)
        #expect(run.perform(.addSet(given), 1) == .refused(.schema, .init(member: member)))
    }

    @Test(arguments: [
        GivenSet(key: "a", exercise: "juggling", reps: 5),
        GivenSet(key: "a", exercise: "pull-up", reps: 5, station: StationID(99)),
    ])
    mutating func `an exercise or a station that does not exist is not found`(given: GivenSet) {
        run.perform(.start(nil), 0)
        #expect(run.perform(.addSet(given), 1) == .refused(.notFound))
    }

    @Test mutating func `a workout that is named must be theirs`() throws {
        run.perform(.start(nil), 0)
        run.perform(.start(nil), by: ben, 0)
        let others = try #require(run.training.latest(of: ben)).id
        for workout in [others, 999] {
            let outcome = run.perform(.addSet(.bench(5, 60)), workout: workout, 1)
            #expect(outcome == .refused(.notFound))
        }
        let own = try #require(run.training.latest(of: ann)).id
        #expect(run.perform(.addSet(.bench(5, 60)), workout: own, 1).taken?.workout == own)
    }

    @Test mutating func `a workout of theirs that was looked up is in no state for a set`() {
        let outcome = run.perform(
            .addSet(.bench(5, 60)), workout: 7, recalled: Recalled(hasWorkout: true), 1)
        #expect(outcome == .refused(.badState))
    }

    @Test(
        arguments: [(9.999, .badTime), (10, nil), (62, nil), (62.001, .badTime)]
            as [(Double, ProblemCode?)])
    mutating func `a set lies between the start and two seconds from now`(
        at: Double, refusal: ProblemCode?
    ) {
        run.perform(.start(nil), 10)
        let outcome = run.perform(.addSet(.bench(5, 60, at: at)), 60)
        #expect(outcome.refusal == refusal)
        #expect(outcome.taken?.at == (refusal == nil ? moment(at) : nil))
    }

    @Test mutating func `a set that says no time was done now, and may be rested after`() {
        run.perform(.start(nil), 10)
        let set = run.perform(.addSet(.pullUp(5)), 60).taken
        #expect(set?.at == moment(60) && set?.restUntil == moment(180))
        #expect(set?.number == 1 && set?.revision == 1 && set?.kind == .working)
    }

    @Test(
        arguments: [
            [], [.start(nil), .complete()], [.start(nil), .cancel],
            [.start(nil), .pause, .complete()],
        ] as [[Request.Training]])
    mutating func `without an open workout nothing takes a set of now`(before: [Request.Training]) {
        for (index, verb) in before.enumerated() { run.perform(verb, Double(index)) }
        #expect(run.perform(.addSet(.bench(5, 60)), 10) == .refused(.badState))
    }

    @Test(arguments: [false, true])
    mutating func `a cancelled workout takes no set`(isAnotherOpen: Bool) {
        run.perform(.start(nil), 0)
        run.perform(.cancel, 10)
        if isAnotherOpen { run.perform(.start(nil), 20) }
        #expect(run.perform(.addSet(.bench(5, 60, at: 5)), 30) == .refused(.badState))
    }

    @Test mutating func `the 501st set is too many, deleted ones included`() {
        run.perform(.start(nil), 0)
        for number in 0..<500 { run.perform(.addSet(.pullUp(5, key: "k\(number)")), 10) }
        run.perform(.deleteSet(key: "k7"), 10)
        #expect(run.rows.sets.count == 500)
        #expect(run.perform(.addSet(.pullUp(5)), 10) == .refused(.rateLimited))
        #expect(run.perform(.addSet(.pullUp(5, key: "k9")), 10).taken?.number == 10)
        run.perform(.complete(), 20)
        run.perform(.start(nil), 30)
        #expect(run.perform(.addSet(.pullUp(5)), 40).taken?.number == 1)
        #expect(run.rows.faults == [])
    }

    @Test mutating func `a paused workout takes sets, and stays paused`() {
        run.perform(.start(nil), 0)
        run.perform(.pause, 10)
        #expect(run.perform(.addSet(.bench(5, 60)), 20).taken?.restUntil == moment(110))
        let workout = run.training.latest(of: ann)
        #expect(workout?.state == .paused && workout?.pausedSince == moment(10))
    }

    @Test(
        arguments: [
            (50, 23 * 3600, nil), (100, 23 * 3600, nil), (100.001, 23 * 3600, .badState),
            (-0.001, 23 * 3600, .badState), (50, 24 * 3600, nil),
            (50, 24 * 3600 + 0.001, .badState),
        ] as [(Double, Double, ProblemCode?)])
    mutating func `a workout that ended takes sets for 24 hours, and no rest follows`(
        at: Double, later: Double, refusal: ProblemCode?
    ) {
        run.perform(.start(nil), 0)
        let own = run.training.latest(of: ann)?.id
        run.perform(.complete(), 100)
        let outcome = run.perform(.addSet(.bench(5, 60, at: at)), 100 + later)
        #expect(outcome.refusal == refusal)
        guard refusal == nil else { return }
        #expect(outcome.taken?.workout == own && outcome.taken?.restUntil == nil)
        #expect(run.rows.faults == [])
    }

    @Test mutating func `beside an open workout the time of one long over cannot be`() {
        run.perform(.start(nil), 0)
        run.perform(.complete(), 100)
        run.perform(.start(nil), 25 * 3600)
        let outcome = run.perform(.addSet(.bench(5, 60, at: 50)), 25 * 3600)
        #expect(outcome == .refused(.badTime))
    }

    @Test(
        arguments: [(99.999, false, 0), (100, false, 1), (99.999, true, 0), (100, true, 1)]
            as [(Double, Bool, Int)])
    mutating func `where two workouts touch, the later one takes the set`(
        at: Double, isOver: Bool, index: Int
    ) throws {
        run.perform(.start(nil), 0)
        run.perform(.complete(), 100)
        run.perform(.start(nil), 100)
        if isOver { run.perform(.complete(), 200) }
        let workouts = run.rows.workouts.keys.sorted()
        try #require(workouts.count == 2)
        let set = run.perform(.addSet(.bench(5, 60, at: at)), 300).taken
        #expect(set?.workout == workouts[index])
    }

    @Test(
        arguments: [
            [], [.pause], [.complete()], [.cancel], [.deleteSet(key: "a")],
            [
                .changeSet(
                    GivenSet(
                        key: "a", kind: .warmUp, reps: 9, weight: 50_000, rir: 1, note: "light"),
                    revision: 1)
            ],
            [
                .changeSet(GivenSet(key: "a", reps: 6), revision: 1), .deleteSet(key: "a"),
                .complete(), .start(nil),
            ],
        ] as [[Request.Training]])
    mutating func `a set that is sent again is answered alike and adds nothing`(
        between: [Request.Training]
    ) {
        run.perform(.start(MeshSite.bench), 0)
        run.perform(.addSet(.bench(5, 50, key: "z")), 5)
        let first = run.perform(.addSet(.bench(5, 60)), 10)
        for verb in between { #expect(run.perform(verb, 20).refusal == nil) }
        #expect(run.perform(.addSet(.bench(5, 60)), 30) == first)
        #expect(run.facts.isEmpty && run.rows.sets.count == 2)
        #expect(run.rows.faults == [])
    }

    @Test(arguments: [
        GivenSet(key: "a", station: MeshSite.rack), GivenSet(key: "a", cleared: [.station]),
        GivenSet(key: "a", at: moment(5)), GivenSet(key: "a", exercise: "pull-up"),
    ])
    mutating func `what the first answer filled in is told again as it was before a change`(
        change: GivenSet
    ) {
        run.perform(.start(MeshSite.bench), 0)
        let first = run.perform(.addSet(.bench(5, 60)), 10)
        #expect(run.perform(.changeSet(change, revision: 1), 20).refusal == nil)
        #expect(run.perform(.addSet(.bench(5, 60)), 30) == first)
        #expect(run.facts.isEmpty)
    }

    @Test(arguments: [false, true])
    mutating func `a set that only the database knows is answered alike`(isDeleted: Bool) {
        run.perform(.start(nil), 0)
        let first = run.perform(.addSet(.bench(5, 60)), 10)
        if isDeleted { run.perform(.deleteSet(key: "a"), 20) }
        let recalled = Recalled(set: run.row("a"))
        var later = TrainingRun()
        let again = later.perform(.addSet(.bench(5, 60)), recalled: recalled, 90 * 86_400)
        #expect(again == first)
        #expect(later.facts.isEmpty)
    }

    @Test(
        arguments: [
            .bench(6, 60), .bench(5, 61), .bench(5, 60, rir: 1), .bench(5, 60, kind: .failure),
            .bench(5, 60, at: 10), .pullUp(5, 60),
            GivenSet(key: "a", exercise: "juggling", reps: 5),
            GivenSet(
                key: "a", exercise: "bench-press", reps: 5, weight: 60_000, station: MeshSite.rack),
            GivenSet(key: "a", exercise: "bench-press", reps: 5, weight: 60_000, note: "x"),
            GivenSet(key: "a", exercise: "bench-press", reps: 5, weight: 60_000, note: "-"),
            GivenSet(
                key: "a", exercise: "bench-press", reps: 5, weight: 60_000,
                target: .init(reps: 5)),
        ] as [GivenSet])
    mutating func `other content under a key that was used is a mismatch`(other: GivenSet) {
        run.perform(.start(nil), 0)
        run.perform(.addSet(.bench(5, 60)), 10)
        #expect(run.perform(.addSet(other), 20) == .refused(.idempotencyMismatch))
        let recalled = Recalled(set: run.row("a"))
        var later = TrainingRun()
        later.perform(.start(nil), 100)
        let outcome = later.perform(.addSet(other), recalled: recalled, 200)
        #expect(outcome == .refused(.idempotencyMismatch))
    }

    @Test mutating func `a fault of the form goes before a mismatch`() {
        run.perform(.start(nil), 0)
        run.perform(.addSet(.bench(5, 60)), 10)
        let wrong = GivenSet(key: "a", exercise: "bench-press", reps: 5)
        let refusal = Answer.Outcome.refused(.schema, .init(member: "weight_kg"))
        #expect(run.perform(.addSet(wrong), 20) == refusal)
    }

    @Test mutating func `a key is its user's own`() {
        for user in [ann, ben] { run.perform(.start(nil), by: user, 0) }
        run.perform(.addSet(.bench(5, 60)), 10)
        #expect(run.perform(.addSet(.bench(6, 70)), by: ben, 10).taken?.user == ben)
        #expect(run.rows.sets.count == 2 && run.rows.faults == [])
    }
}
