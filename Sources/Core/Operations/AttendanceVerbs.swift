import SiteModel
import Wire

// Attendance, and what people decide about it.
extension Verb {
    /// The most characters of the reason of a check-in or check-out.
    package static let longestReason = 256

    static let user = Parameter("user", .slug, "Who; only of oneself it may be left out.")
    private static let reason = Parameter("reason", .freeText(1...500), isNeeded: true)

    package static let checkIn = said("check-in", "Checks somebody in.", [.alreadyIn, .overlap]) {
        .checkIn(at: $0, reason: $1)
    }
    package static let checkOut = said("check-out", "Checks somebody out.", [.notIn]) {
        .checkOut(at: $0, reason: $1)
    }

    package static let correct = Verb(
        "attendance-correct", .post, "/api/v1/attendance/corrections", .correct, about: .each,
        "Asks for a correction; a member of sessions of their own. "
            + "Who may not read attendance is told its id and state only.",
        [
            Parameter("change", .word(["times", "remove", "add", "reviewed"]), isNeeded: true),
            Parameter("session", .integer(1...Int64.max), "Which, but for `add`."),
            Parameter("rev", .integer(1...Int64.max), "The revision that was looked at."),
            Parameter("user", .slug, "Whose, for `add`."),
            Parameter("from_ms", .time), Parameter("to_ms", .time, isNullable: true), reason,
        ], refusals: decisions, withheld: writtenByPeople, act: .room)

    package static let decide = Verb(
        "attendance-decide", .post, "/api/v1/attendance/corrections/{correction}/decision", .decide,
        "Approves or refuses a correction.",
        [
            Parameter("correction", .integer(1...Int64.max), isNeeded: true, "Which."),
            Parameter("approve", .flag, isNeeded: true), reason,
        ], refusals: decisions, withheld: writtenByPeople, act: .room)

    package static let lock = Verb(
        "attendance-lock", .post, "/api/v1/attendance/locks", .lock,
        "Locks everything up to a day, or unlocks it again.",
        [
            Parameter("through", .date, isNeeded: true), reason,
            Parameter("force", .flag, "Also what is not final yet."),
            Parameter("unlock", .flag, "Also an earlier day than the one locked."),
        ], refusals: decisions, act: .room)

    static let attendanceVerbs = [checkIn, checkOut, correct, decide, lock]

    /// What a decision about attendance may be refused with.
    package static let decisions: [ProblemCode] = [
        .notFound, .badState, .overlap, .revisionConflict, .badTime, .ambiguousTime,
        .nonexistentTime, .reasonRequired, .lockedPeriod, .alreadyIn, .notIn,
    ]

    private static let writtenByPeople = [
        "name", "reason", "requested_by", "decided_by", "decision_reason",
    ]

    private static func said(
        _ word: String, _ summary: String, _ refusals: [ProblemCode],
        act: @escaping @Sendable (Timestamp?, String?) -> Request.Attendance
    ) -> Verb {
        Verb(
            "attendance-" + word, .post, "/api/v1/attendance/" + word, .check, about: .body("user"),
            summary,
            [
                user, Parameter("at_ms", .time, "When it was, if not now."),
                Parameter("reason", .freeText(1...longestReason), "Why it is said by hand."),
            ], answer: .session,
            refusals: [.notFound] + refusals + [.badTime, .lockedPeriod],
            act: .machine { given, names in
                given.user(in: names).map {
                    .attendance($0, act(given.moment("at_ms"), given.text("reason")))
                }
            })
    }
}

extension Arguments {
    /// The person whom the argument `user` names.
    func user(in names: Names) -> UserID? { text("user").flatMap { names.users.id($0) } }
}
