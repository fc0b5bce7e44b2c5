@testable import Reporting
import Testing

@testable import SiteModel
@testable import SiteStore
@testable import Registry

/// What people and programs outside read: the views, who is in, refused inputs.
struct ReaderTests {
    private let scratch: Scratch
    private let store: Store

    init() throws {
        scratch = try Scratch()
        var gym = SiteDocument.gym
        gym.isDemo = true
        store = try scratch.store(gym)
        try store.commit([
            .session(Session(id: 1, user: ann, from: at(0), to: nil)),
            .session(Session(id: 2, user: bob, from: at(5), to: at(65.5))),
            .session(Session(id: 3, user: cid, from: at(9), to: nil)),
            .session(Session(id: 4, user: cid, from: at(1), to: at(2), isVoid: true)),
            .stay(Stay(id: 5, user: ann, place: .room(hall), from: at(1), to: nil)),
            .stay(Stay(id: 6, user: ann, place: .station(rack), from: at(20), to: nil)),
            .stay(Stay(id: 7, user: bob, place: .station(bench), from: at(6), to: at(7.25))),
            .workout(
                Workout(
                    id: 8, user: ann, station: rack, state: .completed, from: at(0), to: at(100),
                    pauses: [
                        Workout.Pause(from: at(10), to: at(20)),
                        Workout.Pause(from: at(30), to: at(35)),
                    ],
                    pausedSince: nil)),
            .workout(
                Workout(
                    id: 9, user: bob, station: nil, state: .active, from: at(0), to: nil,
                    pauses: [],
                    pausedSince: nil)),
        ])
    }

    @Test func `sessions`() throws {
        #expect(
            try store.texts(
                """
                SELECT session_id, user, user_name, check_in_ms - \(start.milliseconds),
                    check_out_ms - \(start.milliseconds), duration_s, state, demo
                FROM v_session ORDER BY 1
                """) == [
                    "1 u-ann Ann 0 - - open 1", "2 u-bob Bob 5000 65500 60.5 closed 1",
                    "3 u-cid Cid 9000 - - open 1",
                ])
    }

    @Test func `stays`() throws {
        #expect(
            try store.texts(
                "SELECT stay_id, user, level, place, duration_s, demo FROM v_stay ORDER BY 1") == [
                    "5 u-ann room hall - 1", "6 u-ann station rack - 1",
                    "7 u-bob station bench 1.25 1",
                ])
    }

    @Test func `workouts`() throws {
        #expect(
            try store.texts(
                """
                SELECT workout_id, user, station, state, paused_s, duration_s, demo FROM v_workout
                ORDER BY 1
                """) == ["8 u-ann rack completed 15.0 85.0 1", "9 u-bob - active 0.0 - 1"])
    }

    @Test func `a workout that loses pauses loses their rows`() throws {
        try store.commit([
            .workout(
                Workout(
                    id: 8, user: ann, station: rack, state: .completed, from: at(0), to: at(100),
                    pauses: [Workout.Pause(from: at(10), to: at(11))], pausedSince: nil))
        ])
        #expect(try store.texts("SELECT n, to_ms - from_ms FROM workout_pause") == ["0 1000"])
    }

    @Test func `the views of what is not yet written can be read`() throws {
        #expect(try store.texts("SELECT * FROM v_set") == [])
        #expect(try store.texts("SELECT * FROM v_evidence") == [])
    }

    @Test func `who is in, and where`() throws {
        #expect(
            try WhoRow.all(in: store) == [
                WhoRow(
                    user: "u-ann", name: "Ann", from: at(0), room: "hall", station: "rack",
                    since: at(20)),
                WhoRow(
                    user: "u-cid", name: "Cid", from: at(9), room: nil, station: nil, since: at(9)),
            ])
    }

    @Test func `who names a station only in its own room`() throws {
        try store.commit([
            .stay(Stay(id: 5, user: ann, place: .room(hall), from: at(1), to: at(30))),
            .stay(Stay(id: 10, user: ann, place: .room(yard), from: at(30), to: nil)),
        ])
        #expect(
            try WhoRow.all(in: store).first
                == WhoRow(
                    user: "u-ann", name: "Ann", from: at(0), room: "yard", station: nil,
                    since: at(30)))
    }

    @Test func `refused inputs are kept, the newest only`() throws {
        for number in 0..<Store.refusedInputsKept + 5 {
            let error = store.recordRefused(input: "{\(number)\0}", reason: "overlap", at: start)
            #expect(error == nil)
        }
        #expect(try store.texts("SELECT count(*) FROM refused_input") == ["1000"])
        #expect(
            try store.texts("SELECT input FROM refused_input ORDER BY id DESC LIMIT 1")
                == ["{1004\\0}"])
    }
}
