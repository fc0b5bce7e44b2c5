import Activities
import ActivityEngine
import Basics
import JSON
import Operations
import Reporting
import Scheduling
import SiteModel
import WebServer
import Wire

/// What is answered of somebody's days.
enum ActivityText {
    /// `isShared`: what is not shared is null.
    private static func amounts(isShared: Bool) -> [Parameter] {
        [
            .always("from_ms", .time), .always("to_ms", .time),
            .always("steps", .count, isNullable: isShared),
            .always(
                "distance_m", .number, isNullable: isShared,
                isShared
                    ? "As sent; where none was, 0.74 m for a step if the steps are shared, else null. Without the steps 0 is null, too."
                    : "As sent, else estimated from the steps."),
            .always(
                "kcal", .number, isNullable: true,
                isShared
                    ? "As sent, never estimated; null where a part was not sent. Without the steps 0 is null, too."
                    : "As sent, else estimated; null where that needs a weight that is not known."
            ),
            .always(
                "moving_s", .count, isNullable: isShared,
                "Seconds: 60 for each minute in which the mesh saw them come to a room or station."),
            .always(
                "between_m", .number, isNullable: isShared,
                "Metres between stations in a straight line, as the mesh saw them; no part of distance_m."
            ),
            .always("source", .anyText, isNullable: true, "Whose count it is."),
        ]
    }

    static let done = done(isShared: false)

    private static func done(isShared: Bool) -> [Parameter] {
        [
            .always("kind", .oneOf(ActivityKind.self)),
            .always("source", .anyText, isNullable: isShared, "Who says so."),
            .always("from_ms", .time),
            .always("to_ms", .time, isNullable: true, "null: it goes on."),
            .always(
                "is_forgotten", .flag,
                "Nobody said when it ended: it ended with the last that tells of it."),
        ]
    }

    private static let rates: [Parameter] = [
        .always("least", .count), .always("mean", .number), .always("most", .count),
    ]

    static let answer = fields(isShared: false)
    /// The same where only what is shared is told.
    static let sharedAnswer =
        [.always("items", .list(.oneOf(ActivityItem.self)), "What they share; all else is null.")]
        + fields(isShared: true)

    private static func fields(isShared: Bool) -> [RouteText.Field] {
        [
            .always("range", .oneOf(ActivityDays.Range.self)), .always("date", .date),
            .always("from_ms", .time), .always("to_ms", .time),
            .always("buckets", .list(.object(amounts(isShared: isShared))), "Oldest first."),
            .always(
                "total", .object(amounts(isShared: isShared)),
                "Of a month: of its own days, though its first and last week are told whole."),
            .always("goal", .count, isNullable: true, "Of that day, in steps."),
            .always(
                "reached", .flag, isNullable: isShared,
                "Whether that day has so many; of a week or month false."),
            .always("units", .oneOf(ActivitySettings.Units.self)),
            .always(
                "activities", .list(.object(done(isShared: isShared))), isNullable: isShared,
                "Of a day: what they did, by beginning."),
            .always(
                "heart_rate", .object(rates), isNullable: true,
                "Of a day, in beats per minute; null without any."),
        ]
    }

    /// All of it, or, where `items` are given, these parts and null for the others. From an estimate what it is computed
    /// of could be computed: then none is by the figures of a body, and none by steps that are not shared.
    static func text(_ told: ToldDays, only items: [ActivityItem]? = nil) -> String {
        let (figures, range, date) = (told.figures, told.range, told.date)
        let settings = figures.settings
        func days(_ body: BodyFigures) -> (buckets: [ActivityTotal], total: ActivityTotal) {
            ActivityDays(
                told.calendar, body, figures.sources, primary: settings.primary,
                moves: figures.moves, legs: figures.legs
            ).told(range, around: date)
        }
        let (buckets, total) = days(items == nil ? settings.body : BodyFigures())
        var amounts: [(distance: Int64?, energy: Double?)] = (buckets + [total]).map {
            ($0.distance, $0.energy)
        }
        if let items, !items.contains(.steps) {
            // With steps of no length only what was sent is left: an equal distance has no estimate in it. 0 is
            // not told, as it would say that there was no step.
            let sent = days(BodyFigures(stride: 0))
            amounts = zip(amounts, sent.buckets + [sent.total]).map { amount, sent in
                (
                    amount.distance == sent.distance && sent.distance > 0 ? sent.distance : nil,
                    amount.energy.flatMap { $0 > 0 ? $0 : nil }
                )
            }
        }
        let isTold = { (item: ActivityItem) in items?.contains(item) ?? true }
        var writer = JSONWriter()
        writer.beginObject()
        if let items { writer.field("items", items.map(\.rawValue)) }
        writer.field("range", range.rawValue)
        writer.field("date", "\(date)")
        writer.field("from_ms", (buckets.first ?? total).interval.from.milliseconds)
        writer.field("to_ms", (buckets.last ?? total).interval.to.milliseconds)
        writer.key("buckets")
        writer.beginArray()
        for (bucket, amount) in zip(buckets, amounts) {
            write(bucket, amount, isTold, to: &writer)
        }
        writer.endArray()
        writer.key("total")
        write(total, amounts[buckets.count], isTold, to: &writer)
        if isTold(.steps) {
            let goal = figures.goals.goal(on: date)
            writer.field("goal", goal)
            writer.field("reached", range == .day && goal.map { total.steps >= $0 } == true)
        } else {
            writer.nulls("goal", "reached")
        }
        writer.field("units", settings.units.rawValue)
        if isTold(.activities) {
            writer.key("activities")
            writer.beginArray()
            for one in figures.done { write(one, isShared: items != nil, to: &writer) }
            writer.endArray()
        } else {
            writer.nulls("activities")
        }
        if isTold(.heartRate), let span = figures.rates.range {
            writer.key("heart_rate")
            writer.beginObject()
            writer.field("least", span.least)
            writer.field("mean", (span.mean * 10).rounded() / 10)
            writer.field("most", span.most)
            writer.endObject()
        } else {
            writer.nulls("heart_rate")
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static func write(_ one: ActivityDone, isShared: Bool = false, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("kind", one.activity.kind.rawValue)
        writer.field("source", isShared ? nil : one.source)
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

    private static func write(
        _ total: ActivityTotal, _ amount: (distance: Int64?, energy: Double?),
        _ isTold: (ActivityItem) -> Bool, to writer: inout JSONWriter
    ) {
        let distance = amount.distance.map { Double($0) / 1e6 }
        let energy = amount.energy.map { ($0 * 1000).rounded() / 1000 }
        let isMoving = isTold(.moving)
        writer.beginObject()
        writer.field("from_ms", total.interval.from.milliseconds)
        writer.field("to_ms", total.interval.to.milliseconds)
        writer.field("steps", isTold(.steps) ? total.steps : nil)
        writer.field("distance_m", orNull: isTold(.distance) ? distance : nil)
        writer.field("kcal", orNull: isTold(.energy) ? energy : nil)
        writer.field("moving_s", isMoving ? total.moving : nil)
        writer.field("between_m", orNull: isMoving ? Double(total.between) / 1e6 : nil)
        writer.field("source", isTold(.steps) ? total.source : nil)
        writer.endObject()
    }
}

extension JSONWriter {
    mutating func field(_ name: String, orNull value: Double?) {
        if let value { field(name, value) } else { nulls(name) }
    }

    mutating func nulls(_ names: String...) {
        for name in names {
            key(name)
            null()
        }
    }
}
