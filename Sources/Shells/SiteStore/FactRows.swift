import GRDB
import SiteEngine
import SiteModel
import SiteSchema

/// The rows of facts.
enum FactRows {
    static func put(_ fact: Fact, into db: Database) throws {
        switch fact {
        case .site(let row): try put(row, into: db)
        case .ledger(let row): try AttendanceTable.put(row, into: db)
        case .presence(let row): try put(row, into: db)
        case .session(let session): try AttendanceTable.put(session, into: db)
        case .statement(let statement): try AttendanceTable.put(statement, into: db)
        case .dispute(let dispute): try DisputeTable.put(dispute, into: db)
        case .stay(let stay): try put(stay, into: db)
        case .workout(let workout): try put(workout, into: db)
        case .claim(let claim): try put(claim, into: db)
        case .event(let event): try put(event, into: db)
        case .answer(let answer): try put(answer, into: db)
        case .evidence(let row): try OutboxTable.put(row, into: db)
        case .nodeEvent(let row): try OutboxTable.put(row, into: db)
        case .cursor(let row): try OutboxTable.put(row, into: db)
        case .reasons(let row): try ReasonsTable.put(row, into: db)
        case .offset(let row): try OffsetTable.put(row, into: db)
        case .overrides(let new): try OverrideTable.put(new, into: db)
        case .notification(let row): try NotificationTable.put(row, into: db)
        }
    }

    private static func put(_ row: SiteRow, into db: Database) throws {
        try db.run(
            """
            INSERT INTO site_state (id, clock_ms, next, coverage, clocks, epoch, watermarks,
                watermark_ms, listening_since_ms)
            VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET clock_ms = excluded.clock_ms, next = excluded.next,
                coverage = excluded.coverage, clocks = excluded.clocks, epoch = excluded.epoch,
                watermarks = excluded.watermarks, watermark_ms = excluded.watermark_ms,
                listening_since_ms = excluded.listening_since_ms
            """,
            [
                row.clock.milliseconds, row.next, Packed.bytes(of: row.coverage),
                try JSONText.text(of: row.clocks), row.epoch, try JSONText.text(of: row.watermarks),
                row.watermark.milliseconds, row.listeningSince?.milliseconds,
            ])
        try trim(at: row.clock, db)
    }

    /// What is kept as the machines hold it.
    private static let trims: [(sql: String, life: Timestamp.Span)] = SiteTables.all.compactMap {
        guard case .machines(let life, let column, _) = $0.kept else { return nil }
        return ("DELETE FROM \($0.name) WHERE \(column) < ?", life)
    }

    /// What `Saved.apply` drops when the clock moves, because it is too old: sessions, except
    /// each user's newest, answers and reasons; and old evidence.
    private static func trim(at clock: Timestamp, _ db: Database) throws {
        try db.run(
            """
            UPDATE attendance_session AS session SET kept = 0
            WHERE kept = 1 AND to_ms < ? AND EXISTS (
                SELECT 1 FROM attendance_session AS later
                WHERE later.kept = 1 AND later.user = session.user
                    AND (later.from_ms, later.id) > (session.from_ms, session.id))
            """,
            [(clock - Saved.sessionLife).milliseconds])
        for trim in Self.trims { try db.run(trim.sql, [(clock - trim.life).milliseconds]) }
    }

    private static func put(_ row: PresenceRow, into db: Database) throws {
        try db.run(
            """
            INSERT INTO presence (user, room, station) VALUES (?, ?, ?)
            ON CONFLICT (user) DO UPDATE SET room = excluded.room, station = excluded.station
            """,
            [row.user.row, try JSONText.text(of: row.room), try JSONText.text(of: row.station)])
    }

    private static func put(_ stay: Stay, into db: Database) throws {
        let (level, room, station) = columns(stay.place)
        try db.run(
            """
            INSERT INTO stay (id, user, level, room, station, from_ms, to_ms)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET user = excluded.user, level = excluded.level,
                room = excluded.room, station = excluded.station, from_ms = excluded.from_ms,
                to_ms = excluded.to_ms
            """,
            [
                stay.id, stay.user.row, level, room, station, stay.from.milliseconds,
                stay.to?.milliseconds,
            ])
    }

    private static func put(_ workout: Workout, into db: Database) throws {
        try db.run(
            """
            INSERT INTO workout (id, user, station, state, started_ms, ended_ms, paused_since_ms,
                paused_cause, paused_ms)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET user = excluded.user, station = excluded.station,
                state = excluded.state, started_ms = excluded.started_ms,
                ended_ms = excluded.ended_ms, paused_since_ms = excluded.paused_since_ms,
                paused_cause = excluded.paused_cause, paused_ms = excluded.paused_ms
            """,
            [
                workout.id, workout.user.row, workout.station?.row, workout.state.rawValue,
                workout.from.milliseconds, workout.to?.milliseconds,
                workout.pausedSince?.milliseconds, workout.pausedSince.map { _ in "manual" },
                workout.paused.milliseconds,
            ])
        try db.run(
            "DELETE FROM workout_pause WHERE workout = ? AND n >= ?",
            [workout.id, workout.pauses.count])
        for (n, pause) in workout.pauses.enumerated() {
            try db.run(
                """
                INSERT INTO workout_pause (workout, n, from_ms, to_ms) VALUES (?, ?, ?, ?)
                ON CONFLICT (workout, n) DO UPDATE SET from_ms = excluded.from_ms,
                    to_ms = excluded.to_ms
                """,
                [workout.id, n, pause.from.milliseconds, pause.to.milliseconds])
        }
    }

    private static func put(_ claim: Claim, into db: Database) throws {
        try db.run(
            """
            INSERT INTO station_claim (id, station, slot, user, workout, from_ms, to_ms)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET station = excluded.station, slot = excluded.slot,
                user = excluded.user, workout = excluded.workout, from_ms = excluded.from_ms,
                to_ms = excluded.to_ms
            """,
            [
                claim.id, claim.station.row, claim.slot, claim.user.row, claim.workout,
                claim.from.milliseconds, claim.to?.milliseconds,
            ])
    }

    private static func put(_ event: Event, into db: Database) throws {
        let (_, room, station) = event.place.map(columns) ?? ("", nil, nil)
        try db.run(
            """
            INSERT INTO event (id, kind, at_ms, user, room, station, subject)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, at_ms = excluded.at_ms,
                user = excluded.user, room = excluded.room, station = excluded.station,
                subject = excluded.subject
            """,
            [
                event.id, event.kind.rawValue, event.at.milliseconds, event.user.row, room, station,
                event.subject,
            ])
    }

    /// What a room has answered with the same id meanwhile stays.
    private static func put(_ answer: Answer, into db: Database) throws {
        try db.run(
            """
            INSERT INTO answered_request (asker, key, at_ms, answer) VALUES (?, ?, ?, ?)
            ON CONFLICT (asker, key) DO UPDATE SET at_ms = excluded.at_ms,
                answer = excluded.answer WHERE answer IS NOT NULL
            """,
            [
                answer.request.client.storable, answer.request.id.storable, answer.at.milliseconds,
                try JSONText.text(of: answer),
            ])
    }

    /// The columns `level`, `room` and `station` of a place.
    private static func columns(_ place: Stay.Place) -> (String, Int64?, Int64?) {
        switch place {
        case .room(let room): ("room", room.row, nil)
        case .station(let station): ("station", nil, station.row)
        }
    }
}
