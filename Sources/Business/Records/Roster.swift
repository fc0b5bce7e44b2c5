import Basics
import GRDB
import Scheduling
import SiteModel
import SiteStore
import Wire

/// Shifts, who works them, and leave. Every change has its entry in the audit, by who asks for it.
package struct Roster: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Adds a shift; its `id` is ignored. Returns its row.
    ///
    /// - Throws: `.shiftExists` or `.badValue` for what can be corrected; `.store` if the database
    ///   failed. Nothing was written.
    @discardableResult
    package func add(_ shift: Shift, by asker: Asker) throws(RosterError) -> Int64 {
        try checked(shift)
        return try decide { db in
            let known = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM shift WHERE slug = ? AND retired_ms IS NULL",
                arguments: [shift.slug])
            guard known == 0 else { throw RosterError.shiftExists(shift.slug) }
            try db.run(
                """
                INSERT INTO shift (slug, name, start_min, end_min, early_in_min, late_out_min,
                    late_grace_min, exit_grace_min, break_min, half_day_min, absent_min)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    shift.slug, shift.name.storable, shift.start.minutes, shift.end.minutes,
                    shift.earlyIn.minutes, shift.lateOut.minutes, shift.lateGrace.minutes,
                    shift.exitGrace.minutes, shift.pause.minutes, shift.halfDay.minutes,
                    shift.absent.minutes,
                ])
            let row = db.lastInsertedRowID
            try Self.note("add", "shift", "\(row)", ["hours": shift.hoursText], by: asker, db)
            return row
        }
    }

    /// Removes a shift: nobody works it after `last`. Days up to then stay what they were. `force`: also
    /// where days change that are locked, which the audit says.
    ///
    /// - Throws: `.unknownShift`, `.locked`; `.store` if the database failed. Nothing was written.
    package func removeShift(
        _ slug: String, last: LocalDate, force: Bool = false, by asker: Asker
    ) throws(RosterError) {
        try decide { db in
            let shift = try Self.shift(slug, db)
            let worked = try db.rows(
                "SELECT * FROM shift_assignment WHERE shift = ? ORDER BY id", [shift],
                as: Self.assignment)
            let forced = try LockedDays.override(force: force, db) { locked in
                try worked.contains {
                    try locked.touches($0, from: last + 1, at: asker.at, db)
                }
            }
            try db.run(
                "DELETE FROM shift_assignment WHERE shift = ? AND from_date > ?",
                [shift, last.description])
            try db.run(
                """
                UPDATE shift_assignment SET to_date = ?
                WHERE shift = ? AND coalesce(to_date, '9999-12-31') > ?
                """, [last.description, shift, last.description])
            try db.run(
                "UPDATE shift SET retired_ms = ? WHERE id = ?", [asker.at.milliseconds, shift])
            try Self.note(
                "remove", "shift", "\(shift)", forced.merging(["last": last.description]) { $1 },
                by: asker, db)
        }
    }

    /// Lets people work a shift on some days of the week, from one date to another or for good; all of
    /// them or, if one cannot, nobody. Returns the rows of the assignments, in the order of `users`.
    /// `force`: also where days change that are locked, which the audit says.
    ///
    /// - Throws: `.unknownUser`, `.unknownShift`, `.badValue`, `.overlap` or `.locked` for what can be
    ///   corrected; `.store` if the database failed. Nothing was written.
    @discardableResult
    package func assign(
        _ users: [String], to shift: String, from: LocalDate, to: LocalDate?, weekdays: [Int],
        force: Bool = false, by asker: Asker
    ) throws(RosterError) -> [Int64] {
        guard !weekdays.isEmpty, weekdays.allSatisfy((1...7).contains) else {
            throw .badValue(name: "weekdays", reason: "some of 1 (Monday) to 7 (Sunday) expected")
        }
        guard !users.isEmpty else { throw .badValue(name: "users", reason: "nobody is named") }
        if let to, to < from { throw .badValue(name: "to", reason: "\(to) is before \(from)") }
        return try decide { db in
            let row = try Self.shift(shift, db)
            return try users.map { user in
                let wish = ShiftAssignment(
                    id: 0, user: UserID(try Self.user(user, db)), shift: row, from: from, to: to,
                    weekdays: Set(weekdays).sorted())
                let forced = try LockedDays.override(force: force, db) {
                    try $0.touches(wish, from: from, at: asker.at, db)
                }
                guard let id = try Self.add(wish, forced, by: asker, db) else {
                    throw RosterError.overlap(user: user, shift: shift)
                }
                return id
            }
        }
    }

    /// Lets somebody work a shift; `nil` if they do already on one of these days.
    private static func add(
        _ wish: ShiftAssignment, _ forced: [String: String], by asker: Asker, _ db: Database
    ) throws -> Int64? {
        // Bit 0 is Monday.
        let weekdays = wish.weekdays.reduce(0) { $0 | 1 << ($1 - 1) }
        let (from, to) = (wish.from.description, wish.to?.description)
        let others = try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM shift_assignment
                WHERE user = ? AND shift = ? AND weekdays & ? <> 0 AND from_date <= ?
                    AND coalesce(to_date, '9999-12-31') >= ?
                """,
            arguments: [wish.user.row, wish.shift, weekdays, to ?? "9999-12-31", from])
        guard others == 0 else { return nil }
        try db.run(
            """
            INSERT INTO shift_assignment (user, shift, from_date, to_date, weekdays)
            VALUES (?, ?, ?, ?, ?)
            """, [wish.user.row, wish.shift, from, to, weekdays])
        let row = db.lastInsertedRowID
        let said = [
            "shift": "\(wish.shift)", "from": from, "to": to ?? "", "weekdays": "\(weekdays)",
        ]
        try note(
            "add", "shift-assignment", "\(row)", user: wish.user, forced.merging(said) { $1 },
            by: asker, db)
        return row
    }

    /// Ends an assignment after a day; one that has not begun by then goes away. `force`: also where days
    /// change that are locked, which the audit says.
    ///
    /// - Throws: `.unknownAssignment`, `.locked`; `.store` if the database failed. Nothing was written.
    package func endAssignment(
        _ id: Int64, last: LocalDate, force: Bool = false, by asker: Asker
    ) throws(RosterError) {
        try decide { db in
            let ended = try db.rows(
                "SELECT * FROM shift_assignment WHERE id = ?", [id], as: Self.assignment)
            let forced = try LockedDays.override(force: force, db) { locked in
                try ended.contains { try locked.touches($0, from: last + 1, at: asker.at, db) }
            }
            try Self.note(
                "end", "shift-assignment", "\(id)", user: ended.first?.user,
                forced.merging(["last": last.description]) { $1 }, by: asker, db)
            try db.run(
                "DELETE FROM shift_assignment WHERE id = ? AND from_date > ?",
                [id, last.description])
            guard db.changesCount == 0 else { return }
            try db.run(
                """
                UPDATE shift_assignment SET to_date = ?
                WHERE id = ? AND coalesce(to_date, '9999-12-31') > ?
                """, [last.description, id, last.description])
            guard db.changesCount == 1 else { throw RosterError.unknownAssignment(id) }
        }
    }

    /// Notes days of leave, all or none; what was noted on one of them before is replaced.
    ///
    /// - Throws: `.unknownUser`, `.badValue` or `.locked` for what can be corrected; `.store` if the database
    ///   failed. Nothing was written.
    package func addLeave(
        _ user: String, from: LocalDate, to: LocalDate, kind: String, isHalf: Bool,
        force: Bool = false, by asker: Asker
    ) throws(RosterError) {
        guard from <= to, to - from < 366 else {
            throw .badValue(name: "to", reason: "at most a year after the first day")
        }
        guard (1...64).contains(kind.unicodeScalars.count) else {
            throw .badValue(name: "kind", reason: "1 to 64 characters expected")
        }
        if let fault = HarmlessText.fault(inName: kind) {
            throw .badValue(name: "kind", reason: fault)
        }
        try decide { db in
            let user = try Self.user(user, db)
            for day in from.day...to.day {
                let date = LocalDate(day: day)
                let forced = try LockedDays.override(force: force, db) { date <= $0.through }
                let said = ["kind": kind, "half": isHalf ? "yes" : "no"]
                try Self.note(
                    "add", "leave", date.description, user: UserID(user),
                    forced.merging(said) { $1 }, by: asker, db)
                try db.run(
                    """
                    INSERT INTO leave_day (user, date, kind, half) VALUES (?, ?, ?, ?)
                    ON CONFLICT (user, date)
                        DO UPDATE SET kind = excluded.kind, half = excluded.half
                    """, [user, date.description, kind.storable, isHalf])
            }
        }
    }

    /// Takes a day of leave back.
    ///
    /// - Throws: `.unknownUser`, `.unknownLeave` or `.locked`; `.store` if the database failed. Nothing was
    ///   written.
    package func removeLeave(
        _ user: String, _ date: LocalDate, force: Bool = false, by asker: Asker
    ) throws(RosterError) {
        try decide { db in
            let row = try Self.user(user, db)
            try db.run(
                "DELETE FROM leave_day WHERE user = ? AND date = ?", [row, date.description])
            guard db.changesCount == 1 else {
                throw RosterError.unknownLeave(user: user, date: date.description)
            }
            let forced = try LockedDays.override(force: force, db) { date <= $0.through }
            try Self.note(
                "remove", "leave", date.description, user: UserID(row), forced, by: asker, db)
        }
    }

    /// Every shift; with those that were removed, too, if past days are asked about.
    ///
    /// - Throws: `.store` with a reader's `StoreError`.
    package func shifts(removed: Bool) throws(RosterError) -> [Shift] {
        try roster(reading: { db in try Self.shifts(removed: removed, db) })
    }

    /// Every assignment, by person and date.
    ///
    /// - Throws: `.store` with a reader's `StoreError`.
    package func assignments() throws(RosterError) -> [ShiftAssignment] {
        try roster(reading: { db in
            try db.rows(
                "SELECT * FROM shift_assignment ORDER BY user, from_date, id", as: Self.assignment)
        })
    }

    /// Every day of leave between two dates, by date and person.
    ///
    /// - Throws: `.store` with a reader's `StoreError`.
    package func leave(_ dates: ClosedRange<LocalDate>) throws(RosterError) -> [LeaveDay] {
        try roster(reading: { db in
            try db.rows(
                "SELECT * FROM leave_day WHERE date BETWEEN ? AND ? ORDER BY date, user",
                [dates.lowerBound.description, dates.upperBound.description], as: Self.leaveDay)
        })
    }
}

extension Roster {
    /// Writes what the machines are to know, too: who is missed follows from it.
    private func decide<Value>(_ body: (Database) throws -> Value) throws(RosterError) -> Value {
        let (value, revision) = try change { db in
            let value = try body(db)
            try OverrideTable.raiseOverrides(db)
            return (value, try OverrideTable.overridesRevision(db))
        }
        store.overridesWritten.max(revision, ordering: .relaxed)
        return value
    }

    /// Writes in one transaction; what `body` throws of ours stays what it is.
    package func change<Value>(_ body: (Database) throws -> Value) throws(RosterError) -> Value {
        do { return try store.transaction(body) } catch { throw rosterError(error) }
    }

    /// Reads from one consistent state.
    ///
    /// - Throws: What `body` throws of ours, else `.store` with a reader's `StoreError`.
    package func roster<Value>(reading body: (Database) throws -> Value) throws(RosterError)
        -> Value
    {
        // What `body` throws of ours stays what it is.
        let value: Result<Value, any Error>
        do {
            value = try store.read { db in Result { try body(db) } }
        } catch { throw rosterError(error) }
        do { return try value.get() } catch { throw rosterError(error) }
    }

    /// Adds an entry to the audit, in the transaction of what it tells of.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func note(
        _ action: String, _ entity: String, _ id: String, user: UserID? = nil,
        _ after: [String: String], by asker: Asker, _ db: Database
    ) throws {
        try AuditTrail.append(
            AuditEntry(
                at: asker.at, actor: asker.name, via: asker.via, action: action, entity: entity,
                entityID: id, user: user,
                after: after.isEmpty ? nil : try JSONText.text(of: after)), db)
    }

    private func rosterError(_ error: any Error) -> RosterError {
        error as? RosterError ?? .store(StoreError(error, path: store.path))
    }

    /// The row of a user, retired or not.
    ///
    /// - Throws: `RosterError.unknownUser`, or a `DatabaseError`.
    package static func user(_ slug: String, _ db: Database) throws -> Int64 {
        guard
            let row = try Int64.fetchOne(
                db, sql: "SELECT id FROM user WHERE slug = ?", arguments: [slug])
        else { throw RosterError.unknownUser(slug) }
        return row
    }

    private static func shift(_ slug: String, _ db: Database) throws -> Int64 {
        guard
            let row = try Int64.fetchOne(
                db, sql: "SELECT id FROM shift WHERE slug = ? AND retired_ms IS NULL",
                arguments: [slug])
        else { throw RosterError.unknownShift(slug) }
        return row
    }

    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func shifts(removed: Bool, _ db: Database) throws -> [Shift] {
        try db.rows(
            removed
                ? "SELECT * FROM shift ORDER BY id"
                : "SELECT * FROM shift WHERE retired_ms IS NULL ORDER BY slug"
        ) { row in
            guard let start = LocalTime(minutes: row["start_min"]),
                let end = LocalTime(minutes: row["end_min"])
            else { throw StoreError.other(code: 0, message: "shift has no valid hours") }
            return Shift(
                id: row["id"], slug: row["slug"], name: row["name"], start: start, end: end,
                earlyIn: .minutes(row["early_in_min"]), lateOut: .minutes(row["late_out_min"]),
                lateGrace: .minutes(row["late_grace_min"]),
                exitGrace: .minutes(row["exit_grace_min"]), pause: .minutes(row["break_min"]),
                halfDay: .minutes(row["half_day_min"]), absent: .minutes(row["absent_min"]))
        }
    }

    /// - Throws: `StoreError.corrupt` or a `DecodingError`: no row that this release wrote.
    package static func assignment(_ row: Row) throws -> ShiftAssignment {
        guard let from = LocalDate(row["from_date"] as String) else {
            throw StoreError.other(code: 0, message: "assignment has no valid date")
        }
        let bits: Int = row["weekdays"]
        return ShiftAssignment(
            id: row["id"], user: row["user"], shift: row["shift"], from: from,
            to: (row["to_date"] as String?).flatMap { LocalDate($0) },
            weekdays: (1...7).filter { bits & 1 << ($0 - 1) != 0 })
    }

    /// - Throws: `StoreError.corrupt` or a `DecodingError`: no row that this release wrote.
    package static func leaveDay(_ row: Row) throws -> LeaveDay {
        guard let date = LocalDate(row["date"] as String) else {
            throw StoreError.other(code: 0, message: "leave has no valid date")
        }
        return LeaveDay(
            user: row["user"], date: date, kind: row["kind"], isHalf: row["half"])
    }

    private func checked(_ shift: Shift) throws(RosterError) {
        guard shift.slug.isSlug else {
            throw .badValue(name: "id", reason: "1 to 64 of a-z, 0-9 and - expected")
        }
        guard (1...120).contains(shift.name.unicodeScalars.count) else {
            throw .badValue(name: "name", reason: "1 to 120 characters expected")
        }
        if let fault = HarmlessText.fault(inName: shift.name) {
            throw .badValue(name: "name", reason: fault)
        }
        let spans = [
            ("early-in", shift.earlyIn, 720), ("late-out", shift.lateOut, 720),
            ("late-grace", shift.lateGrace, 720), ("exit-grace", shift.exitGrace, 720),
            ("break", shift.pause, 720), ("half-day", shift.halfDay, 1440),
            ("absent", shift.absent, 1440),
        ]
        for (name, span, most) in spans where !(0...most).contains(span.minutes) {
            throw .badValue(name: name, reason: "0 to \(most) minutes expected")
        }
    }
}

extension Timestamp.Span {
    fileprivate static func minutes(_ count: Int) -> Timestamp.Span {
        .milliseconds(Int64(count) * 60_000)
    }

    fileprivate var minutes: Int { Int(milliseconds / 60_000) }
}

extension Shift {
    fileprivate var hoursText: String { "\(start)-\(end)" }
}
