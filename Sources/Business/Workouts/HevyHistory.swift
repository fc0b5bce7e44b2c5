import SiteModel

/// The export of the app Hevy.
///
/// Its makers document how to export (help.hevyapp.com), but no columns. Those here are facts from
/// real exports in public repositories: `title,start_time,end_time,description,exercise_title,
/// superset_id,exercise_notes,set_index,set_type,weight_kg,reps,distance_km,duration_seconds,rpe`
/// (mouadja02/Hevy-Coach, workout_data.csv), and with `weight_lbs` and `distance_miles` for those
/// who count in them (tylerjrichards/throne, data/hevy_workout_data.csv). `distance_meters` and
/// `Jun 30, 2025, 7:56 PM` are in tests of programs that read such files only.
///
/// Times are by a local clock, `30 Jun 2025, 19:56`. `set_type` is `normal`, `warmup`, `dropset` or
/// `failure`, as Hevy's public interface has it (api.hevyapp.com/docs). A workout has no id: its
/// title and both times stand on each of its rows. So does `exercise_notes` on each row of an
/// exercise. Newer workouts come first. `description` is left out: our workouts have none.
struct HevyHistory: HistoryRowReader {
    private static let kinds: [String: WorkoutSet.Kind] = [
        "normal": .working, "warmup": .warmUp, "dropset": .drop, "failure": .failure,
    ]

    private let clock: HistoryClock
    private let sets: ForeignSet

    init(
        _ header: HistoryHeader, _ clock: HistoryClock, _ units: HistoryUnits
    ) throws(HistoryFault) {
        try header.require(["title", "start_time", "end_time", "set_type"])
        self.clock = clock
        sets = try ForeignSet(
            exercise: "exercise_title", reps: "reps", seconds: "duration_seconds",
            exertion: "rpe", note: "exercise_notes", in: header, units)
    }

    func read(_ row: HistoryRow, into draft: inout HistoryDraft) throws(HistoryFault) {
        guard let kind = Self.kinds[row.cell("set_type").lowercased()] else {
            throw row.fault("set_type", expected: "normal, warmup, dropset or failure")
        }
        guard let entry = try sets.entry(kind, row, &draft) else { return }
        let label = ["title", "start_time", "end_time"].map { row.cell($0) }
            .joined(separator: "\u{1F}")
        if draft.workout(label) == nil {
            let workout = try begun(row, &draft)
            draft.begin(workout, label)
        }
        try draft.add(entry, to: label)
    }

    /// The workout of a row.
    private func begun(
        _ row: HistoryRow, _ draft: inout HistoryDraft
    ) throws(HistoryFault) -> ReadWorkout {
        let expected =
            "a time such as 28 Mar 2024, 17:29, \(HistoryClock.bounds)"
            + HistoryClock.advice
        guard let from = clock.start(row.cell("start_time")) else {
            throw row.fault("start_time", expected: expected)
        }
        var workout = ReadWorkout(
            line: row.line, from: from, to: from, title: try row.name("title"), sets: [])
        guard !row.cell("end_time").isEmpty else { return workout }
        guard let to = clock.end(row.cell("end_time"), notBefore: from) else {
            throw row.fault("end_time", expected: "\(expected), not before start_time")
        }
        if to - from <= HistoryClock.longestWorkout {
            workout.to = to
        } else {
            draft.remark(.longWorkout, row.line)
        }
        return workout
    }
}
