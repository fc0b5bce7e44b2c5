import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import TrainingEngine

/// Workouts that are logged when they are over.
struct PastWorkoutTests {
    private var run = TrainingRun()
    private let ann = MeshSite.users[0]
    private let now = 400_000.0

    private static func key(_ number: Int) -> String {
        "00000000-0000-4000-8000-00000000000\(number)"
    }

    private static func plank(_ number: Int = 1, at second: Double? = nil) -> GivenSet {
        GivenSet(
            key: key(number), exercise: "plank", duration: 60, at: second.map { moment($0) })
    }

    /// Logs one, and returns the word of a refusal.
    @discardableResult
    private mutating func log(
        _ from: Double?, _ to: Double?, _ sets: [GivenSet] = [], station: StationID? = nil,
        recalled: Recalled? = nil, at second: Double? = nil
    ) -> Answer.Outcome {
        let past = Request.Past(
            from: from.map { moment($0) }, to: to.map { moment($0) }, station: station, sets: sets)
        return run.perform(.past(past), recalled: recalled, second ?? now)
    }

    private mutating func refused(
        _ from: Double?, _ to: Double?, _ sets: [GivenSet] = [], station: StationID? = nil,
        recalled: Recalled? = nil
    ) -> ProblemCode? {
        let outcome = log(from, to, sets, station: station, recalled: recalled)
        return if case .refused(let code, _) = outcome { code } else { nil }
    }

    @Test mutating func `it is a workout that was, with its sets, and takes no slot`() {
        let press = GivenSet(
            key: Self.key(2), exercise: "bench-press", reps: 5, weight: 60_000, at: moment(150))
        let outcome = log(100, 200, [Self.plank(), press])
        let workout = run.rows.workouts.values.first
        #expect(workout?.state == .completed && workout?.cause == .stated)
        #expect(workout?.from == moment(100) && workout?.to == moment(200))
        #expect(run.rows.claims.isEmpty && run.rows.events.isEmpty && run.rows.waits.isEmpty)
        #expect(run.row(Self.key(1))?.at == moment(200), "at the end, if it is not said")
        #expect(run.row(Self.key(2))?.at == moment(150))
        #expect(run.row(Self.key(1))?.number == 1 && run.row(Self.key(2))?.number == 2)
        #expect(run.rows.faults == [] && run.training.open == 0)
        guard case .workout(let log) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(log.totals.sets == 2 && log.totals.volume == 300_000 && log.sets.isEmpty)
    }

    @Test mutating func `it does not go on, and is in nobody's way`() {
        log(now - 200, now - 100)
        #expect(run.perform(.reopen, now) == .refused(.badState))
        #expect(run.perform(.complete(), now) == .refused(.alreadyCompleted))
        #expect(!run.perform(.start(MeshSite.bench), now).isRefusal)
        // While one goes on, an older one can be logged: the open one stays the newest.
        log(100, 200, [Self.plank()], at: now + 10)
        #expect(run.training.latest(of: ann)?.to == nil && run.training.open == 1)
        #expect(!run.perform(.complete(), now + 20).isRefusal)
    }

    @Test mutating func `one that was logged by mistake is taken back`() {
        log(now - 200_000, now - 199_000, [Self.plank()])
        #expect(run.perform(.cancel, now) == .refused(.badState), "which one must be said")
        #expect(!run.perform(.cancel, workout: 1, now).isRefusal)
        #expect(run.rows.workouts[1]?.state == .cancelled && run.rows.events.isEmpty)
        #expect(run.rows.workouts[1]?.to == moment(now - 199_000))
        #expect(run.perform(.cancel, workout: 1, now) == .refused(.badState))
        #expect(refused(now - 200_000, now - 199_000) == nil)
    }

    @Test mutating func `one that is not held any more is taken back, too`() {
        log(now - 300_000, now - 299_000, [Self.plank()])
        log(now - 200_000, now - 199_000)
        #expect(run.perform(.cancel, workout: 1, now) == .refused(.notFound))
        #expect(
            run.perform(.cancel, workout: 1, recalled: Recalled(hasWorkout: true), now)
                == .refused(.badState))
        let older = run.rows.workouts[1].map { WorkoutLog($0, isNewest: false) }
        let recalled = Recalled(hasWorkout: true, stated: older)
        #expect(!run.perform(.cancel, workout: 1, recalled: recalled, now).isRefusal)
        #expect(run.rows.workouts[1]?.state == .cancelled)
        #expect(run.training.latest(of: ann)?.from == moment(now - 200_000))
        // Nothing else is done to it.
        #expect(
            run.perform(.pause, workout: 1, recalled: recalled, now) == .refused(.badState))
    }

    @Test mutating func `its sets are changed for a day, as those of others`() {
        log(now - 200, now - 100, [Self.plank()])
        let change = GivenSet(key: Self.key(1), duration: 75)
        #expect(!run.perform(.changeSet(change, revision: 1), now).isRefusal)
        #expect(run.row(Self.key(1))?.measure == .duration(75))
        #expect(!run.perform(.addSet(Self.plank(2, at: now - 150)), now).isRefusal)
        #expect(run.perform(.addSet(Self.plank(3, at: now - 99)), now) == .refused(.badState))
        #expect(!run.perform(.deleteSet(key: Self.key(2)), now).isRefusal)
    }

    @Test mutating func `what is missing, too much or used is refused first`() {
        let set = Self.plank()
        #expect(refused(nil, 200) == .schema && refused(100, nil) == .schema)
        #expect(refused(100, 200, station: MeshSite.bench) == .schema)
        #expect(refused(100, 200, [set, set]) == .schema)
        #expect(
            refused(100, 200, [GivenSet(key: Self.key(1), exercise: "plank", reps: 3)]) == .schema)
        let used = Recalled(knowsSets: true, isTaken: true)
        #expect(refused(200, 100, [set], recalled: used) == .idempotencyMismatch)
        #expect(
            refused(200, 100, [GivenSet(key: Self.key(1), exercise: "yoga", reps: 3)]) == .notFound)
        var elsewhere = set
        elsewhere.station = StationID(9)
        #expect(refused(200, 100, [elsewhere]) == .notFound)
        log(100, 200, [set])
        #expect(refused(300, 400, [set]) == .idempotencyMismatch)
    }

    @Test mutating func `who has not agreed logs none`() {
        var plan = MeshSite.plan()
        plan.users[0].hasAgreed = false
        var training = Training(plan: plan, logs: [], downtimes: [])
        var next: Int64 = 1
        let past = Request.Past(from: moment(100), to: moment(200))
        let (facts, outcome) = training.perform(.past(past), of: ann, at: moment(now), next: &next)
        #expect(facts.isEmpty && next == 1 && outcome == .refused(.consentRequired))
    }

    @Test mutating func `a time that cannot have been is refused`() {
        #expect(refused(200, 200) == .badTime && refused(200, 100) == .badTime)
        #expect(refused(100, now + 1) == .badTime)
        #expect(refused(100, 100 + 24 * 3600 + 1) == .badTime)
        #expect(refused(100, 200, [Self.plank(at: 201)]) == .badTime)
        #expect(refused(100, 200, [Self.plank(at: 99)]) == .badTime)
        #expect(refused(100, 100 + 24 * 3600) == nil)
    }

    @Test mutating func `nobody trains twice at a time`() {
        #expect(refused(100, 200, recalled: Recalled(isTaken: true)) == .overlap)
        // Side by side is no overlap.
        #expect(refused(100, 200) == nil && refused(200, 300) == nil && refused(50, 100) == nil)
        #expect(refused(199, 201) == .overlap && refused(120, 130) == .overlap)
        run.perform(.start(nil), now - 1000)
        #expect(refused(now - 1100, now - 900) == .overlap)
        run.perform(.cancel, now - 500)
        #expect(refused(now - 1100, now - 900) == nil, "what was none is in nobody's way")
    }

    @Test func `what may be in the way is looked up`() throws {
        let training = run.training
        let past = Request.Past(from: moment(100), to: moment(200), sets: [Self.plank()])
        let recall = try #require(
            training.recall(for: .past(past), of: ann, workout: nil, at: moment(now)))
        #expect(recall.sets == [Self.key(1)] && recall.span == past.span && !recall.isEmpty)
        var other = recall
        #expect(recall.isCovered(by: other))
        other.span = nil
        #expect(!recall.isCovered(by: other) && other.isCovered(by: recall))
    }

    @Test mutating func `logging one ends no wait`() {
        var training = run.training
        var next: Int64 = 1
        _ = training.perform(
            .start(MeshSite.bench), of: MeshSite.users[1], at: moment(0), next: &next)
        let asked = training.perform(
            .join, at: MeshSite.bench, of: ann, at: moment(now - 50), next: &next)
        #expect(asked.refusal == nil)
        let past = Request.Past(from: moment(now - 40), to: moment(now - 10))
        let done = training.perform(.past(past), of: ann, at: moment(now), next: &next)
        #expect(!done.outcome.isRefusal)
        _ = training.settle(at: moment(now), next: &next)
        #expect(training.book.wait(of: ann)?.station == MeshSite.bench)
    }
}
