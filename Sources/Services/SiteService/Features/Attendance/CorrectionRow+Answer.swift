import Operations
import Records
import WebServer

// What is answered of the books.

extension CorrectionRow {
    package static let answer = noted + others

    private static let others: [RouteText.Field] = [
        .always("source", .oneOf(Source.self)), .always("user", .slug, "Whose."),
        .always("name", .anyText, "What they are called."),
        .init("session_rev", .count, "The revision of the session that was looked at."),
        .init("old_from_ms", .time), .init("old_to_ms", .time), .init("new_from_ms", .time),
        .init("new_to_ms", .time, "Not there if it stays open."),
        .init("heard_ms", .count, "How long somebody was heard in it."),
        .init(
            "breaks_lost_ms", .count,
            "How long breaks are that lie outside of what it is to be, and would be none; while it waits."
        ),
        .always("reason", .anyText), .always("requested_ms", .time),
        .always("requested_by", .anyText), .init("decided_ms", .time),
        .init("decided_by", .anyText), .init("decision_reason", .anyText),
    ]

    /// What whoever may not read the session is told, too.
    package static let noted: [RouteText.Field] = [
        .always("id", .count), .always("change", .oneOf(Kind.self)),
        .init("session", .count, "Not there of one that is missing."),
        .always("state", .oneOf(State.self)),
    ]

    /// What is answered to whoever asks for one: they may not read it, perhaps.
    package static let asked = noted + others.map { $0.optional }
}

extension LockRow {
    package static let answer: [RouteText.Field] = [
        .always("id", .count), .always("through_date", .date, "The last day that is locked."),
        .always("through_ms", .time, "The first moment that is not."),
        .always("locked_by", .anyText), .always("locked_ms", .time), .always("reason", .anyText),
        .init("unchanged", .flag, "It was in force before, and nothing was done."),
        .init(
            "forced_over",
            .object([
                .always("not_carried_out", .list(.count), "Corrections."),
                .always("not_final", .list(.count), "Sessions."),
            ])),
    ]
}

extension ExcuseRow {
    package static let answer: [RouteText.Field] = [
        .always("id", .count), .always("node", .slug), .always("excused_by", .anyText),
        .always("excused_ms", .time), .always("reason", .anyText), .init("ended_by", .anyText),
        .init("ended_ms", .time, "Not there while it stands."),
    ]
}

extension ToldRow {
    package static let answer: [RouteText.Field] = [
        .always("node", .slug), .always("name", .anyText),
        .init("through_ms", .time, "Through when it has told everything, if anything."),
        .always("awaited", .flag, "Whether nothing becomes final before it has told."),
        .init("excuse", .object(ExcuseRow.answer), "Why nobody waits for it."),
    ]
}
