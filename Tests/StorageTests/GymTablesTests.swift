import Testing

@testable import Records
@testable import Registry
@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore

/// The tables of the gym: what the database refuses by itself, and what becomes of their rows.
struct GymTablesTests {
    private let scratch: Scratch
    private let store: Store

    /// Ann trains, first at the bench and then at the rack; Bob has done so.
    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
        try store.commit([
            .workout(
                Workout(
                    id: 1, user: ann, station: bench, state: .active, from: at(0), to: nil,
                    pauses: [], pausedSince: nil)),
            .claim(
                Claim(
                    id: 2, station: bench, slot: 1, user: ann, workout: 1, from: at(0), to: at(60))),
            .claim(
                Claim(id: 3, station: rack, slot: 1, user: ann, workout: 1, from: at(60), to: nil)),
            .workout(
                Workout(
                    id: 4, user: bob, station: nil, state: .completed, from: at(0), to: at(900),
                    pauses: [Workout.Pause(from: at(100), to: at(200))], pausedSince: nil)),
        ])
        try write(Self.set(1))
    }

    private func write(_ sql: String) throws {
        try store.write { try $0.execute(sql: sql) }
    }

    private func refuses(
        _ sql: String, because constraint: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(
            throws: StoreError.refused(constraint: constraint, fact: nil),
            sourceLocation: sourceLocation
        ) { try write(sql) }
    }

    /// Stores a set of Ann's, with some values in the place of the usual ones.
    private static func set(_ id: Int, _ others: [String: String] = [:]) -> String {
        var values = [
            "id": "\(id)", "workout": "1", "user": "1", "n": "\(id)", "exercise": "'squat'",
            "client_key": "printf('6f9619ff-8b86-dead-B42D-%012x', \(id))",
            "kind": "'working'", "at_ms": "1760000000000", "reps": "5", "weight_g": "102500",
            "deleted": "0", "rev": "1", "sent_digest": "'00c04fc964ff8b86'",
        ]
        values.merge(others) { $1 }
        let columns = values.keys.sorted()
        return """
            INSERT INTO workout_set (\(columns.joined(separator: ", ")))
            VALUES (\(columns.map { values[$0] ?? "NULL" }.joined(separator: ", ")))
            """
    }

    private static func wait(_ id: Int, _ user: UserID, _ rest: String) -> String {
        """
        INSERT INTO station_queue
            (id, station, user, joined_ms, offered_until_ms, ended_ms, outcome)
        VALUES (\(id), 1, \(user.row), \(start.milliseconds), \(rest))
        """
    }

    private static let outOfRange: [([String: String], String)] = [
        (["reps": "0"], "reps BETWEEN 1 AND 1000"),
        (["reps": "1001"], "reps BETWEEN 1 AND 1000"),
        (["weight_g": "-1"], "weight_g BETWEEN 0 AND 1000000"),
        (["weight_g": "1000001"], "weight_g BETWEEN 0 AND 1000000"),
        (["reps": "NULL", "duration_s": "0"], "duration_s BETWEEN 1 AND 86400"),
        (["reps": "NULL", "duration_s": "86401"], "duration_s BETWEEN 1 AND 86400"),
        (["reps": "NULL", "distance_m": "0"], "distance_m BETWEEN 1 AND 1000000"),
        (["reps": "NULL", "distance_m": "1000001"], "distance_m BETWEEN 1 AND 1000000"),
        (["rir": "-1"], "rir BETWEEN 0 AND 10"),
        (["rir": "11"], "rir BETWEEN 0 AND 10"),
        (["target_reps": "0"], "target_reps BETWEEN 1 AND 1000"),
        (["target_weight_g": "1000001"], "target_weight_g BETWEEN 0 AND 1000000"),
        (["kind": "'heavy'"], "kind IN ('warm-up', 'working', 'drop', 'failure')"),
        (["n": "501"], "n BETWEEN 1 AND 500"),
        (["deleted": "2"], "deleted IN (0, 1)"),
        (["rev": "0"], "rev >= 1"),
        (["client_key": "'1'"], "client_key_is_a_uuid"),
        (["client_key": "'6f9619ff-8b86-d011-b42d-00c04fc964fg'"], "client_key_is_a_uuid"),
        (["sent_digest": "'00c04fc964ff8b8'"], "digest_is_hexadecimal"),
        (["sent_digest": "'00C04FC964FF8B86'"], "digest_is_hexadecimal"),
        (["reps": "NULL"], "set_has_one_measure"),
        (["duration_s": "60"], "set_has_one_measure"),
        (["duration_s": "60", "reps": "NULL", "distance_m": "400"], "set_has_one_measure"),
        (
            ["exercise": "'Squat'"],
            "length(exercise) BETWEEN 1 AND 64 AND exercise NOT GLOB '*[^a-z0-9-]*'"
        ),
    ]

    @Test(arguments: outOfRange)
    func `a set out of its ranges`(values: [String: String], check: String) {
        refuses(Self.set(2, values), because: "CHECK constraint failed: \(check)")
    }

    private static let atTheEnds: [[String: String]] = [
        ["reps": "1", "weight_g": "0", "rir": "0", "kind": "'warm-up'"],
        ["reps": "1000", "weight_g": "1000000", "rir": "10", "kind": "'failure'", "n": "500"],
        ["reps": "NULL", "weight_g": "NULL", "duration_s": "86400", "kind": "'drop'"],
        ["reps": "NULL", "distance_m": "1000000", "target_weight_g": "0", "target_reps": "1000"],
    ]

    @Test(arguments: atTheEnds)
    func `a set at the ends of them is none of these`(values: [String: String]) throws {
        try write(Self.set(2, values))
    }

    @Test func `a second set of a key or number, or of nobody`() throws {
        let key = "printf('6f9619ff-8b86-dead-B42D-%012x', 1)"
        refuses(
            Self.set(2, ["client_key": key]),
            because: "UNIQUE constraint failed: workout_set.user, workout_set.client_key")
        refuses(
            Self.set(2, ["n": "1"]),
            because: "UNIQUE constraint failed: workout_set.workout, workout_set.n")
        refuses(Self.set(2, ["workout": "9"]), because: "FOREIGN KEY constraint failed")
        refuses(Self.set(2, ["station": "9"]), because: "FOREIGN KEY constraint failed")
        // Another person's phone may draw the same one.
        try write(Self.set(2, ["client_key": key, "workout": "4", "user": "2"]))
    }

    @Test(arguments: [
        ("state = 'cancelled'", "open_workout_has_no_end"),
        ("state = 'abandoned'", "open_workout_has_no_end"),
        ("state = 'paused', paused_since_ms = 1760000000000", "paused_cause_while_paused"),
        ("paused_cause = 'left'", "paused_cause_while_paused"),
        ("paused_cause = 'reopened'", "paused_cause IN ('manual', 'left')"),
        ("cause = 'luck'", "cause IN ('request', 'presence')"),
    ])
    func `a workout that cannot be`(change: String, check: String) throws {
        refuses(
            "UPDATE workout SET \(change) WHERE id = 1",
            because: "CHECK constraint failed: \(check)")
        for state in ["cancelled", "abandoned"] {
            try write("UPDATE workout SET state = '\(state)', cause = 'presence' WHERE id = 4")
        }
        refuses(
            "UPDATE workout_pause SET cause = 'tired'",
            because: "CHECK constraint failed: cause IN ('manual', 'left', 'reopened')")
    }

    @Test func `who pauses by hand says so, and who goes on does not`() throws {
        var workout = Workout(
            id: 1, user: ann, station: bench, state: .paused, from: at(0), to: nil, pauses: [],
            pausedSince: at(70))
        let query = "SELECT state, cause, paused_cause FROM workout WHERE id = 1"
        try store.commit([.workout(workout)])
        #expect(try store.texts(query) == ["paused request manual"])
        workout.state = .active
        (workout.pausedSince, workout.pausedCause) = (nil, nil)
        workout.pauses = [Workout.Pause(from: at(70), to: at(80))]
        try store.commit([.workout(workout)])
        #expect(try store.texts(query) == ["active request -"])
        #expect(
            try store.texts("SELECT cause FROM workout_pause ORDER BY workout")
                == ["manual", "manual"])
    }

    private static let impossibleWaits: [(String, String)] = [
        ("NULL, NULL, NULL", "UNIQUE constraint failed: station_queue.user"),
        (
            "NULL, 1759999999999, 'left'",
            "CHECK constraint failed: wait_ends_after_joining"
        ),
        (
            "1759999999999, NULL, NULL",
            "CHECK constraint failed: offer_ends_after_joining"
        ),
        (
            "NULL, 1760000000000, NULL",
            "CHECK constraint failed: ended_wait_has_an_outcome"
        ),
        ("NULL, NULL, 'ended'", "CHECK constraint failed: ended_wait_has_an_outcome"),
        (
            "NULL, 1760000000000, 'lapsed'",
            "CHECK constraint failed: only_offers_are_accepted_or_lapse"
        ),
        (
            "NULL, 1760000000000, 'lost'",
            "CHECK constraint failed: outcome IN ('accepted', 'lapsed', 'left', 'ended')"
        ),
    ]

    @Test(arguments: impossibleWaits)
    func `a wait that cannot be`(rest: String, constraint: String) throws {
        try write(Self.wait(1, bob, "NULL, NULL, NULL"))
        refuses(Self.wait(2, bob, rest), because: constraint)
        try write(Self.wait(2, bob, "NULL, \(start.milliseconds), 'left'"))
        try write(Self.wait(3, cid, "\(start.milliseconds), NULL, NULL"))
    }

    @Test func `a second open downtime of a station, or one that ends before it began`() throws {
        func downtime(_ station: Int, _ from: Int, _ to: String) -> String {
            """
            INSERT INTO station_downtime (station, from_ms, to_ms, by)
            VALUES (\(station), \(from), \(to), 'mia')
            """
        }
        try write(downtime(1, 10, "NULL"))
        refuses(
            downtime(1, 20, "NULL"), because: "UNIQUE constraint failed: station_downtime.station")
        refuses(
            downtime(2, 20, "19"),
            because: "CHECK constraint failed: downtime_ends_after_its_start")
        try write(downtime(1, 5, "10"))
        try write(downtime(2, 10, "NULL"))
    }

    @Test func `the views show sets and the stations of workouts`() throws {
        #expect(
            try store.texts(
                """
                SELECT workout_id, user, station, from_ms - \(start.milliseconds),
                    to_ms - \(start.milliseconds)
                FROM v_workout_station ORDER BY from_ms
                """) == ["1 u-ann bench 0 60000", "1 u-ann rack 60000 -"])
        #expect(
            try store.texts(
                """
                SELECT set_id, workout_id, user, station, n, exercise, kind, reps, weight_kg,
                    weight_g, duration_s, distance_m, rir, deleted
                FROM v_set
                """) == ["1 1 u-ann - 1 squat working 5 102.5 102500 - - - 0"])
        #expect(
            try store.texts("SELECT workout_id, cause FROM v_workout ORDER BY 1")
                == ["1 request", "4 request"])
    }

    @Test func `a set without its first time is damage, and ends no start without a word`() throws {
        try write("UPDATE workout_set SET first_at_ms = at_ms")
        #expect(try store.load()?.saved.workouts.first?.sets.count == 1)
        try write("UPDATE workout_set SET first_at_ms = NULL")
        #expect(
            throws: StoreError.corrupt(
                path: scratch.path, detail: "bad workout_set.first_at_ms in row 1")
        ) { try store.load() }
    }

    @Test func `sets and waits are in the export of their person, once`() throws {
        try write(Self.wait(1, ann, "NULL, \(start.milliseconds), 'left'"))
        try write(Self.wait(2, bob, "NULL, \(start.milliseconds), 'left'"))
        let export = try #require(
            try PersonExports(store).export(user: "u-ann", at: at(100)))
        for name in ["workout_set", "station_queue", "workout_pause"] {
            let rows = export.tables.filter { $0.name == name }.map(\.rows.count)
            #expect(rows == [name == "workout_pause" ? 0 : 1], "\(name)")
        }
    }

    @Test func `waits go 90 days after they ended`() throws {
        let end = start + .seconds(10)
        try write(Self.wait(1, ann, "NULL, \(end.milliseconds), 'ended'"))
        try write(Self.wait(2, bob, "NULL, NULL, NULL"))
        let ids = "SELECT id FROM station_queue ORDER BY id"
        _ = try Retention.retain(on: store, at: end + .seconds(90 * 86_400))
        #expect(try store.texts(ids) == ["1", "2"])
        _ = try Retention.retain(on: store, at: end + .seconds(90 * 86_400 + 1))
        #expect(try store.texts(ids) == ["2"])
        #expect(try store.texts("SELECT count(*) FROM workout_set") == ["1"])
    }

    /// Names are taken out of what people wrote, not out of what has the name of a thing.
    @Test(arguments: ["Squat", "Manual", "Request", "Left", "Working", "Dead"])
    func `somebody who is called like one of our words is erased without it`(name: String) throws {
        var gym = SiteDocument.gym
        gym.users.append(.init(slug: "u-dan", name: name))
        try SiteImport(store).importDocument(gym, at: start)
        try write(Self.wait(1, ann, "NULL, \(start.milliseconds), 'left'"))
        try write(
            """
            UPDATE workout_set SET note = 'as \(name) does';
            INSERT INTO station_downtime (station, from_ms, note, by)
            VALUES (1, 5, '\(name) fell', '\(name)')
            """)
        let ours = """
            SELECT exercise, kind, client_key, sent_digest FROM workout_set
            UNION ALL SELECT outcome, '', '', '' FROM station_queue
            UNION ALL SELECT state, cause, '', '' FROM workout
            UNION ALL SELECT cause, '', '', '' FROM workout_pause
            """
        let before = try store.texts(ours)
        _ = try Erasures(store).erase(
            user: "u-dan", reason: "asked for it", by: "mia", via: .cli, at: at(100)
        ).get()
        #expect(try store.texts(ours) == before)
        #expect(try store.texts("SELECT note FROM workout_set") == ["as erased does"])
        #expect(
            try store.texts("SELECT note, by FROM station_downtime") == ["erased fell erased"])
    }

    @Test func `nobody who waits is erased`() throws {
        try write(Self.wait(1, cid, "NULL, NULL, NULL"))
        let result = try Erasures(store).erase(
            user: "u-cid", reason: "asked for it", by: "mia", via: .cli, at: at(100))
        #expect(
            throws: BooksRefusal(
                .badState, "they wait for a station; let them leave its queue first")
        ) { try result.get() }
        #expect(try store.texts("SELECT count(*) FROM station_queue") == ["1"])
    }
}
