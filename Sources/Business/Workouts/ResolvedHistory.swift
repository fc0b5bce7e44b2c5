import SiteModel

/// What a file of training history means at a site: its sets as sets of the site's exercises.
package struct ResolvedHistory: Equatable, Sendable {
    /// A name that is none of the site's exercises.
    package struct Unknown: Equatable, Sendable {
        /// As it stands in the file. Hostile text on one line.
        package var name: String
        /// How many sets have it.
        package var sets: Int
        /// The slug that is written most like it, for people to look at; `nil` if none is.
        package var suggestion: String?
    }

    /// Those that have sets of known exercises. Exercises are slugs, of each set the one measure of its exercise is
    /// there, and a weight only as its exercise takes one.
    package private(set) var workouts: [ReadWorkout] = []
    /// The names that nobody knows, sorted. Their sets are not among the workouts.
    package private(set) var unknown: [Unknown] = []
    /// Those of the file and those of its exercises, by line.
    package private(set) var remarks: [HistoryFile.Remark]

    /// - Parameters:
    ///   - exercises: Those of the site.
    ///   - names: What names mean there.
    ///   - stations: The slugs of the site's stations.
    package init(
        _ file: HistoryFile, _ exercises: [Exercise], _ names: ExerciseNames,
        stations: Set<String>
    ) {
        remarks = file.remarks
        let known = Dictionary(
            exercises.map { ($0.slug, $0) }, uniquingKeysWith: { first, _ in first })
        var missing: [String: Int] = [:]
        var meant: [String: Exercise?] = [:]
        for workout in file.workouts {
            var resolved = workout
            resolved.sets = workout.sets.compactMap { set in
                let exercise =
                    meant[set.exercise] ?? names.slug(of: set.exercise).flatMap { known[$0] }
                meant[set.exercise] = exercise
                guard let exercise else {
                    missing[set.exercise, default: 0] += 1
                    return nil
                }
                return fitted(set, exercise, stations)
            }
            if !resolved.sets.isEmpty { workouts.append(resolved) }
        }
        let counts = Dictionary(
            missing.map { (ExerciseNames.folded($0.key), $0.value) }, uniquingKeysWith: +)
        unknown = names.unknown(among: missing.keys).map {
            Unknown(
                name: $0.name, sets: counts[ExerciseNames.folded($0.name)] ?? 0,
                suggestion: $0.suggestion)
        }
        // By line, then as they were found: the kinds have no order of their own.
        remarks = remarks.enumerated().sorted {
            ($0.element.line, $0.offset) < ($1.element.line, $1.offset)
        }.map(\.element)
    }

    /// The set as one of an exercise; `nil`, with a remark, if it tells nothing that the exercise counts.
    private mutating func fitted(
        _ set: ReadSet, _ exercise: Exercise, _ stations: Set<String>
    ) -> ReadSet? {
        var fitted = set
        fitted.exercise = exercise.slug
        (fitted.reps, fitted.duration, fitted.distance) = (nil, nil, nil)
        switch exercise.measure {
        case .reps: fitted.reps = set.reps
        case .time: fitted.duration = set.duration
        case .distance: fitted.distance = set.distance
        }
        guard (fitted.reps, fitted.duration, fitted.distance) != (nil, nil, nil) else {
            remark(.otherMeasure, set.line)
            return nil
        }
        switch exercise.load {
        case .weight: fitted.weight = set.weight ?? 0
        case .bodyweight: break
        case .none:
            if set.weight != nil { remark(.strangeWeight, set.line) }
            fitted.weight = nil
        }
        if let station = set.station, !stations.contains(station) {
            remark(.unknownStation, set.line)
            fitted.station = nil
        }
        return fitted
    }

    private mutating func remark(_ kind: HistoryFile.Remark.Kind, _ line: Int) {
        remarks.append(HistoryFile.Remark(line: line, kind: kind))
    }
}
