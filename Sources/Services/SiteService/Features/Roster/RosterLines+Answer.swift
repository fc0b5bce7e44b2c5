import Operations
import Reporting
import WebServer

// What is answered of the roster.

extension RosterLines.ShiftLine {
    package static let answer: [RouteText.Field] = [
        .always("id", .slug), .always("name", .anyText),
        .always("start", .anyText, "Such as 22:00."), .always("end", .anyText),
        .always("early_in_min", .count), .always("late_out_min", .count),
        .always("late_grace_min", .count), .always("exit_grace_min", .count),
        .always("break_min", .count), .always("half_day_min", .count),
        .always("absent_min", .count),
        .always("assignments", .list(.object(RosterLines.AssignmentLine.answer))),
    ]
}

extension RosterLines.AssignmentLine {
    fileprivate static let answer: [RouteText.Field] = [
        .always("id", .count), .always("user", .slug), .always("name", .anyText),
        .always("from", .date), .init("to", .date, "Not there if it is for good."),
        .always("weekdays", .list(.integer(1...7)), "1 Monday to 7 Sunday."),
    ]
}

extension RosterLines.LeaveLine {
    package static let answer: [RouteText.Field] = [
        .always("user", .slug), .always("name", .anyText), .always("date", .date),
        .always("kind", .anyText), .always("half", .flag),
    ]
}

extension RosterLines.FeedLine {
    package static let answer: [RouteText.Field] = [
        .always("id", .count), .init("user", .slug, "Not there if it is everybody's."),
        .init("name", .anyText), .always("kind", .oneOf(Feed.Kind.self)),
        .always("created_ms", .time), .init("revoked_ms", .time),
    ]
}
