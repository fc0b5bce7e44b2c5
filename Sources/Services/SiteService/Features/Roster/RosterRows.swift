import Basics
import Operations
import Records
import Reporting
import Scheduling
import SiteModel
import SiteStore

/// A shift as people plan it; a new one is an hour open on both sides, and has no break.
extension Shift: OperationInput {
    package init() {
        self.init(id: 0, slug: "", name: "", start: .midnight, end: .midnight)
    }

    package static let members: [Member<Shift>] = [
        .needed("id", .slug, \.slug),
        .preset("name", .text(1...120), \.name),
        .needed("start", .clock, \.start, "Such as 22:00."),
        .needed("end", .clock, \.end, "Such as 06:00."),
        .preset(
            "early_in_min", .minutes(upTo: 720), \.earlyIn,
            "Minutes before the start that still belong to it."),
        .preset(
            "late_out_min", .minutes(upTo: 720), \.lateOut,
            "Minutes after the end that still belong to it."),
        .preset(
            "late_grace_min", .minutes(upTo: 720), \.lateGrace, "Minutes somebody may be late."),
        .preset(
            "exit_grace_min", .minutes(upTo: 720), \.exitGrace,
            "Minutes somebody may leave early."),
        .preset(
            "break_min", .minutes(upTo: 720), \.pause, "Minutes of break that are not worked."),
        .preset(
            "half_day_min", .minutes(upTo: 1440), \.halfDay,
            "Minutes below which it was half a day; 0: never."),
        .preset(
            "absent_min", .minutes(upTo: 1440), \.absent,
            "Minutes below which somebody was absent; 0: only who never came."),
    ]
}

/// A shift and who works it.
struct ShiftLine: OperationOutput {
    var shift: Shift
    var assignments: [AssignmentLine]

    static let members: [Member<ShiftLine>] = [
        .needed("id", .slug, \.shift.slug), .needed("name", .anyText, \.shift.name),
        .needed("start", .clock.told(as: .anyText), \.shift.start, "Such as 22:00."),
        .needed("end", .clock.told(as: .anyText), \.shift.end),
        .needed("early_in_min", .minutes(upTo: 1440).told(as: .count), \.shift.earlyIn),
        .needed("late_out_min", .minutes(upTo: 1440).told(as: .count), \.shift.lateOut),
        .needed("late_grace_min", .minutes(upTo: 1440).told(as: .count), \.shift.lateGrace),
        .needed("exit_grace_min", .minutes(upTo: 1440).told(as: .count), \.shift.exitGrace),
        .needed("break_min", .minutes(upTo: 1440).told(as: .count), \.shift.pause),
        .needed("half_day_min", .minutes(upTo: 1440).told(as: .count), \.shift.halfDay),
        .needed("absent_min", .minutes(upTo: 1440).told(as: .count), \.shift.absent),
        .needed("assignments", .list(.object), \.assignments),
    ]
}

/// Somebody who works a shift on some days of the week.
struct AssignmentLine: OperationOutput {
    var id: Int64
    var user: String
    var name: String
    var from: LocalDate
    var to: LocalDate?
    var weekdays: [Int]

    static let members: [Member<AssignmentLine>] = [
        .needed("id", .count, \.id), .needed("user", .slug, \.user),
        .needed("name", .anyText, \.name), .needed("from", .date, \.from),
        .optional("to", .date, \.to, "Not there if it is for good."),
        .needed(
            "weekdays", .list(.integer(1...7)), \.weekdays, "1 Monday to 7 Sunday."),
    ]
}

struct LeaveLine: OperationOutput {
    var user: String
    var name: String
    var leave: LeaveDay

    static let members: [Member<LeaveLine>] = [
        .needed("user", .slug, \.user), .needed("name", .anyText, \.name),
        .needed("date", .date, \.leave.date), .needed("kind", .anyText, \.leave.kind),
        .needed("half", .flag, \.leave.isHalf),
    ]
}

/// A calendar with a secret address.
struct FeedLine: OperationOutput {
    var id: Int64
    var user: String?
    var name: String?
    var kind: Feed.Kind
    var created: Int64
    var revoked: Int64?

    static let members: [Member<FeedLine>] = [
        .needed("id", .count, \.id),
        .optional("user", .slug, \.user, "Not there if it is everybody's."),
        .optional("name", .anyText, \.name), .needed("kind", .word, \.kind),
        .needed("created_ms", .time, \.created), .optional("revoked_ms", .time, \.revoked),
    ]
}

/// What is shown of the roster: of everybody or, if `only` is a slug, of that person alone.
struct RosterLines {
    private let store: Store
    private let people: [ReportPerson]
    private let only: String?

    init(_ store: Store, only: String?) throws {
        self.store = store
        self.only = only
        people = try ReportRows(store).people()
    }

    /// Every shift that was not removed, by slug.
    func shifts() throws -> [ShiftLine] {
        let assignments = try Roster(store).assignments()
        return try Roster(store).shifts(removed: false).map { shift in
            ShiftLine(
                shift: shift,
                assignments: assignments.filter { $0.shift == shift.id }.compactMap { one in
                    let person = person(one.user)
                    guard concerns(person) else { return nil }
                    return AssignmentLine(
                        id: one.id, user: person?.slug ?? "", name: person?.name ?? "",
                        from: one.from, to: one.to, weekdays: one.weekdays)
                })
        }
    }

    /// Days of leave between two dates, by date and person.
    func leave(_ dates: ClosedRange<LocalDate>) throws -> [LeaveLine] {
        try Roster(store).leave(dates).compactMap { leave in
            let person = person(leave.user)
            guard concerns(person) else { return nil }
            return LeaveLine(user: person?.slug ?? "", name: person?.name ?? "", leave: leave)
        }
    }

    /// Every calendar, revoked ones too.
    func feeds() throws -> [FeedLine] {
        try Feeds(store).all().compactMap { feed in
            let person = feed.user.flatMap(person)
            guard concerns(person) else { return nil }
            return FeedLine(
                id: feed.id, user: person?.slug, name: person?.name, kind: feed.kind,
                created: feed.created.milliseconds, revoked: feed.revoked?.milliseconds)
        }
    }

    private func person(_ user: UserID) -> ReportPerson? { people.first { $0.user == user } }

    private func concerns(_ person: ReportPerson?) -> Bool { only == nil || person?.slug == only }
}
