import Activities
import ActivityEngine
import Basics
import JSON
import Operations
import ReadRoutes
import Reporting
import Scheduling
import SiteModel
import WebServer
import Wire

/// What is answered of somebody's days.
enum ActivityText {
    private static let amounts: [Parameter] = [
        .always("from_ms", .time), .always("to_ms", .time), .always("steps", .count),
        .always("distance_m", .number, "As sent, else estimated from the steps."),
        .always(
            "kcal", .number, isNullable: true,
            "As sent, else estimated; null where that needs a weight that is not known."),
        .always(
            "moving_s", .count,
            "Seconds: 60 for each minute in which the mesh saw them come to a room or station."),
        .always(
            "between_m", .number,
            "Metres between stations in a straight line, as the mesh saw them; no part of distance_m."
        ),
        .always("source", .anyText, isNullable: true, "Whose count it is."),
    ]

    static let done: [Parameter] = [
        .always("kind", .oneOf(ActivityKind.self)),
        .always("source", .anyText, "Who says so."), .always("from_ms", .time),
        .always("to_ms", .time, isNullable: true, "null: it goes on."),
        .always(
            "is_forgotten", .flag,
            "Nobody said when it ended: it ended with the last that tells of it."),
    ]
    private static let rates: [Parameter] = [
        .always("least", .count), .always("mean", .number), .always("most", .count),
    ]

    static let answer: [RouteText.Field] = [
        .always("range", .oneOf(ActivityDays.Range.self)), .always("date", .date),
        .always("from_ms", .time), .always("to_ms", .time),
        .always("buckets", .list(.object(amounts)), "Oldest first."),
        .always("total", .object(amounts)),
        .always("goal", .count, isNullable: true, "Of that day, in steps."),
        .always("reached", .flag, "Whether that day has so many; of a week or month false."),
        .always("units", .oneOf(ActivitySettings.Units.self)),
        .always(
            "activities", .list(.object(done)), "Of a day: what they did, by beginning."),
        .always(
            "heart_rate", .object(rates), isNullable: true,
            "Of a day, in beats per minute; null without any."),
    ]

    static func text(
        _ figures: ActivityRecords.Figures, _ range: ActivityDays.Range, _ date: LocalDate,
        _ calendar: SiteCalendar
    ) -> String {
        let settings = figures.settings
        let days = ActivityDays(
            calendar, settings.body, figures.sources, primary: settings.primary,
            moves: figures.moves, legs: figures.legs)
        let (buckets, total) = days.told(range, around: date)
        let goal = figures.goals.goal(on: date)
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("range", range.rawValue)
        writer.field("date", "\(date)")
        writer.field("from_ms", total.interval.from.milliseconds)
        writer.field("to_ms", total.interval.to.milliseconds)
        writer.key("buckets")
        writer.beginArray()
        for bucket in buckets { write(bucket, to: &writer) }
        writer.endArray()
        writer.key("total")
        write(total, to: &writer)
        writer.field("goal", goal)
        writer.field("reached", range == .day && goal.map { total.steps >= $0 } == true)
        writer.field("units", settings.units.rawValue)
        writer.key("activities")
        writer.beginArray()
        for one in figures.done { write(one, to: &writer) }
        writer.endArray()
        writer.key("heart_rate")
        if let span = figures.rates.range {
            writer.beginObject()
            writer.field("least", span.least)
            writer.field("mean", (span.mean * 10).rounded() / 10)
            writer.field("most", span.most)
            writer.endObject()
        } else {
            writer.null()
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static func write(_ one: ActivityDone, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("kind", one.activity.kind.rawValue)
        writer.field("source", one.source)
        writer.field("from_ms", one.activity.from.milliseconds)
        writer.field("to_ms", one.end?.milliseconds)
        writer.field("is_forgotten", one.activity.to == nil && one.end != nil)
        writer.endObject()
    }

    /// The days on which somebody counted, oldest first, with CRLF as RFC 4180 has it.
    static func csv(_ figures: ActivityRecords.Figures, _ calendar: SiteCalendar) -> String {
        let days = ActivityDays(
            calendar, figures.settings.body, figures.sources, primary: figures.settings.primary,
            moves: figures.moves)
        let samples = figures.sources.flatMap(\.samples)
        var lines = ["date,steps,distance_m,kcal,moving_s,source,goal\r\n"]
        for date in Set(samples.flatMap { $0.dates(by: calendar) }).sorted() {
            let day = days.day(date)
            let goal = figures.goals.goal(on: date).map { "\($0)" } ?? ""
            lines.append(
                CSVText.line(
                    [
                        "\(date)", "\(day.steps)", "\(Double(day.distance) / 1e6)",
                        day.energy.map { "\(($0 * 1000).rounded() / 1000)" } ?? "", "\(day.moving)",
                        CSVText.safe(day.source ?? ""), goal,
                    ], .comma))
        }
        return lines.joined()
    }

    private static func write(_ total: ActivityTotal, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("from_ms", total.interval.from.milliseconds)
        writer.field("to_ms", total.interval.to.milliseconds)
        writer.field("steps", total.steps)
        writer.field("distance_m", Double(total.distance) / 1e6)
        writer.field("kcal", orNull: total.energy.map { ($0 * 1000).rounded() / 1000 })
        writer.field("moving_s", total.moving)
        writer.field("between_m", Double(total.between) / 1e6)
        writer.field("source", total.source)
        writer.endObject()
    }
}

/// What somebody sets, as a body has it.
struct SettingsBody {
    private static let goals: ClosedRange<Int64> = 1...StepsPayload.mostSteps
    private static let heights = 50.0...272.0
    private static let weights: ClosedRange<Int64> = 20_000...500_000
    private static let strides = 0.2...2.0

    static let reminderMembers: [Parameter] = [
        .init("at", .text(5...5), isNeeded: true, "By the clocks at the site, 18:00."),
        .init(
            "weekdays", .list(.integer(1...7)), isNeeded: true, "1 Monday to 7 Sunday, each once."),
    ]
    static let members: [Parameter] = [
        .init("goal", .integer(goals), isNullable: true, "Steps of a day; null: none."),
        .init("from_date", .date, "From when the goal holds; today, if it is left out."),
        .init("reminder", .object(reminderMembers), isNullable: true),
        .init("units", .oneOf(ActivitySettings.Units.self)),
        .init(
            "primary_source", .freeText(1...SentSample.longestName), isNullable: true,
            "Whose count stands; else that of most steps."),
        .init("height_cm", .decimal(heights), isNullable: true),
        .init("weight_kg", .kilograms(weights), isNullable: true),
        .init("stride_m", .decimal(strides), isNullable: true, "The length of a step."),
    ]

    var user: String?
    var settings = ActivitySettings()
    var goal: ActivitySettings.Goal

    init(_ request: RouteRequest, today: LocalDate) throws {
        let known = Set(["user"] + Self.members.map(\.name))
        goal = ActivitySettings.Goal(from: today, steps: nil)
        self = try Reading.body(request, known: known) {
            [self] (object, json) throws(PayloadError) in
            var read = self
            try read.take(object, json)
            return read
        }
    }

    private mutating func take(_ object: JSONObject, _ json: Span<UInt8>) throws(PayloadError) {
        func given(_ name: String) throws(PayloadError) -> JSONValue? {
            guard let value = try object.optional(name, json) else { return nil }
            return try value.kind(json) == .null ? nil : value
        }
        user = try given("user")?.slug(json)
        goal.steps = try given("goal")?.integer(
            json, from: Self.goals.lowerBound, through: Self.goals.upperBound)
        if let text = try given("from_date")?.text(json, limit: 10) {
            guard let date = LocalDate(text) else { throw .unknownValue(field: "from_date") }
            goal.from = date
        }
        settings.reminder = try given("reminder").map { value throws(PayloadError) in
            try Self.reminder(value.object(json), json)
        }
        settings.units =
            try given("units")?.choice(json, of: ActivitySettings.Units.self) ?? .kilometres
        settings.primary = try given("primary_source")?.words(json, limit: SentSample.longestName)
        settings.body.height = try given("height_cm").map { value throws(PayloadError) in
            Int64((try value.number(json, in: Self.heights) * 10).rounded())
        }
        settings.body.stride = try given("stride_m").map { value throws(PayloadError) in
            Int64((try value.number(json, in: Self.strides) * 1000).rounded())
        }
        if let value = try given("weight_kg") {
            let range =
                Double(Self.weights.lowerBound) / 1000...Double(Self.weights.upperBound) / 1000
            guard let grams = Parameter.Kind.grams(try value.number(json, in: range)) else {
                throw .outOfRange(field: "weight_kg")
            }
            settings.body.weight = grams
        }
    }

    private static func reminder(
        _ object: JSONObject, _ json: Span<UInt8>
    ) throws(PayloadError) -> ActivitySettings.Reminder {
        for member in try object.members(json) where !["at", "weekdays"].contains(member.name) {
            throw .unknownMember(field: member.name)
        }
        let text = try object.required("at", json).text(json, limit: 5)
        guard text.utf8.count == 5, let at = LocalTime(text) else {
            throw .unknownValue(field: "at")
        }
        let weekdays = try object.required("weekdays", json).list(json, atMost: 7) {
            (day, json) throws(PayloadError) in Int(try day.integer(json, from: 1, through: 7))
        }
        guard !weekdays.isEmpty, Set(weekdays).count == weekdays.count else {
            throw .unknownValue(field: "weekdays")
        }
        return ActivitySettings.Reminder(at: at, weekdays: weekdays.sorted())
    }
}

/// What is answered of it.
enum SettingsText {
    private static let goal: [Parameter] = [
        .always("from_date", .date), .always("goal", .count, isNullable: true),
    ]

    static let answer: [RouteText.Field] = [
        .always("goal", .count, isNullable: true, "The newest."),
        .always("from_date", .date, isNullable: true, "From when it holds."),
        .always("reminder", .object(SettingsBody.reminderMembers), isNullable: true),
        .always("units", .oneOf(ActivitySettings.Units.self)),
        .always("primary_source", .anyText, isNullable: true),
        .always("height_cm", .number, isNullable: true),
        .always("weight_kg", .number, isNullable: true),
        .always("stride_m", .number, isNullable: true),
        .always("goals", .list(.object(goal)), "All that were set, oldest first."),
        .always("sources", .list(.anyText), "Who has sent samples."),
    ]

    static func text(_ figures: ActivityRecords.Figures) -> String {
        let settings = figures.settings
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("goal", figures.goals.last?.steps)
        writer.field("from_date", figures.goals.last.map { "\($0.from)" })
        writer.key("reminder")
        if let reminder = settings.reminder {
            writer.beginObject()
            writer.field("at", "\(reminder.at)")
            writer.key("weekdays")
            writer.beginArray()
            for day in reminder.weekdays { writer.integer(Int64(day)) }
            writer.endArray()
            writer.endObject()
        } else {
            writer.null()
        }
        writer.field("units", settings.units.rawValue)
        writer.field("primary_source", settings.primary)
        writer.field("height_cm", orNull: settings.body.height.map { Double($0) / 10 })
        writer.field("weight_kg", orNull: settings.body.weight.map { Double($0) / 1000 })
        writer.field("stride_m", orNull: settings.body.stride.map { Double($0) / 1000 })
        writer.key("goals")
        writer.beginArray()
        for goal in figures.goals {
            writer.beginObject()
            writer.field("from_date", "\(goal.from)")
            writer.field("goal", goal.steps)
            writer.endObject()
        }
        writer.endArray()
        writer.field("sources", figures.names)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension JSONWriter {
    fileprivate mutating func field(_ name: String, orNull value: Double?) {
        if let value {
            field(name, value)
        } else {
            key(name)
            null()
        }
    }
}
