import Activities
import ActivityEngine
import Basics
import JSON
import Operations
import Records
import Reporting
import Scheduling
import SiteModel
import SiteStore
import Wire

// What is given and answered about activity.

/// What is known of somebody in the days that are asked for.
struct ToldDays: Sendable {
    var figures: ActivityRecords.Figures
    var range: ActivityDays.Range
    var date: LocalDate
    var calendar: SiteCalendar
}

/// The days that are asked for.
struct AskedDays: OperationInput {
    var user: String?
    var range = ActivityDays.Range.day
    /// `nil`: today.
    var date: LocalDate?

    static let members: [Member<AskedDays>] = [
        .whose(\.user), .preset("range", .word, \.range),
        .optional("date", .day, \.date, "A day of it; today, if it is left out."),
    ]

    /// What is known of a person.
    ///
    /// - Throws: A `BooksRefusal` if there is nobody of that slug.
    func told(of user: String, at now: Timestamp, in store: Store) throws -> ToldDays {
        let calendar = try ReportDesk(store, now: now).context.calendar
        let date = date ?? calendar.local(now).date
        let dates = ActivityDays.dates(range, around: date)
        let bounds = Interval(
            from: ActivityDays.bounds(of: dates.lowerBound, calendar).from,
            to: ActivityDays.bounds(of: dates.upperBound, calendar).to)
        let figures = try ActivityRecords(store).figures(
            of: user, in: bounds, at: range == .day ? now : nil)
        guard let figures else { throw BooksRefusal.nobody }
        return ToldDays(figures: figures, range: range, date: date, calendar: calendar)
    }
}

/// The same of somebody who shares them.
struct SharedDays: OperationInput {
    var user = ""
    var days = AskedDays()

    static let members: [Member<SharedDays>] = [
        .needed("user", .reference("users"), \.user), .preset("range", .word, \.days.range),
        .optional("date", .day, \.days.date, "A day of it; today, if it is left out."),
    ]
}

struct NewActivity: OperationInput {
    var user: String?
    var kind = ActivityKind.walking

    static let members: [Member<NewActivity>] = [.whose(\.user), .needed("kind", .word, \.kind)]
}

struct ByHand: OperationOutput {
    var activity: ActivityDone

    static let members: [Member<ByHand>] = [
        .told(
            "activity", .answered(.object(ActivityText.done)) { ActivityText.write($0, to: &$1) },
            from: \.activity)
    ]
}

struct NewSharing: OperationInput {
    var user: String?
    var items: [ActivityItem] = []

    static let members: [Member<NewSharing>] = [
        .whose(\.user),
        .needed("items", .list(.word, atMost: ActivityItem.allCases.count), \.items),
    ]
}

struct SharedItems: OperationOutput {
    var items: Set<ActivityItem>

    static let members: [Member<SharedItems>] = [
        .told("items", .list(.word)) { ActivityItem.allCases.filter($0.items.contains) }
    ]
}

struct Sharer: OperationOutput {
    var user: String
    var items: [ActivityItem]

    static let members: [Member<Sharer>] = [
        .told("user", .slug, from: \.user), .told("items", .list(.word), from: \.items),
    ]
}

// MARK: Settings

/// What somebody sets.
struct NewSettings: OperationInput {
    var user: String?
    var goal: Int64??
    var from: LocalDate??
    var reminder: ActivitySettings.Reminder??
    var units = ActivitySettings.Units.kilometres
    var primary: String??
    /// In tenths of a centimetre.
    var height: Int64??
    /// In grams.
    var weight: Int64??
    /// In millimetres.
    var stride: Int64??

    var settings: ActivitySettings {
        var settings = ActivitySettings()
        settings.reminder = reminder.flatMap(\.self)
        settings.units = units
        settings.primary = primary.flatMap(\.self)
        settings.body.height = height.flatMap(\.self)
        settings.body.weight = weight.flatMap(\.self)
        settings.body.stride = stride.flatMap(\.self)
        return settings
    }

    static let members: [Member<NewSettings>] = [
        .whose(\.user),
        .nullable(
            "goal", Form<Int64>.integer(1...StepsPayload.mostSteps), \.goal,
            "Steps of a day; null: none."),
        .nullable(
            "from_date", .date, \.from, "From when the goal holds; today, if it is left out."),
        .nullable("reminder", .reminder, \.reminder), .preset("units", .word, \.units),
        .nullable(
            "primary_source", .freeText(1...SentSample.longestName), \.primary,
            "Whose count stands; else that of most steps."),
        .nullable("height_cm", .scaled(50...272, by: 10), \.height),
        .nullable("weight_kg", .kilograms(20_000...500_000), \.weight),
        .nullable("stride_m", .scaled(0.2...2, by: 1000), \.stride, "The length of a step."),
    ]
}

extension Form where Value == Int64 {
    /// A number within a range, kept as so many parts of it.
    fileprivate static func scaled(_ range: ClosedRange<Double>, by parts: Double) -> Form {
        let kept = { @Sendable (number: Double) in Int64((number * parts).rounded()) }
        return Form(.decimal(range)) { value, json throws(PayloadError) in
            kept(try value.number(json, in: range))
        } typed: { text in
            Double(text).flatMap { range.contains($0) ? kept($0) : nil }
        } write: {
            $1.number(Double($0) / parts)
        }
    }

    /// Kilograms with at most three decimals, kept in grams; so is the range.
    fileprivate static func kilograms(_ range: ClosedRange<Int64>) -> Form {
        let numbers = Double(range.lowerBound) / 1000...Double(range.upperBound) / 1000
        return Form(.kilograms(range)) { value, json throws(PayloadError) in
            guard let grams = Parameter.Kind.grams(try value.number(json, in: numbers)) else {
                throw .outOfRange(field: value.name)
            }
            return grams
        } typed: { text in
            Double(text).flatMap { numbers.contains($0) ? Parameter.Kind.grams($0) : nil }
        } write: {
            $1.number(Double($0) / 1000)
        }
    }
}

extension Form where Value == ActivitySettings.Reminder {
    private static let members: [Parameter] = [
        .init("at", .text(5...5), isNeeded: true, "By the clocks at the site, 18:00."),
        .init(
            "weekdays", .list(.integer(1...7)), isNeeded: true, "1 Monday to 7 Sunday, each once."),
    ]

    /// When somebody is reminded.
    fileprivate static let reminder = Form(.object(members)) { value, json throws(PayloadError) in
        try read(value.object(json), json)
    } typed: { text in
        let json = Array(text.utf8)
        guard let object = try? JSONObject(document: json.span, limit: 256) else { return nil }
        return try? read(object, json.span)
    } write: { reminder, writer in
        writer.beginObject()
        writer.field("at", "\(reminder.at)")
        writer.key("weekdays")
        writer.beginArray()
        for day in reminder.weekdays { writer.integer(Int64(day)) }
        writer.endArray()
        writer.endObject()
    }

    private static func read(
        _ object: JSONObject, _ json: Span<UInt8>
    ) throws(PayloadError) -> ActivitySettings.Reminder {
        for member in try object.members(json)
        where !members.contains(where: {
            $0.name == member.name
        }) {
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

extension ActivityRecords.Figures: OperationOutput {
    package static let members: [Member<ActivityRecords.Figures>] = [
        .toldOrNull("goal", Form<Int>.count, "The newest.") {
            $0.goals.last?.steps.map { Int($0) }
        },
        .toldOrNull("from_date", .date, "From when it holds.") { $0.goals.last?.from },
        .toldOrNull("reminder", .reminder, from: \.settings.reminder),
        .told("units", .word, from: \.settings.units),
        .toldOrNull("primary_source", .anyText, from: \.settings.primary),
        .toldOrNull("height_cm", .number) { $0.settings.body.height.map { Double($0) / 10 } },
        .toldOrNull("weight_kg", .number) { $0.settings.body.weight.map { Double($0) / 1000 } },
        .toldOrNull("stride_m", .number) { $0.settings.body.stride.map { Double($0) / 1000 } },
        .told("goals", .list(.object), "All that were set, oldest first.", from: \.goals),
        .told("sources", .list(.anyText), "Who has sent samples.", from: \.names),
    ]
}

extension ActivitySettings.Goal: OperationOutput {
    package static let members: [Member<ActivitySettings.Goal>] = [
        .told("from_date", .date, from: \.from),
        .toldOrNull("goal", Form<Int>.count) { $0.steps.map { Int($0) } },
    ]
}
