import Operations
import Reporting
import WebServer

// What is answered of tables, as `RowText` writes them.

extension Sheet {
    /// A report of any kind: each row has what is known of the columns of its kind.
    static let answer: [RouteText.Field] = [
        .always("report", .oneOf(ReportOrder.Kind.self)), .always("site", .slug),
        .always("demo", .flag), .always("from_ms", moment), .always("to_ms", moment),
        .always("zone", .anyText), .always("rounding", .anyText),
        .always("rows", .list(.object(rows))),
    ]

    /// A page of sessions.
    static let sessionsAnswer: [RouteText.Field] = [
        .always("sessions", .list(.object(sessions))), .always("demo", .flag),
        .always("next", .anyText, isNullable: true, "The cursor of the next page."),
    ]

    /// A day that is asked for may lie before 1970.
    fileprivate static let moment = RouteText.Field.Kind.integer(Int64.min...Int64.max)

    private static var rows: [RouteText.Field] {
        var seen: Set<String> = []
        var fields: [RouteText.Field] = []
        let kinds = ReportOrder.Kind.allCases.map(\.columns)
        for column in kinds.joined() where seen.insert(column.name).inserted {
            let isEverywhere = kinds.allSatisfy { $0.contains { $0.name == column.name } }
            fields += column.answer(isNeeded: isEverywhere)
        }
        return fields
    }

    private static var sessions: [RouteText.Field] {
        Column.sessions.flatMap { column in
            column.answer(
                isNeeded: true,
                isNullable: ["out", "out_cause", "last_heard"].contains(column.name))
        }
    }
}

extension Sheet.Column {
    /// The members that its values become.
    fileprivate func answer(isNeeded: Bool, isNullable: Bool = false) -> [RouteText.Field] {
        let members: [(name: String, kind: RouteText.Field.Kind)] =
            switch kind {
            case .text: [(name, .anyText)]
            case .count: [(name, .count)]
            case .length: [(name + "_s", .number)]
            case .moment: [(name + "_ms", Sheet.moment), (name + "_local", .anyText)]
            case .date: [(name, .date)]
            case .flag: [(name, .flag)]
            case .words: [(name, .list(.anyText))]
            }
        return members.map {
            RouteText.Field($0.name, $0.kind, isNeeded: isNeeded, isNullable: isNullable)
        }
    }
}
