import Basics
import SiteModel

/// Our own export, exact in everything. All columns are there and no other: a misspelt one would
/// lose what stands in it without a word.
struct OwnHistory: HistoryRowReader {
    /// The columns, in the order in which the export has them.
    ///
    /// `workout` names the workout within the file; all its rows say the same of `started_ms`,
    /// `ended_ms` and `title`. `set` is a UUID, `exercise` and `station` are slugs, and one of
    /// `reps`, `duration_s` and `distance_m` is there. Empty may be: `title`, `weight_kg`, `rir`,
    /// `station`, `at_ms`, `note`.
    static let columns = [
        "workout", "started_ms", "ended_ms", "title", "set", "exercise", "kind", "reps",
        "weight_kg", "duration_s", "distance_m", "rir", "station", "at_ms", "note",
    ]

    private let clock: HistoryClock

    init(_ header: HistoryHeader, _ clock: HistoryClock) throws(HistoryFault) {
        self.clock = clock
        try header.require(Self.columns)
        for name in header.names where !Self.columns.contains(name.lowercased()) {
            throw HistoryFault(
                line: header.line, column: name,
                "there is no such column, expected \(Self.columns.joined(separator: ", "))")
        }
    }

    func read(_ row: HistoryRow, into draft: inout HistoryDraft) throws(HistoryFault) {
        guard let label = try row.name("workout") else {
            throw row.fault("workout", expected: "what tells workouts apart")
        }
        let workout = ReadWorkout(
            line: row.line, from: try moment(row, "started_ms"), to: try moment(row, "ended_ms"),
            title: try row.name("title"), sets: [])
        guard workout.from <= workout.to else {
            throw row.fault("ended_ms", expected: "a moment that is not before started_ms")
        }
        if let first = draft.workout(label) {
            if let column = Self.difference(workout, first) {
                throw row.fault(column, expected: "what line \(first.line) says of the workout")
            }
        } else {
            draft.begin(workout, label)
        }
        try draft.add(try entry(row, in: workout), to: label)
    }

    /// The first column of workouts in which two of one label differ.
    private static func difference(_ a: ReadWorkout, _ b: ReadWorkout) -> String? {
        if a.from != b.from { return "started_ms" }
        if a.to != b.to { return "ended_ms" }
        return a.title == b.title ? nil : "title"
    }

    private func entry(
        _ row: HistoryRow, in workout: ReadWorkout
    ) throws(HistoryFault) -> HistoryEntry {
        let key = row.cell("set")
        guard key.isUUID else { throw row.fault("set", expected: "a UUID") }
        let exercise = try slug(row, "exercise")
        guard let exercise else { throw row.fault("exercise", expected: "the slug of one") }
        guard let kind = WorkoutSet.Kind(rawValue: row.cell("kind")) else {
            let kinds = WorkoutSet.Kind.allCases.map(\.rawValue)
            throw row.fault("kind", expected: kinds.joined(separator: " or "))
        }
        let entry = HistoryEntry(
            line: row.line, key: key.lowercased(), exercise: exercise, kind: kind,
            reps: try whole(row, "reps", 1...1000),
            duration: try whole(row, "duration_s", 1...86_400),
            distance: try whole(row, "distance_m", 1...1_000_000),
            weight: try row.kilograms("weight_kg"), rir: try whole(row, "rir", 0...10),
            station: try slug(row, "station"), at: try time(row, in: workout),
            note: try note(row))
        let measures = [entry.reps, entry.duration, entry.distance].compactMap(\.self)
        guard measures.count == 1 else {
            throw HistoryFault(
                line: row.line,
                "\(measures.count) of reps, duration_s and distance_m are there, expected one")
        }
        return entry
    }

    private func moment(_ row: HistoryRow, _ column: String) throws(HistoryFault) -> Timestamp {
        let milliseconds = try row.whole(column, 0...Int64.max)
        guard let milliseconds, clock.contains(Timestamp(milliseconds: milliseconds)) else {
            throw row.fault(
                column, expected: "milliseconds since 1970-01-01, \(HistoryClock.bounds)")
        }
        return Timestamp(milliseconds: milliseconds)
    }

    private func time(
        _ row: HistoryRow, in workout: ReadWorkout
    ) throws(HistoryFault) -> Timestamp? {
        guard let milliseconds = try row.whole("at_ms", 0...Int64.max) else { return nil }
        let moment = Timestamp(milliseconds: milliseconds)
        guard workout.from <= moment, moment <= workout.to else {
            throw row.fault("at_ms", expected: "a moment from started_ms to ended_ms")
        }
        return moment
    }

    private func whole(
        _ row: HistoryRow, _ column: String, _ range: ClosedRange<Int64>
    ) throws(HistoryFault) -> Int? {
        guard let value = try row.whole(column, range) else { return nil }
        return Int(value)
    }

    private func slug(_ row: HistoryRow, _ column: String) throws(HistoryFault) -> String? {
        let text = row.cell(column)
        guard !text.isEmpty else { return nil }
        guard text.isSlug else {
            throw row.fault(column, expected: "a slug, 1 to 64 of a-z, 0-9 and -")
        }
        return text
    }

    private func note(_ row: HistoryRow) throws(HistoryFault) -> String? {
        guard let note = try row.words("note") else { return nil }
        guard note.unicodeScalars.count <= HistoryRow.longestNote else {
            throw row.fault("note", expected: "at most \(HistoryRow.longestNote) characters")
        }
        return note
    }
}
