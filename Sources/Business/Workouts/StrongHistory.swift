import SiteModel

/// The export of the app Strong.
///
/// Its makers document how to export (help.strongapp.io, article 235) and what the tags of sets
/// mean (article 166), but no columns. Those here are facts from real exports in public
/// repositories:
///
/// - comma: `Date,Workout Name,Duration,Exercise Name,Set Order,Weight,Reps,Distance,Seconds,Notes,
///   Workout Notes,RPE`; it names no units (shreybirmiwal/strong-stats, strong.csv);
/// - semicolon: `Workout #;Date;Workout Name;Duration (sec);Exercise Name;Set Order;Weight (kg);
///   Reps;RPE;Distance (meters);Seconds;Notes;Workout Notes` (matias-ceau/biovector,
///   data/user/_temp_raw/strong_app; AbishakeSrithar/fitness-tracker-backend, strongData.csv);
/// - semicolon: `Date;Workout Name;Exercise Name;Set Order;Weight;Weight Unit;Reps;RPE;Distance;
///   Distance Unit;Seconds;Notes;Workout Notes;Workout Duration` (joshuayoes/strong-backup).
///
/// Only in tests and examples of programs that read such files: the second with commas, headings
/// with `(lbs)`, `(lb)`, `(km)` or `(miles)`, a decimal comma, and a clock of 12 hours
/// (jake-walker/workout-converter, sample_data/strong.csv).
///
/// In all of them `Date` is the start of the workout by a local clock, `2025-06-03 20:23:00`, on
/// each of its rows. `Set Order` is a number, or the tag `W`, `D` or `F`; rows with `Rest Timer` or
/// `Note` are no sets. What was not done is empty or 0, and counts may be `10.0`. Workout notes are
/// left out: our workouts have none.
struct StrongHistory: HistoryRowReader {
    private let clock: HistoryClock
    private let sets: ForeignSet
    /// The column of the length of a workout, if there is one.
    private let length: String?

    init(
        _ header: HistoryHeader, _ clock: HistoryClock, _ units: HistoryUnits
    ) throws(HistoryFault) {
        try header.require(["date", "workout name", "set order"])
        self.clock = clock
        sets = try ForeignSet(
            exercise: "exercise name", reps: "reps", seconds: "seconds", exertion: "rpe",
            note: "notes", in: header, units)
        length = header.first(of: ["duration", "duration (sec)", "workout duration"])
    }

    func read(_ row: HistoryRow, into draft: inout HistoryDraft) throws(HistoryFault) {
        guard let tag = try kind(row, &draft), let entry = try sets.entry(tag, row, &draft) else {
            return
        }
        let label = ["workout #", "date", "workout name"].map { row.cell($0) }
            .joined(separator: "\u{1F}")
        if draft.workout(label) == nil {
            let workout = try begun(row, &draft)
            draft.begin(workout, label)
        }
        try draft.add(entry, to: label)
    }

    /// What kind of set a row is; `nil`, with a remark, if it is none.
    private func kind(
        _ row: HistoryRow, _ draft: inout HistoryDraft
    ) throws(HistoryFault) -> WorkoutSet.Kind? {
        let order = row.cell("set order").lowercased()
        switch order {
        case "w": return .warmUp
        case "d": return .drop
        case "f": return .failure
        case "rest timer":
            draft.remark(.restTimer, row.line)
            return nil
        case "note":
            draft.remark(.exerciseNote, row.line)
            return nil
        default:
            guard !order.isEmpty, order.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw row.fault(
                    "set order", expected: "a number, W, D, F, Rest Timer or Note")
            }
            return .working
        }
    }

    /// The workout of a row.
    private func begun(
        _ row: HistoryRow, _ draft: inout HistoryDraft
    ) throws(HistoryFault) -> ReadWorkout {
        guard let from = clock.start(row.cell("date")) else {
            throw row.fault(
                "date",
                expected: "a time such as 2024-03-28 17:29:05, \(HistoryClock.bounds)"
                    + HistoryClock.advice)
        }
        var workout = ReadWorkout(
            line: row.line, from: from, to: from, title: try row.name("workout name"), sets: [])
        guard let length, !row.cell(length).isEmpty else { return workout }
        guard let seconds = HistoryClock.seconds(row.cell(length)) else {
            throw row.fault(length, expected: "a length such as 1h 5m, 45m, 30s or seconds")
        }
        let span = Timestamp.Span.milliseconds(seconds * 1000)
        guard span <= HistoryClock.longestWorkout else {
            // Real exports have 264 hours: nobody ended these workouts.
            draft.remark(.longWorkout, row.line)
            return workout
        }
        workout.to = from + span
        guard clock.contains(workout.to) else {
            throw row.fault(length, expected: "a length that ends before now")
        }
        return workout
    }
}
