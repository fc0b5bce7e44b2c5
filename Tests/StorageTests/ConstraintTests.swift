import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore

/// The database refuses by itself what can never be; a refused batch leaves nothing behind.
struct ConstraintTests {
    private let scratch: Scratch
    private let store: Store

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
    }

    /// Commits `good`, then expects that `good` with `bad` behind a harmless fact is refused.
    private func refuses(
        _ bad: Fact, after good: [Fact], because constraint: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try store.commit(good)
        let before = try store.load()?.saved
        let harmless = Fact.ledger(LedgerRow(user: cid, heard: []))
        #expect(
            throws: StoreError.refused(constraint: constraint, fact: 1),
            sourceLocation: sourceLocation
        ) { try store.commit([harmless, bad]) }
        #expect(try store.load()?.saved == before, sourceLocation: sourceLocation)
    }

    private func session(_ id: Int64, _ from: Double, _ to: Double?, void: Bool = false) -> Fact {
        .session(Session(id: id, user: ann, from: at(from), to: to.map(at), isVoid: void))
    }

    private func workout(
        _ id: Int64, _ state: Workout.State, to: Double? = nil, pauses: [Workout.Pause] = [],
        pausedSince: Double? = nil
    ) -> Fact {
        .workout(
            Workout(
                id: id, user: ann, station: nil, state: state, from: at(0), to: to.map(at),
                pauses: pauses, pausedSince: pausedSince.map(at)))
    }

    private func claim(_ id: Int64, slot: Int, from: Double = 0, to: Double? = nil) -> Fact {
        .claim(
            Claim(
                id: id, station: rack, slot: slot, user: ann, workout: 1, from: at(from),
                to: to.map(at)))
    }

    @Test func `a second open session`() throws {
        // The overlap is noticed first: an open session reaches for ever.
        try refuses(
            session(2, 100, nil), after: [session(1, 0, nil)],
            because: "sessions of a user overlap")
    }

    @Test func `an open session beside an open one, even without the trigger`() throws {
        try store.pool.write { try $0.execute(sql: "DROP TRIGGER session_overlap_insert") }
        try refuses(
            session(2, 100, nil), after: [session(1, 0, nil)],
            because: "UNIQUE constraint failed: attendance_session.user")
    }

    @Test(arguments: [(5.0, 15.0), (-5, 5), (2, 8), (-5, 15), (0, 10), (9.999, 10)])
    func `a session that overlaps another`(from: Double, to: Double) throws {
        try refuses(
            session(3, from, to), after: [session(1, 0, 10), session(2, 20, 30)],
            because: "sessions of a user overlap")
    }

    @Test func `a session that grows into the next`() throws {
        try refuses(
            session(1, 0, 20.001), after: [session(1, 0, 10), session(2, 20, 30)],
            because: "sessions of a user overlap")
    }

    @Test func `a withdrawn session that comes back over another`() throws {
        try refuses(
            session(1, 0, 10), after: [session(1, 0, 10, void: true), session(2, 5, 15)],
            because: "sessions of a user overlap")
    }

    @Test func `back-to-back sessions are none of these`() throws {
        try store.commit([
            session(1, 0, 10), session(2, 20, nil), session(3, 10, 20), session(3, 10, 20),
            session(4, 12, 14, void: true),
        ])
        let other = Session(id: 5, user: bob, from: at(5), to: at(25))
        try store.commit([.session(other)])
        #expect(
            try store.texts("SELECT session_id, state FROM v_session ORDER BY 1")
                == ["1 closed", "2 open", "3 closed", "5 closed"])
    }

    @Test func `an end before the start`() throws {
        try refuses(
            session(1, 10, 9), after: [],
            because: "CHECK constraint failed: session_ends_after_its_start")
    }

    @Test func `a second open stay of a level`() throws {
        let stays = [Stay.Place.room(hall), .station(rack), .room(yard)].enumerated().map {
            Fact.stay(
                Stay(id: Int64($0.offset), user: ann, place: $0.element, from: at(0), to: nil))
        }
        try refuses(
            stays[2], after: Array(stays[..<2]),
            because: "UNIQUE constraint failed: stay.user, stay.level")
    }

    @Test func `a second open workout`() throws {
        try refuses(
            workout(2, .paused, pausedSince: 5), after: [workout(1, .active)],
            because: "UNIQUE constraint failed: workout.user")
    }

    @Test func `a completed workout without an end, an open one with`() throws {
        let constraint = "CHECK constraint failed: open_workout_has_no_end"
        try refuses(workout(1, .completed), after: [], because: constraint)
        try refuses(workout(1, .active, to: 5), after: [], because: constraint)
    }

    @Test func `a paused workout without the start of the pause, an active one with`() throws {
        let constraint = "CHECK constraint failed: paused_since_while_paused"
        try refuses(workout(1, .paused), after: [], because: constraint)
        try refuses(workout(1, .active, pausedSince: 5), after: [], because: constraint)
    }

    @Test func `more pauses than workout`() throws {
        try refuses(
            workout(1, .completed, to: 10, pauses: [Workout.Pause(from: at(0), to: at(10.001))]),
            after: [], because: "CHECK constraint failed: pauses_fit_the_workout")
    }

    @Test func `a second claim of a slot`() throws {
        try refuses(
            claim(12, slot: 1, from: 5),
            after: [workout(1, .active), claim(10, slot: 1), claim(11, slot: 2)],
            because: "UNIQUE constraint failed: station_claim.station, station_claim.slot")
        try store.commit([claim(10, slot: 1, to: 5), claim(12, slot: 1, from: 5)])
    }

    @Test func `a fact about somebody unknown`() throws {
        try refuses(
            .ledger(LedgerRow(user: UserID(99), heard: [])), after: [],
            because: "FOREIGN KEY constraint failed")
    }

    @Test func `a changed event`() throws {
        var event = Event(
            id: 1, kind: .entered, at: at(0), user: ann, place: .room(hall), subject: 5)
        let first = Fact.event(event)
        event.place = nil
        try refuses(.event(event), after: [first, first], because: "events are never changed")
        #expect(throws: (any Error).self) {
            try store.pool.write { try $0.execute(sql: "DELETE FROM event") }
        }
    }

    /// The store never writes these; another program, or a later release, might.
    @Test(arguments: [
        (
            "UPDATE attendance_session SET to_ms = to_ms + 10001 WHERE id = 1",
            "sessions of a user overlap"
        ),
        (
            "INSERT INTO beacon_binding (beacon, user, from_ms) VALUES (1, 2, 0)",
            "UNIQUE constraint failed: beacon_binding.beacon"
        ),
        (
            "INSERT INTO beacon (slug, title, identity) SELECT 'new', '', identity FROM beacon",
            "UNIQUE constraint failed: beacon.identity"
        ),
        (
            "INSERT INTO room (slug, name) VALUES ('Hall', '')",
            "CHECK constraint failed: length(slug) BETWEEN 1 AND 64 AND slug NOT GLOB '*[^a-z0-9-]*'"
        ),
        ("DELETE FROM room", "FOREIGN KEY constraint failed"),
        (
            "UPDATE stay SET from_ms = 'noon'",
            "cannot store TEXT value in INTEGER column stay.from_ms"
        ),
    ])
    func `what SQL from outside may not do`(sql: String, constraint: String) throws {
        try store.commit([
            session(1, 0, 10), session(2, 20, 30),
            .stay(Stay(id: 3, user: ann, place: .room(hall), from: at(0), to: nil)),
        ])
        #expect(throws: StoreError.refused(constraint: constraint, fact: nil)) {
            try store.write { try $0.execute(sql: sql) }
        }
    }
}
