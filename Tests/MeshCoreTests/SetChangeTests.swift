import Testing

@testable import SiteModel
@testable import TrainingEngine

/// Sets that are there: what a change, a deletion and the end of their workout make of them.
struct SetChangeTests {
    var run = TrainingRun()
    let ann = MeshSite.users[0]
    let ben = MeshSite.users[1]

    @Test(
        arguments: [
            (GivenSet(key: "a", cleared: [.weight]), "weight_kg"),
            (GivenSet(key: "a", exercise: "plank", duration: 9), "weight_kg"),
            (GivenSet(key: "a", reps: 5, duration: 9), "duration_s"),
            // It goes before what is not found.
            (GivenSet(key: "a", station: StationID(99), cleared: [.weight]), "weight_kg"),
        ] as [(GivenSet, String)])
    mutating func `a changed set must fit its exercise, too`(change: GivenSet, member: String) {
        run.perform(.start(nil), 0)
        run.perform(.addSet(.bench(5, 60)), 10)
        let refusal = Answer.Outcome.refused(.schema, .init(member: member))
        #expect(run.perform(.changeSet(change, revision: 1), 20) == refusal)
    }

    @Test(arguments: [
        GivenSet(key: "a", exercise: "plank", cleared: [.weight]), GivenSet(key: "a", distance: 9),
    ])
    mutating func `what was measured is not carried over to another measure`(change: GivenSet) {
        run.perform(.start(nil), 0)
        run.perform(.addSet(.bench(5, 60)), 10)
        #expect(run.perform(.changeSet(change, revision: 1), 20).refusal == .schema)
    }

    @Test(arguments: [
        GivenSet(key: "b", reps: 6), GivenSet(key: "a", station: StationID(99)),
        GivenSet(key: "a", exercise: "juggling"), GivenSet(key: "gone", reps: 6),
    ])
    mutating func `what is unknown or deleted cannot be changed`(change: GivenSet) {
        run.perform(.start(nil), 0)
        for key in ["a", "gone"] { run.perform(.addSet(.bench(5, 60, key: key)), 10) }
        run.perform(.deleteSet(key: "gone"), 10)
        for revision in [1, 2] as [Int64] {
            let outcome = run.perform(.changeSet(change, revision: revision), 20)
            #expect(outcome == .refused(.notFound))
        }
    }

    @Test mutating func `a set is found in its own workout only`() {
        run.perform(.start(nil), 0)
        run.perform(.addSet(.bench(5, 60)), 10)
        run.perform(.complete(), 20)
        run.perform(.start(nil), 30)
        let other = run.training.latest(of: ann)?.id
        let change = Request.Training.changeSet(GivenSet(key: "a", reps: 6), revision: 1)
        for verb in [change, .deleteSet(key: "a")] {
            #expect(run.perform(verb, workout: other, 40) == .refused(.notFound))
            #expect(run.perform(verb, by: ben, 40) == .refused(.notFound))
        }
        #expect(run.perform(change, 40).taken?.measure == .reps(6))
    }

    @Test mutating func `a revision that is not the set's is a conflict`() {
        run.perform(.start(nil), 0)
        run.perform(.addSet(.bench(5, 60)), 10)
        run.perform(.changeSet(GivenSet(key: "a", reps: 6), revision: 1), 20)
        for revision in [0, 1, 3] as [Int64] {
            let change = GivenSet(key: "a", reps: 7, at: moment(-5))
            let outcome = run.perform(.changeSet(change, revision: revision), 30)
            #expect(outcome == .refused(.revisionConflict))
        }
        run.perform(.cancel, 40)
        let outcome = run.perform(.changeSet(GivenSet(key: "a", reps: 7), revision: 1), 50)
        #expect(outcome == .refused(.revisionConflict))
    }

    @Test mutating func `a change counts up the revision of its set and of its workout`() throws {
        run.perform(.start(nil), 0)
        run.perform(.addSet(.bench(5, 60)), 10)
        let before = try #require(run.training.latest(of: ann)).revision
        let set = run.perform(.changeSet(GivenSet(key: "a", reps: 6), revision: 1), 20).taken
        #expect(set?.revision == 2 && set?.measure == .reps(6) && set?.weight == 60_000)
        #expect(run.row("a") == set)
        #expect(run.training.latest(of: ann)?.revision == before + 1)
        #expect(run.rows.workouts.values.map(\.revision) == [before + 1])
    }

    @Test(
        arguments: [
            GivenSet(key: "a"), GivenSet(key: "a", cleared: [.note, .rir, .target]),
            .bench(5, 60, kind: .working, at: 10),
        ] as [GivenSet])
    mutating func `a change of nothing is none`(change: GivenSet) {
        run.perform(.start(nil), 0)
        let first = run.perform(.addSet(.bench(5, 60)), 10)
        #expect(run.perform(.changeSet(change, revision: 1), 20) == first)
        #expect(run.facts.isEmpty)
    }

    @Test(arguments: GivenSet.Member.allCases)
    mutating func `null takes a member away, and nothing else`(member: GivenSet.Member) throws {
        run.perform(.start(nil), 0)
        let given = GivenSet(
            key: "a", exercise: "pull-up", reps: 5, weight: 5000, rir: 2, station: MeshSite.rack,
            note: "easy", target: .init(reps: 6))
        let first = run.perform(.addSet(given), 10)
        var expected = try #require(first.taken)
        switch member {
        case .weight: expected.weight = nil
        case .rir: expected.rir = nil
        case .station: expected.station = nil
        case .note: expected.note = nil
        case .target: expected.target = nil
        }
        expected.revision = 2
        let change = GivenSet(key: "a", cleared: [member])
        let outcome = run.perform(.changeSet(change, revision: 1), 20)
        #expect(outcome == .set(expected, records: []))
        #expect(run.row("a") == expected)
    }

    @Test(
        arguments: [
            (9.999, false, .badTime), (10, false, nil), (62, false, nil), (62.001, false, .badTime),
            (10, true, nil), (50, true, nil), (50.001, true, .badTime),
        ] as [(Double, Bool, ProblemCode?)])
    mutating func `a new time lies in the workout, too`(
        at: Double, isOver: Bool, refusal: ProblemCode?
    ) {
        run.perform(.start(nil), 10)
        run.perform(.addSet(.bench(5, 60)), 20)
        if isOver { run.perform(.complete(), 50) }
        let change = GivenSet(key: "a", at: moment(at))
        let outcome = run.perform(.changeSet(change, revision: 1), 60)
        #expect(outcome.refusal == refusal)
        #expect(run.row("a")?.at == moment(refusal == nil ? at : 20))
    }

    @Test(arguments: [(0, nil), (0.001, .badState)] as [(Double, ProblemCode?)])
    mutating func `the sets of a workout are fixed 24 hours after its end`(
        later: Double, refusal: ProblemCode?
    ) {
        run.perform(.start(nil), 0)
        run.perform(.addSet(.bench(5, 60)), 10)
        run.perform(.complete(), 20)
        let now = 20 + 24 * 3600 + later
        let recalled = Recalled(set: run.row("a"))
        let change = Request.Training.changeSet(GivenSet(key: "a", reps: 6), revision: 1)
        for verb in [change, .deleteSet(key: "a")] {
            let outcome = run.perform(verb, recalled: recalled, now)
            #expect(outcome.refusal == refusal && outcome.taken?.restUntil == nil)
        }
    }

    @Test mutating func `the sets of a cancelled workout stay as they are`() {
        run.perform(.start(nil), 0)
        run.perform(.addSet(.bench(5, 60)), 10)
        run.perform(.cancel, 20)
        let change = Request.Training.changeSet(GivenSet(key: "a", reps: 6), revision: 1)
        for verb in [change, .deleteSet(key: "a")] {
            #expect(run.perform(verb, 30) == .refused(.badState))
        }
    }

    @Test(arguments: [[], [.cancel], [.complete()]] as [[Request.Training]])
    mutating func `a set that is deleted twice is answered alike`(
        between: [Request.Training]
    ) {
        run.perform(.start(nil), 0)
        run.perform(.addSet(.bench(5, 60)), 10)
        let first = run.perform(.deleteSet(key: "a"), 20)
        #expect(first.taken?.isDeleted == true && first.taken?.revision == 2)
        for verb in between { run.perform(verb, 30) }
        #expect(run.perform(.deleteSet(key: "a"), 40) == first)
        #expect(run.facts.isEmpty)
        let recalled = Recalled(set: run.row("a"))
        var later = TrainingRun()
        #expect(later.perform(.deleteSet(key: "a"), recalled: recalled, 90 * 86_400) == first)
    }

    @Test mutating func `a set that was never there cannot be deleted`() {
        #expect(run.perform(.deleteSet(key: "a"), 0) == .refused(.notFound))
        run.perform(.start(nil), 0)
        #expect(run.perform(.deleteSet(key: "a"), 10) == .refused(.notFound))
    }

    @Test(
        arguments: [(49.999, .badTime), (50, nil), (60, nil), (60.001, .badTime)]
            as [(Double, ProblemCode?)])
    mutating func `a workout ends neither before its last set nor ahead`(
        end: Double, refusal: ProblemCode?
    ) {
        run.perform(.start(nil), 0)
        run.perform(.addSet(.bench(5, 60, key: "b")), 50)
        run.perform(.addSet(.bench(5, 60, at: 40)), 60)
        #expect(run.perform(.complete(at: moment(end)), 60).refusal == refusal)
        #expect(run.training.latest(of: ann)?.to == (refusal == nil ? moment(end) : nil))
    }

    @Test mutating func `a deleted set does not hold its workout open`() {
        run.perform(.start(nil), 0)
        run.perform(.addSet(.bench(5, 60)), 10)
        run.perform(.addSet(.bench(5, 60, key: "b", at: 61.5)), 60)
        run.perform(.deleteSet(key: "b"), 60)
        #expect(run.perform(.complete(at: moment(9.999)), 60) == .refused(.badTime))
        run.perform(.complete(), 60)
        #expect(run.training.latest(of: ann)?.to == moment(60))
    }

    @Test(arguments: [.complete(), .cancel] as [Request.Training])
    mutating func `a set that lies ahead moves the end, and the next start`(
        ending: Request.Training
    ) {
        run.perform(.start(MeshSite.bench), 0)
        run.perform(.pause, 10)
        run.perform(.addSet(.bench(5, 60, at: 61.5)), 60)
        run.perform(ending, 60)
        let workout = run.training.latest(of: ann)
        #expect(workout?.to == moment(61.5) && workout?.paused == .seconds(51.5))
        #expect(run.rows.claims.values.map(\.to) == [moment(61.5)])
        run.perform(.start(nil), 60)
        #expect(run.training.latest(of: ann)?.from == moment(61.5))
        #expect(run.rows.faults == [])
    }
}
