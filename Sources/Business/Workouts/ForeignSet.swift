import SiteModel

/// The columns in which another program tells of a set.
struct ForeignSet: Sendable {
    private let exercise: String
    private let reps: String
    private let seconds: String
    /// A rate of perceived exertion, from 1 to 10.
    private let exertion: String
    private let note: String
    private let weight: MeasuredColumn<HistoryUnits.Weight>
    private let distance: MeasuredColumn<HistoryUnits.Distance>?

    /// Names are in small letters. Throws if the column of the exercise, of repetitions or of
    /// weights is missing; without one of the others nothing is known of what it would tell.
    /// `units` is for files that name none.
    init(
        exercise: String, reps: String, seconds: String, exertion: String, note: String,
        in header: HistoryHeader, _ units: HistoryUnits
    ) throws(HistoryFault) {
        try header.require([exercise, reps])
        let weight = try MeasuredColumn<HistoryUnits.Weight>(
            "weight", in: header, given: units.weight)
        guard let weight else { throw header.missing("weight") }
        self.exercise = exercise
        self.reps = reps
        self.seconds = seconds
        self.exertion = exertion
        self.note = note
        self.weight = weight
        distance = try MeasuredColumn<HistoryUnits.Distance>(
            "distance", in: header, given: units.distance)
    }

    /// The set of a row; `nil`, with a remark, if nothing was done in it.
    func entry(
        _ kind: WorkoutSet.Kind, _ row: HistoryRow, _ draft: inout HistoryDraft
    ) throws(HistoryFault) -> HistoryEntry? {
        guard let name = try row.name(exercise) else {
            throw row.fault(exercise, expected: "the name of an exercise")
        }
        let entry = HistoryEntry(
            line: row.line, exercise: name, kind: kind, reps: try row.reps(reps),
            duration: try row.seconds(seconds), distance: try metres(row),
            weight: try row.measured(weight), rir: try row.reserve(exertion),
            note: try cutNote(row, &draft))
        if entry.reps == nil, entry.duration == nil, entry.distance == nil {
            draft.remark(.nothingDone, row.line)
            return nil
        }
        return entry
    }

    private func metres(_ row: HistoryRow) throws(HistoryFault) -> Int? {
        guard let metres = try row.measured(distance) else { return nil }
        return Int(metres)
    }

    /// A note that is too long for ours is cut, with a remark: the whole file would be refused for
    /// it.
    private func cutNote(
        _ row: HistoryRow, _ draft: inout HistoryDraft
    ) throws(HistoryFault) -> String? {
        guard let words = try row.words(note) else { return nil }
        let scalars = words.unicodeScalars
        guard scalars.count > HistoryRow.longestNote else { return words }
        draft.remark(.longNote, row.line)
        return String(scalars.prefix(HistoryRow.longestNote))
    }
}
