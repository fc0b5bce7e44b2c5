import Basics
import JSON
import Operations
import Permissions
import SiteModel
import SiteStore
import WebServer
import Wire
import Workouts

/// What was trained: workouts with their stations, pauses and sets.
package struct WorkoutRoutes: Sendable {
    /// The most workouts of one answer.
    private static let mostWorkouts = 100
    private static let path = "/api/v1/workouts"

    private let store: Store
    /// The slugs of those who let trainers see what they train.
    private let sharing: @Sendable () -> Set<String>

    package init(_ store: Store, sharing: @escaping @Sendable () -> Set<String>) {
        self.store = store
        self.sharing = sharing
    }

    package var all: [Route] {
        [
            Route(
                .get, Self.path, .workoutsRead, whose: .query("user"),
                about: RouteText(
                    "Workouts, the newest first, each with its stations, pauses and sets.",
                    query: [
                        .init("user", .slug, "Whose."),
                        .init(
                            "state", .word(["open"] + Workout.State.allCases.map(\.rawValue)),
                            "`open`: active or paused."),
                        .init("station", .slug, "A station that was used."),
                        .init(
                            "from_ms", .integer(0...JSONValue.latestTime), "Begun then or later."),
                        .init("to_ms", .integer(0...JSONValue.latestTime), "Begun before."),
                        .init("cursor", .text(1...64), "`next` of the answer before."),
                        .init("limit", .integer(1...Int64(Self.mostWorkouts))),
                    ],
                    answer: [
                        .always("workouts", .list(.object(WorkoutLine.answer))),
                        .always("next", .anyText, isNullable: true, "The cursor of the next page."),
                    ], refusals: [.notFound, .consentRequired])
            ) { try await list($0) },
            Route(
                .get, Self.path + "/{id}", .workoutsRead, whose: .each,
                about: RouteText(
                    "One workout, by its row.",
                    answer: [.always("workout", .object(WorkoutLine.answer))],
                    refusals: [.notFound, .consentRequired])
            ) { try await one($0) },
            Route(
                .get, "/api/v1/waits", .workoutsRead, whose: .query("user"),
                about: RouteText(
                    "Who waits for which station, and how many are before them.",
                    query: [.init("user", .slug, "Whose; else all that whoever asks may see.")],
                    answer: [
                        .always("waits", .list(.object(OpenWait.answer)), "One a user at most.")
                    ], refusals: [.notFound, .consentRequired])
            ) { try await waits($0) },
        ]
    }

    private func waits(_ request: RouteRequest) async throws -> RouteAnswer {
        let asked = try AskedQuery(request, allowed: ["user"])
        var users = Self.visible(to: request, sharing)
        if let user = asked.values["user"] ?? request.onlyUser(.workoutsRead) {
            try await Self.find(user, in: store)
            guard users?.contains(user) != false else { throw Self.notAgreed }
            users = [user]
        }
        let waits = try await Blocking.run { [store, users] in
            try WorkoutHistory(store).waits(of: users)
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("waits")
        writer.beginArray()
        for wait in waits { wait.write(to: &writer) }
        writer.endArray()
        writer.endObject()
        return .json(String(decoding: writer.bytes, as: UTF8.self) + "\n")
    }

    private func list(_ request: RouteRequest) async throws -> RouteAnswer {
        let asked = try AskedQuery(
            request,
            allowed: ["user", "state", "station", "from_ms", "to_ms", "cursor", "limit"])
        let times: ClosedRange<Int64> = 0...JSONValue.latestTime
        var query = WorkoutQuery(
            user: asked.values["user"], visible: Self.visible(to: request, sharing),
            states: Self.states(asked.values["state"]), station: asked.values["station"],
            from: try asked.number("from_ms", times).map { Timestamp(milliseconds: $0) },
            to: try asked.number("to_ms", times).map { Timestamp(milliseconds: $0) },
            limit: Int(try asked.number("limit", 1...Int64(Self.mostWorkouts)) ?? 20))
        if let user = query.user { try await Self.find(user, in: store) }
        if let user = query.user, query.visible?.contains(user) == false { throw Self.notAgreed }
        if let cursor = asked.values["cursor"] {
            let parts = cursor.split(separator: "-").map { Int64($0) }
            guard parts.count == 2, let from = parts[0], let id = parts[1] else {
                throw RouteProblem(
                    .badRequest, "cursor: what `next` of an answer said expected.")
            }
            query.after = (Timestamp(milliseconds: from), id)
        }
        let (lines, hasMore) = try await Blocking.run { [store, query] in
            try WorkoutHistory(store).workouts(query)
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("workouts")
        writer.beginArray()
        for line in lines { line.write(to: &writer) }
        writer.endArray()
        let last = lines.last.map { "\($0.workout.from.milliseconds)-\($0.workout.id)" }
        writer.field("next", hasMore ? last : nil)
        writer.endObject()
        return .json(String(decoding: writer.bytes, as: UTF8.self) + "\n")
    }

    private func one(_ request: RouteRequest) async throws -> RouteAnswer {
        _ = try AskedQuery(request, allowed: [])
        let text = request.parameters["id"] ?? ""
        let found = try await Blocking.run { [store] in
            try Int64(text).flatMap { try WorkoutHistory(store).workout($0) }
                .map { ($0, try TrainingStatistics(store).records(in: $0)) }
        }
        let own = request.onlyUser(.workoutsRead)
        guard let (line, records) = found, own == nil || own == line.user else {
            throw RouteProblem(.notFound, "There is no such workout.")
        }
        guard Self.visible(to: request, sharing)?.contains(line.user) != false else {
            throw Self.notAgreed
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("workout")
        line.write(to: &writer, records: records)
        writer.endObject()
        return .json(String(decoding: writer.bytes, as: UTF8.self) + "\n")
    }

    /// Throws a `RouteProblem` if a slug is nobody's.
    static func find(_ user: String, in store: Store) async throws {
        guard try await Blocking.run({ try WorkoutHistory(store).knows(user) }) else {
            throw RouteProblem(.notFound, "There is no such user.")
        }
    }

    package static let notAgreed = RouteProblem(
        .consentRequired, "They have not agreed that others see what they train.")

    /// The slugs of those whose workouts may be seen; `nil`: everybody's. A trainer sees those who share, and
    /// their own.
    package static func visible(
        to request: RouteRequest, _ sharing: () -> Set<String>
    ) -> [String]? {
        guard let principal = request.visitor?.principal, principal.role == .trainer else {
            return nil
        }
        return sharing().union([principal.user].compactMap(\.self)).sorted()
    }

    private static func states(_ word: String?) -> [Workout.State] {
        word == "open"
            ? [.active, .paused] : word.flatMap { Workout.State(rawValue: $0) }.map { [$0] } ?? []
    }
}

extension WorkoutLine {
    fileprivate static let answer: [Parameter] = [
        .always("id", .count), .always("user", .slug),
        .always("state", .oneOf(Workout.State.self)), .always("cause", .oneOf(Workout.Cause.self)),
        .always("station", .slug, isNullable: true, "Where it is, or was last."),
        Parameter("title", .anyText, "What the program called it that it was imported from."),
        .always("started_ms", .time),
        .always("ended_ms", .time, isNullable: true, "null while it is open."),
        .always(
            "duration_ms", .count, isNullable: true, "Without pauses; null while it is open."),
        .always("rev", .count),
        .always("volume_kg", .number, "Repetitions × weight, without warm-ups."),
        .always(
            "stations",
            .list(
                .object([
                    .always("station", .slug), .always("from_ms", .time),
                    .always("to_ms", .time, isNullable: true),
                ]))),
        .always(
            "pauses",
            .list(
                .object([
                    .always("from_ms", .time), .always("to_ms", .time, isNullable: true),
                    .always("cause", .oneOf(Workout.Pause.Cause.self)),
                ]))),
        .always(
            "sets",
            .list(
                .object(
                    SetPayload.members + [
                        .always("rev", .count),
                        Parameter(
                            "e1rm_kg", .number, "The estimated one-repetition maximum (Brzycki)."),
                        Parameter("e1rm_confidence", .word(["low"]), "At 11 or 12 repetitions."),
                        Parameter(
                            "records", .list(.oneOf(WorkoutSet.Record.self)),
                            "Which it was when it was done; where one workout is asked for."),
                    ]))),
    ]

    /// Writes the object. `records`: those of its sets, by row, where they were looked up.
    fileprivate func write(
        to writer: inout JSONWriter, records: [Int64: [WorkoutSet.Record]]? = nil
    ) {
        writer.beginObject()
        writer.field("id", workout.id)
        writer.field("user", user)
        writer.field("state", workout.state.rawValue)
        writer.field("cause", workout.cause.rawValue)
        writer.field("station", station)
        if let title { writer.field("title", title) }
        writer.field("started_ms", workout.from.milliseconds)
        writer.field("ended_ms", workout.to?.milliseconds)
        writer.field(
            "duration_ms",
            workout.to.map { ($0 - workout.from).milliseconds - workout.paused.milliseconds })
        writer.field("rev", workout.revision)
        writer.field("volume_kg", Double(sets.reduce(0) { $0 + $1.set.volume }) / 1000)
        writer.key("stations")
        writer.beginArray()
        for used in stations {
            writer.beginObject()
            writer.field("station", used.station)
            writer.field("from_ms", used.from.milliseconds)
            writer.field("to_ms", used.to?.milliseconds)
            writer.endObject()
        }
        writer.endArray()
        writePauses(to: &writer)
        writer.key("sets")
        writer.beginArray()
        for (set, station) in sets {
            writer.beginObject()
            SetPayload(set, station: station, records: []).writeSet(to: &writer)
            writer.field("rev", set.revision)
            if let records {
                writer.field("records", (records[set.id] ?? []).map(\.rawValue))
            }
            if let estimate = set.oneRepMax {
                writer.field("e1rm_kg", (estimate.rounded()) / 1000)
                if !set.isEstimateSound { writer.field("e1rm_confidence", "low") }
            }
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }

    private func writePauses(to writer: inout JSONWriter) {
        var pauses = workout.pauses.map { ($0.from, Optional($0.to), $0.cause) }
        if let since = workout.pausedSince, let cause = workout.pausedCause {
            pauses.append((since, nil, cause))
        }
        writer.key("pauses")
        writer.beginArray()
        for (from, to, cause) in pauses {
            writer.beginObject()
            writer.field("from_ms", from.milliseconds)
            writer.field("to_ms", to?.milliseconds)
            writer.field("cause", cause.rawValue)
            writer.endObject()
        }
        writer.endArray()
    }
}

extension OpenWait {
    /// The members of its object.
    fileprivate static let answer: [RouteText.Field] = [
        .always("user", .slug), .always("station", .slug), .always("joined_ms", .time),
        .always("offered_until_ms", .time, isNullable: true, "Until when a slot is kept."),
        .always("ahead", .count, "How many joined earlier."),
    ]

    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("user", user)
        writer.field("station", station)
        writer.field("joined_ms", joined.milliseconds)
        writer.field("offered_until_ms", offeredUntil?.milliseconds)
        writer.field("ahead", ahead)
        writer.endObject()
    }
}
