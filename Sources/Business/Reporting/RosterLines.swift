import Basics
import Records
import Scheduling
import SiteModel
import SiteStore

/// Shifts, leave and calendars as programs are shown them, by slugs and with names; the same over HTTP
/// and by the verbs' `--json`.
package struct RosterLines: Sendable {
    /// A shift and who works it. Lengths are minutes.
    package struct ShiftLine: Encodable, Sendable {
        package var id: String
        package var name: String
        package var start: String
        package var end: String
        package var early_in_min: Int64
        package var late_out_min: Int64
        package var late_grace_min: Int64
        package var exit_grace_min: Int64
        package var break_min: Int64
        package var half_day_min: Int64
        package var absent_min: Int64
        package var assignments: [AssignmentLine]
    }

    /// Somebody who works a shift on some days of the week, 1 Monday to 7 Sunday.
    package struct AssignmentLine: Encodable, Sendable {
        package var id: Int64
        package var user: String
        package var name: String
        package var from: String
        package var to: String?
        package var weekdays: [Int]
    }

    /// A day of leave.
    package struct LeaveLine: Encodable, Sendable {
        package var user: String
        package var name: String
        package var date: String
        package var kind: String
        package var half: Bool
    }

    /// A calendar with a secret address. Without `user` it is everybody's.
    package struct FeedLine: Encodable, Sendable {
        package var id: Int64
        package var user: String?
        package var name: String?
        package var kind: String
        package var created_ms: Int64
        package var revoked_ms: Int64?
    }

    private let store: Store
    private let people: [ReportPerson]
    private let only: String?

    /// Lines about everybody or, if `only` is a slug, about that person alone.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package init(_ store: Store, only: String? = nil) throws(StoreError) {
        self.store = store
        self.only = only
        people = try ReportRows(store).people()
    }

    /// Every shift that was not removed, by slug.
    ///
    /// - Throws: `.store` with a reader's `StoreError`.
    package func shifts() throws(RosterError) -> [ShiftLine] {
        let assignments = try Roster(store).assignments()
        return try Roster(store).shifts(removed: false).map { shift in
            line(
                shift,
                assignments.filter { $0.shift == shift.id }.compactMap { assignment in
                    let person = person(assignment.user)
                    guard concerns(person) else { return nil }
                    return AssignmentLine(
                        id: assignment.id, user: person?.slug ?? "", name: person?.name ?? "",
                        from: "\(assignment.from)", to: assignment.to.map { "\($0)" },
                        weekdays: assignment.weekdays)
                })
        }
    }

    /// Days of leave between two dates, by date and person.
    ///
    /// - Throws: `.store` with a reader's `StoreError`.
    package func leave(_ dates: ClosedRange<LocalDate>) throws(RosterError) -> [LeaveLine] {
        try Roster(store).leave(dates).compactMap { leave in
            let person = person(leave.user)
            guard concerns(person) else { return nil }
            return LeaveLine(
                user: person?.slug ?? "", name: person?.name ?? "", date: "\(leave.date)",
                kind: leave.kind, half: leave.isHalf)
        }
    }

    /// Every calendar, revoked ones too.
    ///
    /// - Throws: `.store` with a reader's `StoreError`.
    package func feeds() throws(RosterError) -> [FeedLine] {
        try Feeds(store).all().compactMap { feed in
            let person = feed.user.flatMap(person)
            guard concerns(person) else { return nil }
            return FeedLine(
                id: feed.id, user: person?.slug, name: person?.name, kind: feed.kind.rawValue,
                created_ms: feed.created.milliseconds, revoked_ms: feed.revoked?.milliseconds)
        }
    }

    private func person(_ user: UserID) -> ReportPerson? { people.first { $0.user == user } }

    private func concerns(_ person: ReportPerson?) -> Bool { only == nil || person?.slug == only }

    private func line(_ shift: Shift, _ assignments: [AssignmentLine]) -> ShiftLine {
        func minutes(_ span: Timestamp.Span) -> Int64 { span.milliseconds / 60_000 }
        return ShiftLine(
            id: shift.slug, name: shift.name, start: "\(shift.start)", end: "\(shift.end)",
            early_in_min: minutes(shift.earlyIn), late_out_min: minutes(shift.lateOut),
            late_grace_min: minutes(shift.lateGrace), exit_grace_min: minutes(shift.exitGrace),
            break_min: minutes(shift.pause), half_day_min: minutes(shift.halfDay),
            absent_min: minutes(shift.absent), assignments: assignments)
    }
}
