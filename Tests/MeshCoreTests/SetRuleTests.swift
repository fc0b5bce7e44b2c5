import Testing

@testable import SiteModel
@testable import TrainingEngine

/// What records a set is, and what it says of a one-repetition maximum.
struct SetRuleTests {
    var run = TrainingRun()
    private var now = 0.0
    let ann = MeshSite.users[0]

    /// Asks for something one second after the last request.
    @discardableResult
    private mutating func ask(
        _ verb: Request.Training, recalled: Recalled? = nil
    ) -> Answer.Outcome {
        now += 1
        return run.perform(verb, recalled: recalled, now)
    }

    /// Adds sets, each under a key that tells its second. Returns the records that each is.
    private mutating func add(
        _ sets: GivenSet..., recalled: Recalled? = nil
    ) -> [[WorkoutSet.Record]] {
        var records: [[WorkoutSet.Record]] = []
        for var set in sets {
            set.key = "k\(Int(now) + 1)"
            let outcome = ask(.addSet(set), recalled: recalled)
            records.append(Self.told(outcome))
        }
        return records
    }

    private static func told(_ outcome: Answer.Outcome) -> [WorkoutSet.Record] {
        if case .set(_, let records) = outcome { return records }
        Issue.record("\(outcome)")
        return []
    }

    @Test(
        arguments: [.bench(5, 60), .pullUp(5), .pullUp(5, 10), .plank(30), .rowing(500)]
            as [GivenSet])
    mutating func `the first set of an exercise is a baseline`(set: GivenSet) {
        ask(.start(nil))
        _ = add(.bench(1, 1, kind: .warmUp), .walk(1, 1))
        #expect(add(set) == [[]])
    }

    @Test mutating func `a heavier set is a record`() {
        ask(.start(nil))
        #expect(add(.bench(5, 60), .bench(3, 62.5), .bench(3, 62.5)) == [[], [.weight], []])
        let walks = add(.walk(300, 5), .walk(200, 6), .walk(301, 0))
        #expect(walks == [[], [.weight], [.duration]])
    }

    @Test mutating func `more repetitions at a weight are a record`() {
        ask(.start(nil))
        #expect(add(.bench(5, 60, rir: 3), .bench(6, 60)) == [[], [.reps]])
        #expect(add(.bench(9, 50), .bench(6, 60)) == [[], []], "none was at that weight")
    }

    @Test(
        arguments: [
            (10, nil, true), (8, 2, true), (5, 5, true), (11, nil, false), (12, nil, false),
            (8, 3, false), (2, 10, false), (13, nil, false), (37, nil, false), (1000, 10, false),
        ] as [(Int, Int?, Bool)])
    mutating func `a greater estimate is a record up to ten repetitions`(
        reps: Int, rir: Int?, isRecord: Bool
    ) {
        ask(.start(nil))
        let expected: [WorkoutSet.Record] = isRecord ? [.oneRepMax] : []
        #expect(add(.bench(5, 60), .bench(reps, 55, rir: rir)) == [[], expected])
    }

    @Test mutating func `the first estimate is a baseline`() {
        ask(.start(nil))
        #expect(add(.bench(12, 60), .bench(5, 60), .bench(6, 60)) == [[], [], [.oneRepMax]])
    }

    @Test mutating func `the set that crosses an earlier workout's volume says so`() {
        ask(.start(nil))
        #expect(add(.bench(10, 60)) == [[]])
        ask(.complete())
        ask(.start(nil))
        // 500 kg, then 600, which is no more; warm-ups and other exercises are apart.
        let second = add(.bench(10, 50), .bench(2, 50), .bench(9, 50, kind: .warmUp), .pullUp(9, 9))
        #expect(second == [[], [], [], []])
        #expect(add(.bench(1, 50), .bench(1, 50)) == [[.volume], []])
        ask(.complete())
        ask(.start(nil))
        #expect(add(.bench(10, 50), .bench(4, 50), .bench(1, 50)) == [[], [], [.volume]])
    }

    @Test mutating func `a longer or farther set is a record`() {
        ask(.start(nil))
        let planks = add(.plank(60), .plank(61), .plank(61), .plank(60))
        #expect(planks == [[], [.duration], [], []])
        let rows = add(.rowing(500), .rowing(501), .rowing(501), .rowing(500))
        #expect(rows == [[], [.distance], [], []])
    }

    @Test mutating func `warm-ups never count, all other kinds do`() {
        ask(.start(nil))
        let before = add(.bench(5, 100, kind: .warmUp), .bench(5, 60, kind: .drop))
        #expect(before == [[], []])
        let after = add(.bench(5, 200, kind: .warmUp), .bench(5, 61, kind: .failure))
        #expect(after == [[], [.weight, .oneRepMax]])
    }

    @Test mutating func `cancelled workouts never count`() {
        ask(.start(nil))
        #expect(add(.bench(5, 90), .bench(5, 100)) == [[], [.weight, .oneRepMax]])
        ask(.cancel)
        ask(.start(nil))
        let records = add(.bench(5, 60), .bench(5, 61), .bench(8, 100))
        #expect(records == [[], [.weight, .oneRepMax], [.weight, .oneRepMax]])
    }

    @Test mutating func `the first weighted set of a bodyweight exercise is a baseline`() {
        ask(.start(nil))
        #expect(add(.pullUp(8), .pullUp(5, 5)) == [[], []])
        #expect(add(.pullUp(5, 6), .pullUp(9)) == [[.weight, .oneRepMax], [.reps]])
    }

    @Test(
        arguments: [
            .deleteSet(key: "k3"), .changeSet(GivenSet(key: "k3", weight: 60_000), revision: 1),
            .changeSet(GivenSet(key: "k3", kind: .warmUp), revision: 1),
            .changeSet(GivenSet(key: "k3", exercise: "pull-up"), revision: 1),
        ] as [Request.Training])
    mutating func `once the best set is none any more, an equal one is a record again`(
        verb: Request.Training
    ) {
        ask(.start(nil))
        #expect(add(.bench(5, 60), .bench(5, 70)) == [[], [.weight, .oneRepMax]])
        let outcome = ask(verb)
        #expect(Self.told(outcome) == [])
        #expect(add(.bench(5, 70), .bench(5, 70)) == [[.weight, .oneRepMax], []])
    }

    @Test mutating func `a change tells the records that the set then is`() {
        ask(.start(nil))
        #expect(add(.bench(5, 60), .bench(5, 50)) == [[], []])
        let up = ask(.changeSet(GivenSet(key: "k3", weight: 65_000), revision: 1))
        #expect(Self.told(up) == [.weight, .oneRepMax])
        let down = ask(.changeSet(GivenSet(key: "k3", weight: 50_000), revision: 2))
        #expect(Self.told(down) == [])
    }

    @Test mutating func `a late set is measured against later ones, too`() {
        ask(.start(nil))
        #expect(add(.bench(5, 60)) == [[]])
        ask(.complete())
        ask(.start(nil))
        #expect(add(.bench(5, 70)) == [[.weight, .oneRepMax, .volume]])
        let late = add(.bench(5, 65, at: 2), .bench(5, 71, at: 2))
        #expect(late == [[], [.weight, .oneRepMax]])
        #expect(Set(run.rows.sets.values.map(\.workout)).count == 2)
    }

    @Test(
        arguments: [
            (.bench(8, 60), []), (.bench(9, 60), [.reps]), (.bench(1, 100), []),
            (.bench(1, 101), [.weight]), (.bench(10, 91), [.oneRepMax]),
            (.bench(12, 90), [.volume]), (.plank(60), []), (.plank(61), [.duration]),
            (.rowing(500), []), (.rowing(501), [.distance]),
        ] as [(GivenSet, [WorkoutSet.Record])])
    mutating func `what the database remembers counts`(
        set: GivenSet, records: [WorkoutSet.Record]
    ) {
        let bests = ExerciseBests(
            weight: 100_000, oneRepMax: 120_000, reps: [.init(weight: 60_000, reps: 8)],
            duration: 60, distance: 500, volume: 1_000_000)
        ask(.start(nil))
        #expect(add(set, recalled: Recalled(bests: bests)) == [records])
    }

    @Test mutating func `a record is told once, with its set`() {
        ask(.start(nil))
        _ = add(.bench(5, 60), .bench(5, 70))
        ask(.addSet(.bench(5, 70, key: "k3")))
        let kinds = run.rows.events.values.sorted { $0.id < $1.id }.map(\.kind)
        #expect(kinds == [.started, .set, .set, .recordBroken])
    }

    private func logged(
        _ measure: WorkoutSet.Measure, _ weight: Int64?, rir: Int? = nil
    ) -> WorkoutSet {
        WorkoutSet(
            id: 1, workout: 1, user: ann, key: "a", number: 1, exercise: "pull-up", kind: .working,
            measure: measure, weight: weight, rir: rir, at: moment(0), digest: 0)
    }

    @Test(arguments: [
        (1, 10_000), (2, 10_286), (3, 10_588), (5, 11_250), (8, 12_414), (10, 13_333), (12, 14_400),
    ])
    func `the estimate is that of Brzycki, and sound up to ten repetitions`(
        reps: Int, tenThousandths: Int
    ) throws {
        for reserve in 0..<min(reps, 11) {
            let set = logged(.reps(reps - reserve), 100_000, rir: reserve)
            let ratio = try #require(set.oneRepMax) / 100_000
            #expect(Int((ratio * 10_000).rounded()) == tenThousandths)
            #expect(set.isEstimateSound == (reps <= 10))
        }
    }

    @Test(arguments: [13, 36, 37, 38, 1000])
    func `above twelve repetitions there is no estimate`(reps: Int) {
        #expect(logged(.reps(reps), 100_000).oneRepMax == nil)
        #expect(logged(.reps(reps - 10), 100_000, rir: 10).oneRepMax == nil)
        #expect(!logged(.reps(reps), 100_000).isEstimateSound)
        #expect(logged(.reps(1), nil).oneRepMax == nil)
        #expect(logged(.duration(reps), 100_000).oneRepMax == nil)
    }
}
