import SiteModel

/// The reports that are made of days of people, as tables.
package enum DayReport: String, CaseIterable, Sendable {
    /// Everything about everybody on one day.
    case day = "attendance-day"
    /// The same for every day of a month, with a sum for each person.
    case month = "attendance-month"
    /// Days with time before or after the shift.
    case overtime
    /// Days on which somebody came late, left early or did not come.
    case lateEarly = "late-early"

    /// The columns, by name the same in every release.
    package var columns: [Sheet.Column] {
        switch self {
        case .day: Self.whole
        case .month: [Sheet.Column("line", .text)] + Self.whole
        case .overtime:
            Self.who + [.init("before", .length), .init("after", .length), .init("final", .flag)]
        case .lateEarly:
            Self.who + [
                .init("status", .text), .init("planned_from", .moment),
                .init("planned_to", .moment), .init("first_in", .moment),
                .init("last_out", .moment), .init("late", .length), .init("early", .length),
                .init("final", .flag),
            ]
        }
    }

    /// Writes the lines of one person, in the order of their days.
    package func write(_ rows: [DayRow], to writer: inout SheetWriter) {
        for row in rows {
            switch self {
            case .day: writer.row(Self.cells(row))
            case .month: writer.row([.text("day")] + Self.cells(row))
            case .overtime:
                guard row.before.milliseconds > 0 || row.after.milliseconds > 0 else { continue }
                writer.row(
                    Self.who(row) + [.length(row.before), .length(row.after), .flag(row.isFinal)])
            case .lateEarly:
                let isNoted = row.late.milliseconds > 0 || row.early.milliseconds > 0
                guard isNoted || row.status == .absent else { continue }
                writer.row(
                    Self.who(row) + [
                        .text(row.status.rawValue), row.hours.map { .moment($0.from) },
                        row.hours.map { .moment($0.to) }, row.firstIn.map { .moment($0) },
                        row.lastOut.map { .moment($0) }, .length(row.late), .length(row.early),
                        .flag(row.isFinal),
                    ])
            }
        }
        if self == .month, let first = rows.first {
            writer.row([.text("sum")] + Self.sum(rows, of: first))
        }
    }

    private static let who: [Sheet.Column] = [
        .init("user", .text), .init("name", .text), .init("date", .date), .init("shift", .text),
    ]

    private static let whole: [Sheet.Column] =
        who + [
            .init("status", .text), .init("leave", .text), .init("planned_from", .moment),
            .init("planned_to", .moment), .init("first_in", .moment), .init("last_out", .moment),
            .init("planned", .length), .init("present", .length), .init("breaks", .length),
            .init("deducted", .length), .init("worked", .length), .init("late", .length),
            .init("early", .length), .init("before", .length), .init("after", .length),
            .init("review", .words), .init("final", .flag), .init("unknown", .length),
        ]

    private static func who(_ row: DayRow) -> [Sheet.Cell?] {
        [.text(row.slug), .text(row.name), .date(row.date), row.shift.map { .text($0) }]
    }

    private static func cells(_ row: DayRow) -> [Sheet.Cell?] {
        who(row) + [
            .text(row.status.rawValue), row.leave.map { .text($0) },
            row.hours.map { .moment($0.from) }, row.hours.map { .moment($0.to) },
            row.firstIn.map { .moment($0) }, row.lastOut.map { .moment($0) },
        ] + lengths(of: [row]) + [.words(row.review), .flag(row.isFinal), .length(row.unknown)]
    }

    /// The sums of lengths, exact; a writer rounds the sum, not its parts.
    private static func sum(_ rows: [DayRow], of person: DayRow) -> [Sheet.Cell?] {
        [.text(person.slug), .text(person.name)] + [Sheet.Cell?](repeating: nil, count: 8)
            + lengths(of: rows) + [
                .words(Set(rows.flatMap(\.review)).sorted()),
                .flag(rows.allSatisfy(\.isFinal)),
                .length(.milliseconds(rows.reduce(0) { $0 + $1.unknown.milliseconds })),
            ]
    }

    private static func lengths(of rows: [DayRow]) -> [Sheet.Cell?] {
        let columns: [KeyPath<DayRow, Timestamp.Span> & Sendable] = [
            \.planned, \.present, \.breaks, \.deducted, \.worked, \.late, \.early, \.before,
            \.after,
        ]
        return columns.map { column in
            .length(.milliseconds(rows.reduce(0) { $0 + $1[keyPath: column].milliseconds }))
        }
    }
}
