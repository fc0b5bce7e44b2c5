import Basics
import JSON
import Operations
import Permissions
import Reporting
import Scheduling
import SiteModel
import SiteStore
import WebServer
import Wire
import Workouts

/// What workouts come to: by exercise and week, and the best of each exercise.
package struct TrainingRoutes: Sendable {
    /// Without a first day, so many days are told of.
    private static let usualDays: Int64 = 84

    private let store: Store
    private let sharing: @Sendable () -> Set<String>
    private let now: @Sendable () -> Timestamp

    package init(
        _ store: Store, sharing: @escaping @Sendable () -> Set<String>,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.store = store
        self.sharing = sharing
        self.now = now
    }

    package var all: [Route] {
        [
            Route(
                .get, "/api/v1/workouts/stats", .workoutsRead, whose: .query("user"),
                about: RouteText(
                    "What somebody trained, by exercise and week, by muscle, and by day.",
                    query: [
                        .init("user", .slug, "Whose; only of oneself it may be left out."),
                        .init("from", .date), .init("to", .date),
                    ],
                    answer: [
                        .always("exercises", .list(.object(ExerciseWeek.answer))),
                        .always(
                            "muscles",
                            .list(
                                .object([
                                    .always("muscle", .anyText), .always("week", .anyText),
                                    .always("sets", .number),
                                ])),
                            "1 for each set of an exercise whose main muscle it is, else ½."),
                        .always(
                            "days",
                            .list(
                                .object([
                                    .always("date", .date), .always("workouts", .count),
                                    .always("minutes", .number, "Without pauses."),
                                    .always("sets", .count),
                                ])),
                            "Of days with a workout that has ended and was not cancelled."),
                        .always(
                            "stations", .list(.object(StationStatistics.Use.answer)),
                            "How stations were used by everybody; only for who reads reports."),
                    ], refusals: [.notFound, .consentRequired, .badTime])
            ) { try await statistics($0) },
            Route(
                .get, "/api/v1/records", .workoutsRead, whose: .query("user"),
                about: RouteText(
                    "The best somebody has done of each exercise.",
                    query: [
                        .init("user", .slug, "Whose; only of oneself it may be left out."),
                        .init("exercise", .slug),
                    ],
                    answer: [.always("records", .list(.object(TrainingStatistics.Best.answer)))],
                    refusals: [.notFound, .consentRequired])
            ) { try await records($0) },
            Route(
                .get, "/api/v1/stations/{id}/day", .placesRead, whose: .each,
                about: RouteText(
                    "How a station was used on a day, and when it was out of order; not by whom.",
                    query: [.init("date", .date, "Today, if it is left out.")],
                    answer: [
                        .always("from_ms", .time), .always("to_ms", .time),
                        .always(
                            "parts",
                            .list(
                                .object([
                                    .always(
                                        "slot", .count, isNullable: true,
                                        "From 1; null: the station was out of order."),
                                    .always("from_ms", .time),
                                    .always("to_ms", .time, isNullable: true),
                                    .always("note", .anyText, isNullable: true),
                                ])), "By beginning."),
                    ], refusals: [.notFound])
            ) { try await stationDay($0) },
            Route(
                .get, "/api/v1/workouts/export", .workoutsRead, whose: .query("user"),
                about: RouteText(
                    "What somebody trained, set by set, as CSV that can be imported.",
                    query: [.init("user", .slug, "Whose; only of oneself it may be left out.")],
                    type: "text/csv", refusals: [.notFound, .consentRequired])
            ) { try await export($0) },
        ]
    }

    private typealias ExerciseWeek = TrainingStatistics.ExerciseWeek

    private func statistics(_ request: RouteRequest) async throws -> RouteAnswer {
        let asked = try AskedQuery(request, allowed: ["user", "from", "to"])
        let seesStations =
            request.visitor.map { $0.principal.reach(.reports) == .site } ?? false
        let isOfNobody =
            seesStations && (asked.values["user"] ?? request.visitor?.principal.user) == nil
        let user = isOfNobody ? nil : try await user(asked, request)
        let moment = now()
        let (exercises, muscles, days, stations) = try await Blocking.run { [store] in
            let calendar = try ReportDesk(store, now: moment).context.calendar
            let last = try Self.day("to", asked) ?? calendar.local(moment).date
            let first = try Self.day("from", asked) ?? last + (1 - Self.usualDays)
            guard first <= last else { throw RouteProblem(.badTime, "to: is before from.") }
            let bounds = Interval(
                from: calendar.begin(of: first), to: calendar.begin(of: last + 1))
            let (exercises, muscles) =
                try user.map { user in
                    try TrainingStatistics(store).weeks(of: user, in: bounds) {
                        calendar.local($0).date.weekName
                    }
                } ?? ([], [])
            let days =
                try user.map { user in
                    try TrainingStatistics(store).days(of: user, in: bounds) {
                        calendar.local($0).date
                    }
                } ?? []
            let stations =
                seesStations
                ? try StationStatistics(store).uses(in: bounds, calendar, now: moment) : []
            return (exercises, muscles, days, stations)
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("exercises")
        writer.beginArray()
        for week in exercises { week.write(to: &writer) }
        writer.endArray()
        writer.key("muscles")
        writer.beginArray()
        for week in muscles {
            writer.beginObject()
            writer.field("muscle", week.muscle)
            writer.field("week", week.week)
            writer.field("sets", Double(week.halves) / 2)
            writer.endObject()
        }
        writer.endArray()
        writer.key("days")
        writer.beginArray()
        for day in days {
            writer.beginObject()
            writer.field("date", day.date.description)
            writer.field("workouts", day.workouts)
            writer.field("minutes", (Double(day.time.milliseconds) / 6000).rounded() / 10)
            writer.field("sets", day.sets)
            writer.endObject()
        }
        writer.endArray()
        writer.key("stations")
        writer.beginArray()
        for use in stations { use.write(to: &writer) }
        writer.endArray()
        writer.endObject()
        return .json(String(decoding: writer.bytes, as: UTF8.self) + "\n")
    }

    private func stationDay(_ request: RouteRequest) async throws -> RouteAnswer {
        let asked = try AskedQuery(request, allowed: ["date"])
        let moment = now()
        let found = try await Blocking.run { [store] in
            let calendar = try ReportDesk(store, now: moment).context.calendar
            let date = try Self.day("date", asked) ?? calendar.local(moment).date
            return try StationStatistics(store).day(
                of: request.parameters["id"] ?? "",
                in: Interval(from: calendar.begin(of: date), to: calendar.begin(of: date + 1)))
        }
        guard let found else { throw RouteProblem(.notFound, "There is no such station.") }
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("from_ms", found.day.from.milliseconds)
        writer.field("to_ms", found.day.to.milliseconds)
        writer.key("parts")
        writer.beginArray()
        for part in found.parts {
            writer.beginObject()
            writer.field("slot", part.slot)
            writer.field("from_ms", part.from.milliseconds)
            writer.field("to_ms", part.to?.milliseconds)
            writer.field("note", part.note)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return .json(String(decoding: writer.bytes, as: UTF8.self) + "\n")
    }

    private func records(_ request: RouteRequest) async throws -> RouteAnswer {
        let asked = try AskedQuery(request, allowed: ["user", "exercise"])
        let user = try await user(asked, request)
        let bests = try await Blocking.run { [store] in
            try TrainingStatistics(store).records(of: user, in: asked.values["exercise"])
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("records")
        writer.beginArray()
        for best in bests { best.write(to: &writer) }
        writer.endArray()
        writer.endObject()
        return .json(String(decoding: writer.bytes, as: UTF8.self) + "\n")
    }

    private func export(_ request: RouteRequest) async throws -> RouteAnswer {
        let asked = try AskedQuery(request, allowed: ["user"])
        let user = try await user(asked, request)
        let moment = now()
        let (csv, isDemo) = try await Blocking.run { [store] in
            (try HistoryExport(store).csv(of: user), try ReportDesk(store, now: moment).site.isDemo)
        }
        let name = (isDemo ? "demo-" : "") + "training-\(user).csv"
        return RouteAnswer(
            contentType: "text/csv; charset=utf-8; header=present",
            headers: [("Content-Disposition", "attachment; filename=\"\(name)\"")],
            body: .bytes(csv))
    }

    private func user(
        _ asked: AskedQuery, _ request: RouteRequest
    ) async throws -> String {
        guard let user = asked.values["user"] ?? request.visitor?.principal.user else {
            throw RouteProblem(.badRequest, "user: whose is missing.")
        }
        try await WorkoutRoutes.find(user, in: store)
        if let visible = WorkoutRoutes.visible(to: request, sharing), !visible.contains(user) {
            throw WorkoutRoutes.notAgreed
        }
        return user
    }

    private static func day(_ name: String, _ asked: AskedQuery) throws -> LocalDate? {
        guard let text = asked.values[name] else { return nil }
        // Its moments must be such as can be told.
        guard let date = LocalDate(text), (1971...9998).contains(date.parts.year) else {
            throw RouteProblem(
                .badRequest, "\(name): a day such as 2026-03-29, of the years 1971 to 9998.")
        }
        return date
    }
}

extension LocalDate {
    /// Its week as ISO 8601 has it: `2026-W48`.
    fileprivate var weekName: String {
        let (year, week) = week
        return "\(year)-W\(week < 10 ? "0" : "")\(week)"
    }
}

extension SiteCalendar {
    /// The first moment of a date by the clocks on the wall.
    fileprivate func begin(of date: LocalDate) -> Timestamp {
        switch moment(of: date, .midnight) {
        case .one(let moment), .ambiguous(let moment, _): moment
        // The clocks were set forward over it: the day begins where they went on.
        case .nonexistent: bounds(of: date).from
        }
    }
}

extension TrainingStatistics.ExerciseWeek {
    fileprivate static let answer: [Parameter] = [
        .always("exercise", .slug), .always("week", .anyText, "Such as 2026-W48."),
        .always("sets", .count, "Without warm-ups."), .always("reps", .count),
        .always("volume_kg", .number),
        .always("weight_kg", .number, isNullable: true, "The heaviest."),
        .always("e1rm_kg", .number, isNullable: true),
        .always("e1rm_low_kg", .number, isNullable: true, "The best of low confidence."),
        .always("records", .count),
    ]

    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("exercise", exercise)
        writer.field("week", week)
        writer.field("sets", sets)
        writer.field("reps", reps)
        writer.field("volume_kg", Double(volume) / 1000)
        writer.field("weight_kg", kilograms: weight.map(Double.init))
        writer.field("e1rm_kg", kilograms: oneRepMax)
        writer.field("e1rm_low_kg", kilograms: lowOneRepMax)
        writer.field("records", records)
        writer.endObject()
    }
}

extension JSONWriter {
    /// A weight, given in grams.
    fileprivate mutating func field(_ name: String, kilograms grams: Double?) {
        if let grams {
            field(name, grams.rounded() / 1000)
        } else {
            field(name, nil as String?)
        }
    }
}

extension StationStatistics.Use {
    fileprivate static let answer: [Parameter] = [
        .always("station", .slug), .always("uses", .count),
        .always("minutes", .number, "All its slots together."),
        .always(
            "utilisation", .number, isNullable: true,
            "Of its opening hours; null while nobody has said what these are."),
        .always(
            "peak_hour", .integer(0...23), isNullable: true,
            "By the clocks on the wall: when it is used most."),
        .always("waits", .count, "How often somebody began to wait."),
        .always(
            "wait_median_s", .number, isNullable: true, "How long those waited who got it."),
    ]

    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("station", station)
        writer.field("uses", uses)
        writer.field("minutes", (Double(time.milliseconds) / 600).rounded() / 100)
        writer.field("utilisation", nil as String?)
        writer.field("peak_hour", peakHour)
        writer.field("waits", waits)
        if let medianWait {
            writer.field("wait_median_s", Double(medianWait.milliseconds) / 1000)
        } else {
            writer.field("wait_median_s", nil as String?)
        }
        writer.endObject()
    }
}

extension TrainingStatistics.Best {
    fileprivate static let answer: [Parameter] = [
        .always("exercise", .slug), .always("kind", .oneOf(WorkoutSet.Record.self)),
        Parameter("weight_kg", .number), Parameter("reps", .count),
        Parameter("e1rm_kg", .number), Parameter("volume_kg", .number),
        Parameter("duration_s", .count), Parameter("distance_m", .count),
        .always("set", .uuid, "The first that reached it."), .always("workout", .count),
        .always("at_ms", .time),
    ]

    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("exercise", exercise)
        writer.field("kind", kind.rawValue)
        if let weight = set.weight { writer.field("weight_kg", Double(weight) / 1000) }
        switch set.measure {
        case .reps(let count): writer.field("reps", count)
        case .duration(let seconds): writer.field("duration_s", seconds)
        case .distance(let metres): writer.field("distance_m", metres)
        }
        if kind == .oneRepMax, let estimate = set.oneRepMax {
            writer.field("e1rm_kg", estimate.rounded() / 1000)
        }
        if let volume { writer.field("volume_kg", Double(volume) / 1000) }
        writer.field("set", set.key)
        writer.field("workout", set.workout)
        writer.field("at_ms", set.at.milliseconds)
        writer.endObject()
    }
}
