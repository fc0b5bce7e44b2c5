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
            writer.row([.text("sum")] + Self.sum(rows, of: first, writer.sheet.rounding))
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

    /// The sums of the lengths as the lines above have them, rounded or not: whoever adds these up finds just
    /// that. A writer does not change it, as it is rounded already.
    private static func sum(
        _ rows: [DayRow], of person: DayRow, _ rounding: Rounding
    ) -> [Sheet.Cell?] {
        [.text(person.slug), .text(person.name)] + [Sheet.Cell?](repeating: nil, count: 8)
            + lengths(of: rows, rounding) + [
                .words(Set(rows.flatMap(\.review)).sorted()),
                .flag(rows.allSatisfy(\.isFinal)), total(of: rows.map(\.unknown), rounding),
            ]
    }

    private static func lengths(
        of rows: [DayRow], _ rounding: Rounding = .exact
    ) -> [Sheet.Cell?] {
        let columns: [KeyPath<DayRow, Timestamp.Span> & Sendable] = [
            \.planned, \.present, \.breaks, \.deducted, \.worked, \.late, \.early, \.before,
            \.after,
        ]
        return columns.map { column in
            total(of: rows.map { $0[keyPath: column] }, rounding)
        }
    }

    private static func total(of lengths: [Timestamp.Span], _ rounding: Rounding) -> Sheet.Cell {
        .length(lengths.reduce(.milliseconds(0)) { $0 + rounding($1) })
    }
}

/// The columns of the reports about places and people, by name the same in every release.
extension Sheet.Column {
    /// `time-in-place`: a person, a day and a place a line.
    package static let timeInPlace: [Sheet.Column] = [
        .init("user", .text), .init("name", .text), .init("date", .date), .init("level", .text),
        .init("place", .text), .init("time", .length), .init("stays", .count),
    ]

    /// `stays`: a person and a stay in a room or at a station a line, also one that goes on.
    package static let stays: [Sheet.Column] = [
        .init("user", .text), .init("name", .text), .init("level", .text), .init("place", .text),
        .init("from", .moment), .init("to", .moment), .init("time", .length),
    ]

    /// `present`: who is in now, and where.
    package static let present: [Sheet.Column] = [
        .init("user", .text), .init("name", .text), .init("in", .moment), .init("room", .text),
        .init("station", .text), .init("there", .moment),
    ]

    /// `between`: who was in between two moments.
    package static let between: [Sheet.Column] = [
        .init("user", .text), .init("name", .text), .init("in", .moment), .init("out", .moment),
        .init("time", .length), .init("open", .flag),
    ]

    /// `contacts`: two people in one room.
    package static let contacts: [Sheet.Column] = [
        .init("user", .text), .init("name", .text), .init("other", .text),
        .init("other_name", .text), .init("room", .text), .init("from", .moment),
        .init("to", .moment), .init("time", .length),
    ]

    /// `twins`: two tags that come and go together.
    package static let twins: [Sheet.Column] = [
        .init("user", .text), .init("name", .text), .init("other", .text),
        .init("other_name", .text), .init("days", .count), .init("first_date", .date),
        .init("last_date", .date),
    ]

    /// `usual-day`: half an hour a line.
    package static let usualDay: [Sheet.Column] = [
        .init("at", .moment), .init("people", .count), .init("usual", .count),
    ]

    /// `sessions`: a session a line.
    package static let sessions: [Sheet.Column] = [
        .init("id", .count), .init("user", .text), .init("name", .text), .init("date", .date),
        .init("in", .moment), .init("out", .moment), .init("length", .length),
        .init("breaks", .length), .init("in_cause", .text), .init("out_cause", .text),
        .init("last_heard", .moment), .init("review", .words), .init("rev", .count),
        .init("final", .flag), .init("unknown", .length),
    ]
}

extension Session {
    /// Its line under `Sheet.Column.sessions`. `knownThrough`: see `PersonRecord`.
    package func cells(
        slug: String, name: String, knownThrough: Timestamp?, _ context: ReportContext
    ) -> [Sheet.Cell?] {
        let counted = Counted(self, knownThrough: knownThrough, context)
        let isFinal = context.finalThrough.flatMap { final in to.map { $0 <= final } } ?? false
        return [
            .count(id), .text(slug), .text(name), .date(context.calendar.businessDay(of: from)),
            .moment(from), to.map { .moment($0) }, .length(counted.to - counted.from),
            .length(counted.breaks), .text(inCause.rawValue), outCause.map { .text($0.rawValue) },
            lastHeard.map { .moment($0) }, .words(review.map(\.rawValue)), .count(revision),
            .flag(isFinal), .length(counted.unknown),
        ]
    }
}
