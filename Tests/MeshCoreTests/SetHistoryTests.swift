import TestSupport
import Testing

@testable import SiteModel
@testable import TrainingEngine

/// Whoever asks for whatever in whatever order, by a clock that also runs backwards.
struct SetHistoryTests {
    var run = TrainingRun()
    var now = 1000.0
    /// The sets that were taken, by key, with their answers.
    var taken: [String: (given: GivenSet, answer: Answer.Outcome)] = [:]
    var dice = Dice(seed: 0)

    @Test(arguments: TestLength.seeds(of: 10_000))
    func `no history breaks the rows, and new sets are the records that these make`(
        seed: UInt64
    ) {
        var test = self
        test.dice = Dice(seed: seed)
        for _ in 0..<200 { test.step() }
        let (run, rows) = (test.run, test.run.rows)
        #expect(rows.faults == [])
        #expect(rows.workouts.values.filter { $0.to == nil }.count == run.training.open)
        for station in [MeshSite.bench, MeshSite.rack] {
            let open = rows.claims.values.filter { $0.station == station && $0.to == nil }
            let holders = open.sorted { $0.slot < $1.slot }.map(\.user)
            #expect(holders == run.training.book.holders(of: station))
        }
        for set in rows.sets.values where !set.isDeleted {
            guard let workout = rows.workouts[set.workout], workout.state != .cancelled else {
                continue
            }
            #expect(workout.from <= set.at && set.at <= workout.to ?? set.at)
        }
    }

    /// Asks for one thing, and looks at the answer.
    private mutating func step() {
        now += .random(in: -30...60, using: &dice)
        let user = MeshSite.users[dice.roll(3)]
        let verb = drawVerb(for: user)
        let outcome = run.perform(verb, by: user, now)
        #expect(run.training.book.holders(of: MeshSite.bench).count <= 1)
        #expect(run.training.book.holders(of: MeshSite.rack).count <= 2)
        guard case .addSet(let given) = verb, case .set(let set, let records) = outcome else {
            return
        }
        if run.facts.isEmpty {
            #expect(outcome == taken[given.key]?.answer)
        } else {
            #expect(!taken.keys.contains(given.key))
            #expect(records == run.rows.records(of: set))
            #expect(set.told == records)
            taken[given.key] = (given, outcome)
        }
    }

    private mutating func drawVerb(for user: UserID) -> Request.Training {
        let key = "\(user.row)-\(dice.roll(25))"
        let stations: [StationID?] = [nil, MeshSite.bench, MeshSite.rack]
        let station = stations[dice.roll(3)]
        switch dice.roll(24) {
        case 0, 1: return .start(station)
        case 2: return .move(station)
        case 3: return .pause
        case 4: return .resume
        case 5: return .complete(at: dice.roll(2) == 0 ? nil : drawTime())
        case 6: return .cancel
        case 7: return .reopen
        case 8: return .deleteSet(key: key)
        case 9, 10, 11:
            // Of another kind, weight or time; one in four of a revision that is not the set's.
            var change = GivenSet(key: key, kind: drawKind(), at: drawTime())
            if dice.roll(2) == 0 { change.weight = Int64(dice.roll(6) * 1000 + 40_000) }
            let revision = run.row(key, of: user)?.revision ?? 1
            return .changeSet(change, revision: revision + Int64(dice.roll(4) / 3))
        default:
            if let old = taken[key], dice.roll(2) == 0 { return .addSet(old.given) }
            return .addSet(drawSet(key))
        }
    }

    private mutating func drawKind() -> WorkoutSet.Kind? {
        let kinds: [WorkoutSet.Kind?] = [nil, nil, .warmUp, .drop, .failure]
        return kinds[dice.roll(5)]
    }

    /// A phone states a time, and it may come late.
    private mutating func drawTime() -> Timestamp {
        moment(now + Double.random(in: -90...3, using: &dice))
    }

    /// A set of few sizes, so that equal ones happen.
    private mutating func drawSet(_ key: String) -> GivenSet {
        var set = GivenSet(key: key, kind: drawKind(), at: drawTime())
        let reserves: [Int?] = [nil, 0, 2]
        let extras: [Int64?] = [nil, 5000, 10_000]
        switch dice.roll(6) {
        case 0, 1, 2:
            set.exercise = "bench-press"
            set.reps = dice.roll(14) + 1
            set.weight = Int64(dice.roll(6) * 1000 + 40_000)
            set.rir = reserves[dice.roll(3)]
        case 3:
            set.exercise = "pull-up"
            set.reps = dice.roll(14) + 1
            set.weight = extras[dice.roll(3)]
        case 4:
            set.exercise = "plank"
            set.duration = dice.roll(9) + 30
        default:
            set.exercise = "rowing"
            set.distance = dice.roll(9) * 100 + 500
        }
        return set
    }
}

extension MeshRows {
    /// The records that a set is, from all that is stored and by their definition.
    fileprivate func records(of set: WorkoutSet) -> [WorkoutSet.Record] {
        guard set.kind != .warmUp else { return [] }
        let others = sets.values.filter {
            $0.user == set.user && $0.exercise == set.exercise && $0.id != set.id
                && $0.kind != .warmUp && !$0.isDeleted
                && workouts[$0.workout]?.state != .cancelled
        }
        let sameWeight = others.filter { $0.weight == set.weight }
        var records: [WorkoutSet.Record] = []
        if isMore(set.weight, than: others.map(\.weight)) { records.append(.weight) }
        if isMore(set.count, than: sameWeight.map(\.count)) { records.append(.reps) }
        if isMore(set.estimate, than: others.map(\.estimate)) { records.append(.oneRepMax) }
        if crosses(set, beside: others) { records.append(.volume) }
        if isMore(set.seconds, than: others.map(\.seconds)) { records.append(.duration) }
        if isMore(set.metres, than: others.map(\.metres)) { records.append(.distance) }
        return records
    }

    /// Whether something is more than all others of its kind, of which there is one at least.
    private func isMore<Value: Comparable>(_ new: Value?, than others: [Value?]) -> Bool {
        guard let new, let best = others.compactMap(\.self).max() else { return false }
        return new > best
    }

    /// Whether with a set the volume of its workout comes to exceed that of each earlier one.
    private func crosses(_ set: WorkoutSet, beside others: [WorkoutSet]) -> Bool {
        guard let own = workouts[set.workout] else { return false }
        var volumes: [Int64: Int64] = [:]
        for other in others { volumes[other.workout, default: 0] += other.lifted }
        let before = volumes[own.id] ?? 0
        let earlier = volumes.filter { row, volume in
            guard let workout = workouts[row], volume > 0 else { return false }
            return (workout.from, workout.id) < (own.from, own.id)
        }
        guard let best = earlier.values.max() else { return false }
        return before <= best && best < before + set.lifted
    }
}

extension WorkoutSet {
    fileprivate var count: Int? { if case .reps(let count) = measure { count } else { nil } }
    fileprivate var seconds: Int? {
        if case .duration(let seconds) = measure { seconds } else { nil }
    }
    fileprivate var metres: Int? { if case .distance(let metres) = measure { metres } else { nil } }
    /// Grams times repetitions.
    fileprivate var lifted: Int64 { (weight ?? 0) * Int64(count ?? 0) }
    /// The one-repetition maximum of up to ten repetitions, by Brzycki.
    fileprivate var estimate: Double? {
        guard let weight, let count, count + (rir ?? 0) <= 10 else { return nil }
        return Double(weight) * 36 / Double(37 - count - (rir ?? 0))
    }
}
