import Basics

/// What is sent of a set: all of a new one, or what is to be changed of one that is there.
package struct GivenSet: Equatable, Sendable, Codable {
    /// What may be taken away from a set.
    package enum Member: String, Sendable, Codable, CaseIterable {
        case weight = "weight_kg"
        case rir
        case station
        case note
        case target
    }

    /// The UUID by which whoever sends it knows it, in small letters.
    package var key: String
    /// The slug of the exercise.
    package var exercise: String?
    package var kind: WorkoutSet.Kind?
    package var reps: Int?
    /// In seconds.
    package var duration: Int?
    /// In metres.
    package var distance: Int?
    /// In grams.
    package var weight: Int64?
    package var rir: Int?
    package var station: StationID?
    package var at: Timestamp?
    package var note: String?
    package var target: WorkoutSet.Target?
    /// What a change takes away.
    package var cleared: [Member]

    package init(
        key: String, exercise: String? = nil, kind: WorkoutSet.Kind? = nil, reps: Int? = nil,
        duration: Int? = nil, distance: Int? = nil, weight: Int64? = nil, rir: Int? = nil,
        station: StationID? = nil, at: Timestamp? = nil, note: String? = nil,
        target: WorkoutSet.Target? = nil, cleared: [Member] = []
    ) {
        self.key = key
        self.exercise = exercise
        self.kind = kind
        self.reps = reps
        self.duration = duration
        self.distance = distance
        self.weight = weight
        self.rir = rir
        self.station = station
        self.at = at
        self.note = note
        self.target = target
        self.cleared = cleared
    }

    /// A number for all of it, the same in every run.
    package var digest: UInt64 {
        func word(_ value: (some CustomStringConvertible)?) -> String {
            // No text has this character.
            value.map { "\($0)" } ?? "\u{1E}"
        }
        let words = [
            word(exercise), word((kind ?? .working).rawValue), word(reps), word(duration),
            word(distance), word(weight), word(rir), word(station?.row), word(at?.milliseconds),
            word(target?.reps), word(target?.weight), word(note),
        ]
        return fingerprint64(words.joined(separator: "\u{1F}").utf8)
    }

    /// What it says was done, if it says one thing.
    package var measure: WorkoutSet.Measure? {
        switch (reps, duration, distance) {
        case (let reps?, nil, nil): .reps(reps)
        case (nil, let seconds?, nil): .duration(seconds)
        case (nil, nil, let metres?): .distance(metres)
        default: nil
        }
    }
}
