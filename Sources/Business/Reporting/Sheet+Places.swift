import SiteModel

/// The columns of the reports about places and people, by name the same in every release.
extension Sheet.Column {
    /// `time-in-place`: a person, a day and a place a line.
    package static let timeInPlace: [Sheet.Column] = [
        .init("user", .text), .init("name", .text), .init("date", .date), .init("level", .text),
        .init("place", .text), .init("time", .length), .init("stays", .count),
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
