import SiteModel
import Wire

extension [Parameter] {
    /// The most characters of a note.
    private static let longestNote = 500
    private static let weights: ClosedRange<Int64> = 0...1_000_000

    /// What a set is.
    static let setMembers: Self = [
        Parameter("id", .uuid, "By which whoever logs it knows it."),
        Parameter("exercise", .slug),
        Parameter("kind", .oneOf(WorkoutSet.Kind.self), "working, if it is not said."),
        Parameter("reps", .integer(1...1000), "Of an exercise that counts repetitions."),
        Parameter("duration_s", .integer(1...86_400), "Of one that measures time."),
        Parameter("distance_m", .integer(1...1_000_000), "Of one that measures distance."),
        Parameter("weight_kg", .kilograms(weights), isNullable: true),
        Parameter("rir", .integer(0...10), isNullable: true, "Repetitions in reserve."),
        Parameter(
            "station", .slug, isNullable: true, "Where, if not at the station that is held."),
        Parameter(
            "at_ms", .time,
            "When it was done, if not now or, of a workout that is over, at its end."),
        Parameter("note", .freeText(1...longestNote), isNullable: true),
        Parameter(
            "target",
            .object([
                Parameter("reps", .integer(1...1000)), Parameter("weight_kg", .kilograms(weights)),
            ]), isNullable: true, "What was planned."),
    ]

    /// What a set is, of which so much must be there.
    static func setMembers(needing needed: Set<String>) -> [Parameter] {
        setMembers.map { member in
            var member = member
            member.isNeeded = needed.contains(member.name)
            return member
        }
    }
}

// Sets of workouts.
extension Verb {
    package static let addSet = ofSet(
        "set-add", .post, "/api/v1/workouts/{id}/sets",
        "Logs a set. Sent again with the same id it is answered alike, for ever.",
        [set(needing: ["id", "exercise"])], wraps: "set",
        [.rateLimited, .badState, .badTime]
    ) { given, names in given.set(in: names).map { .addSet($0) } }

    package static let changeSet = ofSet(
        "set-change", .patch, "/api/v1/workouts/{id}/sets/{set}",
        "Changes a set; null takes a member away.",
        [
            set(needing: ["id"]),
            Parameter(
                "rev", .integer(1...Int64.max), isNeeded: true,
                "The revision that was looked at."),
        ], wraps: "set", [.revisionConflict, .badState, .badTime]
    ) { given, names in
        guard let set = given.set(in: names), let revision = given.integer("rev") else {
            return nil
        }
        return .changeSet(set, revision: revision)
    }

    package static let deleteSet = ofSet(
        "set-delete", .delete, "/api/v1/workouts/{id}/sets/{set}", "Takes a set back.",
        [Parameter("set", .uuid, isNeeded: true, "Its id.")], [.badState]
    ) { given, _ in given.text("set").map { .deleteSet(key: $0) } }

    private static func set(needing needed: Set<String>) -> Parameter {
        Parameter("set", .object(.setMembers(needing: needed)), isNeeded: true)
    }

    private static func ofSet(
        _ name: String, _ method: Method, _ path: String, _ summary: String,
        _ parameters: [Parameter], wraps: String? = nil, _ refusals: [ProblemCode],
        act: @escaping @Sendable (Arguments, Names) -> Request.Training?
    ) -> Verb {
        Verb(
            name, method, path, .workoutsWrite, about: .body("user"), summary,
            [user, Parameter("id", .integer(1...Int64.max), "Of which workout it must be.")]
                + parameters,
            answer: .set, refusals: [.notFound] + refusals, wraps: wraps,
            act: .machine { given, names in
                guard let user = given.user(in: names) else { return nil }
                return act(given, names).map {
                    .training(user, $0, workout: given.integer("id"))
                }
            })
    }
}

extension Arguments {
    /// The set that the argument `set` says; `nil` if its station is none.
    fileprivate func set(in names: Names) -> GivenSet? { object("set")?.givenSet(in: names) }

    /// The set that these members say; `nil` if its station is none.
    func givenSet(in names: Names) -> GivenSet? {
        guard let key = text("id") else { return nil }
        var set = GivenSet(
            key: key, exercise: text("exercise"),
            kind: text("kind").flatMap { WorkoutSet.Kind(rawValue: $0) },
            reps: integer("reps").map { Int($0) },
            duration: integer("duration_s").map { Int($0) },
            distance: integer("distance_m").map { Int($0) },
            weight: integer("weight_kg"), rir: integer("rir").map { Int($0) },
            at: moment("at_ms"), note: text("note"),
            cleared: GivenSet.Member.allCases.filter { isNull($0.rawValue) })
        if let planned = object("target") {
            let target = WorkoutSet.Target(
                reps: planned.integer("reps").map { Int($0) }, weight: planned.integer("weight_kg"))
            set.target = target == WorkoutSet.Target() ? nil : target
        }
        if let slug = text("station") {
            guard let station = names.stations.id(slug) else { return nil }
            set.station = station
        }
        return set
    }
}
