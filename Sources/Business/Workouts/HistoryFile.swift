import Scheduling
import SiteModel

/// A person's training history, as a CSV file tells it. The file may come from anybody: it is taken
/// whole or refused whole, and names and notes in it are hostile text.
package struct HistoryFile: Equatable, Sendable {
    /// Whose columns a file has.
    package enum Layout: String, Sendable, Codable, CaseIterable {
        /// Ours: each set with its UUID, the exercise as a slug, moments in milliseconds.
        case own
        /// The export of the app Strong, in each of its dialects.
        case strong
        /// The export of the app Hevy.
        case hevy
    }

    /// What was left out, or was not taken as it stands.
    package struct Remark: Equatable, Sendable {
        package enum Kind: String, Sendable, CaseIterable {
            /// The row tells how long a rest was.
            case restTimer = "rest-timer"
            /// The row holds a note on an exercise, and no set.
            case exerciseNote = "exercise-note"
            /// The row has neither repetitions, nor a time, nor a distance.
            case nothingDone = "nothing-done"
            /// The workout would be longer than a day, so its length is taken for unknown.
            case longWorkout = "long-workout"
            /// The note was cut at the most characters that a note may have.
            case longNote = "long-note"
            /// The set does not tell what its exercise counts at the site.
            case otherMeasure = "other-measure"
            /// The weight was left out: the exercise takes none at the site.
            case strangeWeight = "strange-weight"
            /// The station was left out: the site has none of that id.
            case unknownStation = "unknown-station"
        }

        package var line: Int
        package var kind: Kind
    }

    /// Larger files are refused: what is read of one takes some fifteen times as much memory, and a coordinator has
    /// 256 MiB. Who reads one from a disk or a socket asks for its size first.
    package static let mostBytes = 5_000_000
    /// The most sets of a workout, as `Training` has it.
    package static let mostSets = 500

    package var layout: Layout
    /// Those that have sets, by start; of the same start in the order of the file.
    package var workouts: [ReadWorkout]
    /// In the order of the file.
    package var remarks: [Remark]

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8, with a byte order mark or without, lines ending in LF or CRLF.
    ///   - calendar: By whose clocks the times of other programs are meant; they name no zone. A
    ///     time that came twice is the first of both, one that never came is the end of the gap.
    ///   - now: No workout may begin or end later.
    ///   - units: Only for files that do not name theirs, as older exports of Strong.
    /// - Throws: `tooLarge` for too many bytes or rows, `schema` for all else.
    package static func read(
        _ bytes: [UInt8], in calendar: SiteCalendar, now: Timestamp,
        units: HistoryUnits = HistoryUnits()
    ) throws(HistoryFault) -> HistoryFile {
        guard bytes.count <= mostBytes else {
            throw HistoryFault(
                code: .tooLarge,
                "the file has \(bytes.count) bytes, \(mostBytes) are the most: split it by years")
        }
        let start = try HistoryHeader.read(bytes)
        let header = start.header
        var rows = start.rows
        let clock = HistoryClock(calendar: calendar, now: now)
        let reader: any HistoryRowReader
        switch header.layout {
        case .own: reader = try OwnHistory(header, clock)
        case .strong: reader = try StrongHistory(header, clock, units)
        case .hevy: reader = try HevyHistory(header, clock, units)
        }
        var draft = HistoryDraft(layout: header.layout)
        while let record = try rows.next() {
            try reader.read(try HistoryRow(record, of: header), into: &draft)
        }
        return draft.file
    }
}

/// A workout as a file tells it.
package struct ReadWorkout: Equatable, Sendable, Codable {
    /// The line of its first row, from 1.
    package var line: Int
    package var from: Timestamp
    /// Its start, if nothing is known of its length.
    package var to: Timestamp
    /// What its user called it, if anything. Hostile text on one line.
    package var title: String?
    /// In the order of the file.
    package var sets: [ReadSet]
}

/// A set as a file tells it. What of it counts, the measure of its exercise decides: other programs
/// tell the distance of a run and its time.
package struct ReadSet: Equatable, Sendable, Codable {
    /// The line of its row, from 1.
    package var line: Int
    /// A UUID in small letters: its own, or one that is the same whenever the same set is read.
    package var key: String
    /// As it stands in the file: in ours a slug, else a name. Hostile text on one line.
    package var exercise: String
    package var kind: WorkoutSet.Kind
    /// 1 to 1000.
    package var reps: Int?
    /// In seconds, 1 to 86,400.
    package var duration: Int?
    /// In metres, 1 to 1,000,000.
    package var distance: Int?
    /// In grams, up to 1,000,000. Other programs say 0 and nothing alike: `nil` is both, and 0 is
    /// only in our own files.
    package var weight: Int64?
    /// Repetitions in reserve, 0 to 10.
    package var rir: Int?
    /// The slug of the station; only in our own files.
    package var station: String?
    /// When it was done. If the file does not say so, the sets of its workout are spread evenly,
    /// the last of them at its end.
    package var at: Timestamp
    /// What its user wrote, up to 500 characters. Hostile text, may have lines.
    package var note: String?
}
