import GRDB
import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore
@testable import TrainingEngine
@testable import Workouts

/// What sets come to is what anybody would count from the rows, whoever looks for it.
struct TrainingStatisticsTests {
    private let scratch: Scratch
    private let store: Store

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
    }

    /// Three workouts of Ann, the second of them cancelled, and one of Bob; sets of three exercises.
    private func write(_ random: inout SeededRandom) throws -> [WorkoutSet] {
        var facts: [Fact] = []
        var sets: [WorkoutSet] = []
        for (index, state) in [Workout.State.completed, .cancelled, .completed, .completed]
            .enumerated()
        {
            let (id, begin) = (Int64(index + 1), Double(index) * 90_000)
            let user = index == 3 ? bob : ann
            facts.append(
                .workout(
                    Workout(
                        id: id, user: user, station: nil, state: state, from: at(begin),
                        to: at(begin + 3600), pauses: [], pausedSince: nil)))
            for number in 1...40 {
                let row = id * 1000 + Int64(number)
                let exercise = ["row", "plank", "run"][Int.random(in: 0...2, using: &random)]
                let amount = Int.random(in: 1...15, using: &random)
                let measure: WorkoutSet.Measure =
                    switch exercise {
                    case "row": .reps(amount)
                    case "plank": .duration(amount)
                    default: .distance(amount)
                    }
                sets.append(
                    WorkoutSet(
                        id: row, workout: id, user: user,
                        key: "00000000-0000-4000-8000-00000000\(row)", number: number,
                        exercise: exercise,
                        kind: WorkoutSet.Kind.allCases[Int.random(in: 0...3, using: &random)],
                        measure: measure,
                        weight: exercise == "row"
                            ? Int64.random(in: 1...6, using: &random) * 10_000 : nil,
                        rir: Int.random(in: 0...1, using: &random) == 0 ? nil : 1,
                        at: at(begin + Double(number) * 60),
                        isDeleted: Int.random(in: 0...9, using: &random) == 0, digest: 7))
            }
        }
        try store.commit(facts + sets.map { .set($0) })
        return sets.filter { $0.user == ann && $0.workout != 2 && $0.counts }
    }

    @Test(arguments: UInt64(1)...20)
    func `the best of each kind is the greatest of all that count`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let sets = try write(&random)
        let records = try TrainingStatistics(store).records(of: "u-ann")
        func best(_ kind: WorkoutSet.Record) -> [TrainingStatistics.Best] {
            records.filter { $0.kind == kind }
        }
        #expect(best(.weight).map(\.set.weight) == [sets.compactMap(\.weight).max()])
        let estimates = sets.filter(\.isEstimateSound).compactMap(\.oneRepMax)
        #expect(best(.oneRepMax).map(\.set.oneRepMax) == [estimates.max()])
        let volumes = [1, 3].map { id in
            sets.filter { $0.workout == id && $0.exercise == "row" }.reduce(0) { $0 + $1.volume }
        }
        #expect(best(.volume).map(\.volume) == [volumes.max()])
        let reps = Dictionary(grouping: sets.filter { $0.exercise == "row" }) { $0.weight ?? 0 }
        #expect(best(.reps).map(\.set.weight) == reps.keys.sorted())
        for found in best(.reps) {
            let all = reps[found.set.weight ?? 0]?.compactMap {
                if case .reps(let count) = $0.measure { count } else { nil }
            }
            #expect(found.set.measure == .reps(all?.max() ?? 0))
        }
        #expect(records.allSatisfy { $0.set.key.hasSuffix("\($0.set.id)") })
        let row = try TrainingStatistics(store).records(of: "u-ann", in: "row")
        #expect(row == records.filter { $0.exercise == "row" })
        // What the machines look up says the same.
        let recalled = try store.recall([Recall(user: ann, exercise: "row")])[0].bests
        #expect(recalled.weight == best(.weight).first?.set.weight)
        #expect(recalled.volume == volumes.max() && recalled.oneRepMax == estimates.max())
        #expect(recalled.reps.map(\.weight) == reps.keys.sorted())
        let without = try store.recall([Recall(user: ann, exercise: "row", except: [3])])[0].bests
        #expect(without.volume == volumes[0])
    }

    @Test(arguments: UInt64(1)...20)
    func `weeks add up to all sets, and their records are those of the order`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let sets = try write(&random)
        let all = Interval(from: at(0), to: at(1_000_000))
        let statistics = TrainingStatistics(store)
        let weeks = try statistics.weeks(of: "u-ann", in: all) {
            $0 < at(90_000) ? "one" : "two"
        }.exercises
        #expect(
            weeks.map { "\($0.exercise) \($0.week)" }.count
                == Set(weeks.map { "\($0.exercise) \($0.week)" }).count)
        #expect(weeks.reduce(0) { $0 + $1.sets } == sets.count)
        #expect(weeks.reduce(0) { $0 + $1.volume } == sets.reduce(0) { $0 + $1.volume })
        // From nothing, without what the program counts by.
        var records = 0
        for exercise in ["row", "plank", "run"] {
            let own = sets.filter { $0.exercise == exercise }.sorted { $0.at < $1.at }
            for (place, set) in own.enumerated() {
                let before = own[..<place]
                func beats(_ value: (WorkoutSet) -> Double?) -> Bool {
                    guard let new = value(set), let old = before.compactMap(value).max() else {
                        return false
                    }
                    return new > old
                }
                func amount(_ set: WorkoutSet) -> Double? {
                    switch set.measure {
                    case .reps: nil
                    case .duration(let count), .distance(let count): Double(count)
                    }
                }
                records += beats { $0.weight.map(Double.init) } ? 1 : 0
                records += beats { $0.isEstimateSound ? $0.oneRepMax : nil } ? 1 : 0
                records += beats(amount) ? 1 : 0
                records +=
                    beats { other in
                        guard other.weight == set.weight, case .reps(let count) = other.measure
                        else { return nil }
                        return Double(count)
                    } ? 1 : 0
                let earlier = before.filter { $0.workout != set.workout }
                    .reduce(0) { $0 + $1.volume }
                let sofar = before.filter { $0.workout == set.workout }
                    .reduce(0) { $0 + $1.volume }
                if earlier > 0, sofar <= earlier, sofar + set.volume > earlier { records += 1 }
            }
        }
        #expect(weeks.reduce(0) { $0 + $1.records } == records, "seed \(seed)")
        let late = try statistics.weeks(
            of: "u-ann", in: Interval(from: at(90_000), to: at(1_000_000))
        ) { _ in "two" }.exercises
        #expect(late == weeks.filter { $0.week == "two" }, "what was before counts all the same")
    }

    @Test func `an index leads to the sets of a person and an exercise, in their order`() throws {
        for isOfExercise in [true, false] {
            let plan = try store.texts(
                "EXPLAIN QUERY PLAN "
                    + TrainingStatistics.walked(isOfExercise: isOfExercise)
                    .replacing("?", with: "1"))
            #expect(plan.contains { $0.contains("set_of_exercise") }, "\(plan)")
            #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.contains("SCAN") }, "\(plan)")
        }
        let counted = try store.texts(
            "EXPLAIN QUERY PLAN SELECT max(weight_g) "
                + ExerciseBests.counted.replacing("?", with: "1"))
        #expect(counted.contains { $0.contains("set_of_exercise") }, "\(counted)")
        for query in [
            WorkoutQuery(user: "u-ann"), WorkoutQuery(), WorkoutQuery(from: at(0), to: at(9)),
        ] {
            let sql = query.statement.sql.replacing("?", with: "1")
            let plan = try store.texts("EXPLAIN QUERY PLAN " + sql)
            #expect(plan.contains { $0.contains("USING INDEX workout_") }, "\(plan)")
            #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
        }
    }
}
