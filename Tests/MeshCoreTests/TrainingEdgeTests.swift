import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import TrainingEngine

/// Workouts where the configuration changed meanwhile, or a clock is ahead.
struct TrainingEdgeTests {
    var run = TrainingRun()
    private let ann = MeshSite.users[0]
    private let ben = MeshSite.users[1]
    private let cleo = MeshSite.users[2]
    private let rack = MeshSite.plan().stations[0].id

    /// The same site with another plan, and what was stored of workouts.
    private func adopted(_ change: (inout Plan) -> Void) -> Training {
        var plan = run.training.plan
        change(&plan)
        let logs = run.rows.workouts.values.sorted { $0.id < $1.id }.map { workout in
            WorkoutLog(
                workout, claims: run.rows.claims.values.filter { $0.workout == workout.id },
                sets: run.rows.sets.values.filter { $0.workout == workout.id })
        }
        return Training(plan: plan, logs: logs, downtimes: [])
    }

    @Test func `nothing is done for somebody who was retired`() {
        var (training, next) = (adopted { $0.users.removeAll { $0.id == ann } }, Int64(100))
        for verb in [Request.Training.start(nil), .pause, .complete(), .addSet(.bench(5, 60))] {
            let (facts, outcome) = training.perform(verb, of: ann, at: moment(1), next: &next)
            #expect(facts.isEmpty && outcome.refusal == .notFound, "\(verb)")
        }
    }

    @Test mutating func `a slot that is given back a little ahead is the next one's from then on`()
        throws
    {
        let slots = run.training.plan.stations[0].slots
        for user in [ann, ben, cleo].prefix(slots) {
            run.perform(.start(rack), by: user, 10)
            run.perform(.addSet(.bench(5, 60, at: 22)), by: user, 20)
            run.perform(.complete(), by: user, 20)
        }
        for user in [ann, ben, cleo].prefix(slots) { run.perform(.start(rack), by: user, 20.5) }
        let claims = run.rows.claims.values
        #expect(
            claims.filter { $0.to == nil }.map(\.from) == Array(repeating: moment(22), count: slots)
        )
        for a in claims {
            for b in claims where a.id < b.id && a.slot == b.slot {
                #expect((a.to ?? .init(milliseconds: .max)) <= b.from, "\(a) and \(b)")
            }
        }
    }

    @Test mutating func `where there are fewer slots than before nobody new comes until all fit`() {
        var plan = run.training.plan
        plan.stations[0].slots = 2
        var (training, next) = (Training(plan: plan, logs: [], downtimes: []), Int64(1))
        var logs: [WorkoutLog] = []
        for user in [ann, ben] {
            let (facts, _) = training.perform(.start(rack), of: user, at: moment(1), next: &next)
            var (workouts, claims): ([Workout], [Claim]) = ([], [])
            for fact in facts {
                if case .workout(let workout) = fact { workouts.append(workout) }
                if case .claim(let claim) = fact { claims.append(claim) }
            }
            logs.append(WorkoutLog(workouts[0], claims: claims))
        }
        plan.stations[0].slots = 1
        training = Training(plan: plan, logs: logs, downtimes: [])
        _ = training.perform(.complete(), of: ann, at: moment(2), next: &next)
        let (_, refused) = training.perform(.start(rack), of: cleo, at: moment(3), next: &next)
        #expect(refused.refusal == .stationInUse)
        _ = training.perform(.complete(), of: ben, at: moment(4), next: &next)
        let (_, taken) = training.perform(.start(rack), of: cleo, at: moment(5), next: &next)
        #expect(taken.refusal == nil)
    }

    @Test mutating func `a set without a time belongs to the workout that begins a little ahead`() {
        run.perform(.start(nil), 1)
        run.perform(.addSet(.bench(5, 60, at: 12)), 10)
        run.perform(.complete(), 10)
        run.perform(.start(nil), 10.5)
        let open = run.rows.workouts.values.first { $0.to == nil }
        #expect(open?.from == moment(12))
        let set = run.perform(.addSet(.bench(5, 60, key: "b")), 11).taken
        #expect(set?.workout == open?.id && set?.at == moment(12))
    }

    @Test mutating func `a set of an exercise that was retired can be changed`() {
        run.perform(.start(nil), 1)
        run.perform(.addSet(.bench(5, 60)), 2)
        var (training, next) = (adopted { $0.exercises = [] }, Int64(100))
        let change = GivenSet(key: "a", reps: 6)
        let (_, outcome) = training.perform(
            .changeSet(change, revision: 1), of: ann, at: moment(3), next: &next)
        #expect(outcome.taken?.measure == .reps(6) && outcome.taken?.weight == 60_000)
        let wrong = GivenSet(key: "a", duration: 6)
        let (_, refused) = training.perform(
            .changeSet(wrong, revision: 2), of: ann, at: moment(3), next: &next)
        #expect(refused.refusal == .schema)
        let (_, added) = training.perform(
            .addSet(.bench(5, 60, key: "b")), of: ann, at: moment(3), next: &next)
        #expect(added.refusal == .notFound)
    }

    @Test mutating func `a working set is the same whether it says so or not`() {
        run.perform(.start(nil), 1)
        let first = run.perform(.addSet(.bench(5, 60)), 2)
        #expect(run.perform(.addSet(.bench(5, 60, kind: .working)), 3) == first)
        #expect(
            run.perform(.addSet(.bench(5, 60, kind: .drop)), 3).refusal == .idempotencyMismatch)
    }

    @Test mutating func `a full workout says so before it looks at times`() {
        run.perform(.start(nil), 1)
        for number in 0..<Training.mostSets {
            run.perform(.addSet(.bench(5, 60, key: "k\(number)")), 2)
        }
        #expect(run.perform(.addSet(.bench(5, 60, key: "z", at: 0)), 3).refusal == .rateLimited)
    }

    @Test mutating func `what is told of a workout does not grow with it`() throws {
        run.perform(.start(nil), 1)
        for number in 1...100 {
            run.perform(.move(number.isMultiple(of: 2) ? nil : rack), Double(number) * 10)
            run.perform(.pause, Double(number) * 10 + 1)
            run.perform(.resume, Double(number) * 10 + 3)
        }
        guard case .workout(let log) = run.perform(.complete(), 2000) else {
            Issue.record("not done")
            return
        }
        #expect(log.claims.count == WorkoutLog.mostTold && log.workout.pauses.count == 1)
        #expect(log.workout.paused == .seconds(200))
        #expect(run.rows.workouts.values.first?.pauses.count == 100)
        #expect(run.rows.claims.count == 50)
    }
}
