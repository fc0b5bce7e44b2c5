import Activities
import ActivityEngine
import Basics
import JSON
import Operations
import Scheduling
import SiteModel
import WebServer
import Wire

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
