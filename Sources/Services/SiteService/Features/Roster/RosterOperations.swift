import Basics
import Operations
import Records
import Reporting
import Scheduling
import SiteModel
import SiteStore

// Shifts and who works them, leave, and calendars with a secret address. Right, person and key are the executor's part.

extension Operation {
    static let roster = [
        Operation(
            "shift-list", "/api/v1/shifts", .rosterRead, about: .member("user"),
            "Shifts, and who works them.", .of(Whose.self), answer: .rows("shifts")
        ) { whose, _, store in
            try RosterLines(store, only: whose.user).shifts()
        },
        Operation(
            "shift-add", .post, "/api/v1/shifts", .rosterWrite,
            "Adds a shift. Its hours never change, so that past days stay what they were.",
            .of(Shift.self), answer: .added, refusals: [.overlap]
        ) { shift, caller, store in
            var shift = shift
            if shift.name.isEmpty { shift.name = shift.slug }
            try Roster(store).add(shift, by: caller.asker)
            return ShiftLine(shift: shift, assignments: [])
        },
        Operation(
            "shift-remove", .post, "/api/v1/shifts/{id}/end", .rosterWrite,
            "Removes a shift: nobody works it after a day.", .of(ShiftEnd.self), answer: .nothing,
            refusals: [.notFound, .lockedPeriod]
        ) { end, caller, store in
            try Roster(store).removeShift(
                end.shift, last: end.last, force: end.force, by: caller.asker)
        },
        Operation(
            "shift-assign", .post, "/api/v1/shifts/{id}/assignments", .rosterWrite,
            "Lets people work a shift; all of them or, if one cannot, nobody.",
            .of(Assignments.self), answer: .added, refusals: [.notFound, .overlap, .lockedPeriod]
        ) { wish, caller, store in
            Assigned(
                rows: try Roster(store).assign(
                    wish.users, to: wish.shift, from: wish.from, to: wish.to,
                    weekdays: wish.weekdays, force: wish.force, by: caller.asker))
        },
        Operation(
            "shift-end", .post, "/api/v1/assignments/{id}/end", .rosterWrite,
            "Ends an assignment after a day; one that has not begun by then goes away.",
            .of(AssignmentEnd.self), answer: .nothing, refusals: [.notFound, .lockedPeriod]
        ) { end, caller, store in
            try Roster(store).endAssignment(
                end.id, last: end.last, force: end.force, by: caller.asker)
        },
        Operation(
            "leave-list", "/api/v1/leave", .rosterRead, about: .member("user"),
            "Days of leave, by date.", .of(LeaveDays.self), answer: .rows("leave")
        ) { asked, caller, store in
            try RosterLines(store, only: asked.user).leave(
                try asked.dates(in: store, at: caller.moment))
        },
        Operation(
            "leave-add", .post, "/api/v1/leave", .rosterWrite,
            "Notes leave; what was noted for these days before is replaced.", .of(NewLeave.self),
            answer: .nothing, refusals: [.notFound, .lockedPeriod]
        ) { leave, caller, store in
            try Roster(store).addLeave(
                leave.user, from: leave.from, to: leave.to ?? leave.from, kind: leave.kind,
                isHalf: leave.isHalf, force: leave.force, by: caller.asker)
        },
        Operation(
            "leave-remove", .delete, "/api/v1/leave/{user}/{date}", .rosterWrite,
            "Takes a day of leave back.", .of(TakenBack.self), answer: .nothing,
            refusals: [.notFound, .lockedPeriod]
        ) { leave, caller, store in
            try Roster(store).removeLeave(
                leave.user, leave.date, force: leave.force, by: caller.asker)
        },
        Operation(
            "feed-list", "/api/v1/feeds", .rosterRead, about: .member("user"),
            "Calendars with a secret address, revoked ones too.", .of(Whose.self),
            answer: .rows("feeds")
        ) { whose, _, store in
            try RosterLines(store, only: whose.user).feeds()
        },
        Operation(
            "feed-add", .post, "/api/v1/feeds", .rosterWrite,
            "Makes a calendar; the answer has its path, which is its secret, shown once.",
            .of(NewFeed.self), answer: .added, refusals: [.notFound], isShownOnce: true
        ) { feed, caller, store in
            let secret = FeedText.secret()
            let id = try Feeds(store).add(
                hash: FeedText.hash(of: secret), user: feed.user, kind: feed.kind, by: caller.asker)
            return Address(id: id, path: "/feeds/\(secret).ics")
        },
        Operation(
            "feed-revoke", .delete, "/api/v1/feeds/{id}", .rosterWrite,
            "Refuses a calendar from now on.", .of(Numbered.self), answer: .nothing,
            refusals: [.notFound]
        ) { feed, caller, store in
            try Feeds(store).revoke(feed.id, by: caller.asker)
        },
    ]
}

private let changesLocked = "Also where days change that are locked, which the audit says."
private let person = Form<String>.reference("users")

private struct Whose: OperationInput {
    var user: String?

    static let members: [Member<Whose>] = [
        .optional("user", person, \.user, "Only theirs.")
    ]
}

private struct ShiftEnd: OperationInput {
    var shift = ""
    var last = LocalDate(day: 0)
    var force = false

    static let members: [Member<ShiftEnd>] = [
        .needed("id", .reference("shifts"), \.shift), .needed("last", .date, \.last),
        .preset("force", .flag, \.force, changesLocked),
    ]
}

private struct AssignmentEnd: OperationInput {
    var id: Int64 = 0
    var last = LocalDate(day: 0)
    var force = false

    static let members: [Member<AssignmentEnd>] = [
        .needed("id", .count, \.id), .needed("last", .date, \.last),
        .preset("force", .flag, \.force, changesLocked),
    ]
}

private struct Assignments: OperationInput {
    var shift = ""
    var users: [String] = []
    var from = LocalDate(day: 0)
    var to: LocalDate?
    var weekdays = Array(1...7)
    var force = false

    static let members: [Member<Assignments>] = [
        .needed("id", .reference("shifts"), \.shift),
        .needed("users", .list(person), \.users), .needed("from", .date, \.from),
        .optional("to", .date, \.to, "The last day; for good if not given."),
        .preset(
            "weekdays", .list(.integer(1...7)), \.weekdays,
            "1 Monday to 7 Sunday; every day if not given."),
        .preset("force", .flag, \.force, changesLocked),
    ]
}

private struct Assigned: OperationOutput {
    var rows: [Int64]

    static let members: [Member<Assigned>] = [
        .needed("assignments", .list(.count), \.rows, "The id of each.")
    ]
}

private struct NewLeave: OperationInput {
    var user = ""
    var from = LocalDate(day: 0)
    var to: LocalDate?
    var kind = "holiday"
    var isHalf = false
    var force = false

    static let members: [Member<NewLeave>] = [
        .needed("user", person, \.user), .needed("from", .date, \.from),
        .optional("to", .date, \.to, "The last day; the first if not given."),
        .preset("kind", .text(1...64), \.kind, "Such as holiday or sick."),
        .preset("half", .flag, \.isHalf, "Half a day only."),
        .preset("force", .flag, \.force, changesLocked),
    ]
}

private struct TakenBack: OperationInput {
    var user = ""
    var date = LocalDate(day: 0)
    var force = false

    static let members: [Member<TakenBack>] = [
        .needed("user", person, \.user), .needed("date", .date, \.date),
        .preset("force", .flag, \.force, "Also a day that is locked, which the audit says."),
    ]
}

private struct LeaveDays: OperationInput {
    var user: String?
    var from: LocalDate?
    var to: LocalDate?

    static let members: [Member<LeaveDays>] = [
        .optional("user", person, \.user, "Only theirs."),
        .optional("from", .date, \.from, "Today."),
        .optional("to", .date, \.to, "A year from then, which is the most."),
    ]

    func dates(in store: Store, at now: Timestamp) throws -> ClosedRange<LocalDate> {
        let first =
            try from ?? ReportDesk(store, now: now).context.calendar.businessDay(of: now)
        let last = to ?? LocalDate(day: first.day + 365)
        guard (0..<366).contains(last - first) else {
            throw RosterError.badValue(
                name: "to", reason: "at most a year after from, and not before it")
        }
        return first...last
    }
}

private struct NewFeed: OperationInput {
    var user: String?
    var kind = Feed.Kind.attendance

    static let members: [Member<NewFeed>] = [
        .optional("user", person, \.user, "Whose; everybody's if not given."),
        .preset("kind", .word, \.kind),
    ]
}

private struct Address: OperationOutput {
    var id: Int64
    var path: String

    static let members: [Member<Address>] = [
        .needed("id", .count, \.id), .needed("path", .anyText, \.path),
    ]
}
