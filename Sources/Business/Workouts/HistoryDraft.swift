import Basics
import SiteModel

/// Reads the rows of one layout.
protocol HistoryRowReader {
    /// Takes a row into a draft. Throws if the row is not what the layout has.
    func read(_ row: HistoryRow, into draft: inout HistoryDraft) throws(HistoryFault)
}

/// A set as its row tells it, before it is known how many its workout has. Its members are those of
/// ``ReadSet``.
struct HistoryEntry: Equatable, Sendable {
    var line: Int
    /// In small letters; `nil` if the file names none.
    var key: String?
    var exercise: String
    var kind: WorkoutSet.Kind
    var reps: Int?
    var duration: Int?
    var distance: Int?
    var weight: Int64?
    var rir: Int?
    var station: String?
    /// `nil` if the file does not say when.
    var at: Timestamp?
    var note: String?
}

/// A file of training history while its rows are read.
struct HistoryDraft: Sendable {
    private let layout: HistoryFile.Layout
    /// In the order of the file, without their sets.
    private var workouts: [ReadWorkout] = []
    /// The sets of each.
    private var entries: [[HistoryEntry]] = []
    /// Where each workout stands, by its label.
    private var indices: [String: Int] = [:]
    /// The line of each set that has its own key.
    private var keys: [String: Int] = [:]
    private var remarks: [HistoryFile.Remark] = []

    init(layout: HistoryFile.Layout) { self.layout = layout }

    /// The workout that a label stands for, without its sets; `nil` if no row had the label yet.
    func workout(_ label: String) -> ReadWorkout? { indices[label].map { workouts[$0] } }

    /// Takes a workout whose first row was read.
    mutating func begin(_ workout: ReadWorkout, _ label: String) {
        indices[label] = workouts.count
        workouts.append(workout)
        entries.append([])
    }

    /// Takes a set of a workout that has begun. Throws if the workout is full, or if another set
    /// has its key.
    mutating func add(_ entry: HistoryEntry, to label: String) throws(HistoryFault) {
        guard let index = indices[label] else { preconditionFailure("no workout \(label)") }
        guard entries[index].count < HistoryFile.mostSets else {
            throw HistoryFault(
                line: entry.line,
                "the workout of line \(workouts[index].line) has more than"
                    + " \(HistoryFile.mostSets) sets")
        }
        if let key = entry.key, let other = keys.updateValue(entry.line, forKey: key) {
            throw HistoryFault(
                line: entry.line, column: "set",
                "\(HistoryFault.shown(key)) is the set of line \(other), too")
        }
        entries[index].append(entry)
    }

    /// Notes that something of a row was not taken.
    mutating func remark(_ kind: HistoryFile.Remark.Kind, _ line: Int) {
        remarks.append(HistoryFile.Remark(line: line, kind: kind))
    }

    /// The file, now that all its rows were read.
    var file: HistoryFile {
        var read: [ReadWorkout] = []
        var places: [String: Int] = [:]
        for (workout, entries) in zip(workouts, entries) where !entries.isEmpty {
            var workout = workout
            workout.sets = sets(of: workout, entries, &places)
            read.append(workout)
        }
        read.sort { ($0.from, $0.line) < ($1.from, $1.line) }
        return HistoryFile(layout: layout, workouts: read, remarks: remarks)
    }

    /// `places` counts the sets of each exercise among those of workouts of the same start.
    private func sets(
        of workout: ReadWorkout, _ entries: [HistoryEntry], _ places: inout [String: Int]
    ) -> [ReadSet] {
        let length = (workout.to - workout.from).milliseconds
        var sets: [ReadSet] = []
        var previous: HistoryEntry?
        for (index, entry) in entries.enumerated() {
            let share = Timestamp.Span.milliseconds(
                length * Int64(index + 1) / Int64(entries.count))
            let made = key(of: entry, from: workout.from, &places)
            var set = ReadSet(
                entry, key: entry.key ?? made, at: entry.at ?? (workout.from + share))
            // Other programs write a note on an exercise into each of its rows.
            if layout != .own, entry.note == previous?.note, entry.exercise == previous?.exercise {
                set.note = nil
            }
            sets.append(set)
            previous = entry
        }
        return sets
    }

    /// A UUID that is the same whenever the same set is read again. Not of its note: a note that
    /// was changed makes no other set.
    private func key(
        of entry: HistoryEntry, from start: Timestamp, _ places: inout [String: Int]
    ) -> String {
        // Names and numbers have neither of these characters.
        let (separator, nothing) = ("\u{1F}", "\u{1E}")
        func word(_ value: (some CustomStringConvertible)?) -> String {
            value.map { "\($0)" } ?? nothing
        }
        let exercise = "\(start.milliseconds)\(separator)\(entry.exercise)"
        places[exercise, default: 0] += 1
        let words = [
            layout.rawValue, exercise, word(places[exercise]), entry.kind.rawValue,
            word(entry.reps), word(entry.duration), word(entry.distance), word(entry.weight),
            word(entry.rir),
        ]
        let text = words.joined(separator: separator)
        let high = fingerprint64("high\(separator)\(text)".utf8)
        let low = fingerprint64("low\(separator)\(text)".utf8)
        // RFC 9562, section 5.8: version 8 is for those who make theirs by a rule of their own.
        return String(uuid: high, low, version: 8)
    }
}

extension ReadSet {
    fileprivate init(_ entry: HistoryEntry, key: String, at moment: Timestamp) {
        self.init(
            line: entry.line, key: key, exercise: entry.exercise, kind: entry.kind,
            reps: entry.reps, duration: entry.duration, distance: entry.distance,
            weight: entry.weight, rir: entry.rir, station: entry.station, at: moment,
            note: entry.note)
    }
}
