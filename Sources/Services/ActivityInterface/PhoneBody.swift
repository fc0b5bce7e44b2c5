import Activities
import ActivityEngine
import Basics
import JSON
import SiteModel
import Wire

/// What apps send of a phone, in bodies that their makers chose: HC Webhook and Life Dashboard Companion (arrays by
/// kind, as Health Connect has them), and Health Auto Export (`data.metrics`). docs/phones.md says how each is set.
struct PhoneBody {
    /// How long a bucket of Health Auto Export is, which says only when each begins.
    enum Bucket: String, CaseIterable, Sendable {
        case minute
        case hour
        case day

        var span: Timestamp.Span {
            switch self {
            case .minute: .seconds(60)
            case .hour: .seconds(3600)
            case .day: ActivitySample.longest
            }
        }
    }

    /// Who makes such bodies.
    enum App: String, CaseIterable, Sendable {
        /// What hands out the records of Health Connect, or of HealthKit in its manner.
        case healthConnect = "health-connect"
        case healthAutoExport = "health-auto-export"
    }

    private(set) var samples: [SentSample] = []
    private(set) var intervals: [Sent<ActivityInterval>] = []
    private(set) var rates: [Sent<HeartRate>] = []
    /// Records that say nothing that could be stored.
    private(set) var unread = 0
    /// Whether the app only tries whether it is heard, with made-up records.
    private(set) var isTest = false
    /// Whose body it is; `nil`: of an app that nobody here knows.
    private(set) var app: App?

    private let now: Timestamp

    /// Reads a body of one of these apps, whichever it is of.
    init(_ json: Span<UInt8>, every bucket: Bucket, at now: Timestamp) throws(PayloadError) {
        self.now = now
        let object = try JSONObject(document: json, limit: .max)
        if let data = Self.object(object, "data", json) {
            guard let metrics = Self.list(data, "metrics", json) else { return }
            app = .healthAutoExport
            readMetrics(metrics, json, every: bucket)
        } else if Self.text(object, "timestamp", json) != nil {
            app = .healthConnect
            isTest = (try? object.optional("test", json)?.flag(json)) ?? false
            if !isTest { readRecords(object, json) }
        }
    }

    /// All of them.
    var count: Int { samples.count + intervals.count + rates.count }

    // MARK: Arrays by kind

    private mutating func readRecords(_ object: JSONObject, _ json: Span<UInt8>) {
        let distances = amounts(object, "distance", "meters", json)
        let energies = amounts(object, "active_calories", "calories", json)
        for record in records(object, "steps", json) {
            guard let period = period(record, json),
                let count = try? record.required("count", json).number(json, in: 0...1e9)
            else {
                unread += 1
                continue
            }
            add(
                period, count, distances[period], energies[period],
                source: Self.source(record, json), uuid: Self.text(record, "uuid", json))
        }
        for record in records(object, "heart_rate", json) {
            let rate = Self.number(record, "bpm", json) ?? Self.number(record, "avg", json)
            guard let moment = Self.moment(record, "time", json), let rate else {
                unread += 1
                continue
            }
            add(
                moment, rate, source: Self.source(record, json),
                uuid: Self.text(record, "uuid", json))
        }
        for record in records(object, "exercise", json) {
            guard let period = period(record, json), let type = Self.text(record, "type", json)
            else {
                unread += 1
                continue
            }
            let source = Self.source(record, json)
            let start = period.from.milliseconds
            let name = Self.text(record, "uuid", json) ?? source
            let id = "\(name) \(type) \(start) \(period.to.milliseconds)"
            intervals.append(
                Sent(
                    id: id, source: source,
                    sample: ActivityInterval(
                        kind: Self.kind(type), from: period.from, to: period.to)))
        }
    }

    /// Amounts by when they were, to go with the steps of just then.
    private func amounts(
        _ object: JSONObject, _ kind: String, _ member: String, _ json: Span<UInt8>
    ) -> [Interval: Double] {
        var amounts: [Interval: Double] = [:]
        for record in records(object, kind, json) {
            guard let period = period(record, json),
                let amount = Self.number(record, member, json)
            else { continue }
            amounts[period] = amount
        }
        return amounts
    }

    private func records(
        _ object: JSONObject, _ kind: String, _ json: Span<UInt8>
    ) -> [JSONObject] {
        (Self.list(object, kind, json) ?? []).compactMap { try? $0.object(json) }
    }

    /// From when until when, at most until now: a bucket that is not over ends later.
    private func period(_ record: JSONObject, _ json: Span<UInt8>) -> Interval? {
        guard let from = Self.moment(record, "start_time", json),
            let to = Self.moment(record, "end_time", json)
        else { return nil }
        let end = min(to, now)
        return from < end ? Interval(from: from, to: end) : nil
    }

    private static func source(_ record: JSONObject, _ json: Span<UInt8>) -> String {
        let origin = object(record, "metadata", json)
        let name = text(record, "source", json) ?? origin.flatMap { text($0, "data_origin", json) }
        return Self.name(name, else: "health-connect")
    }

    private static func name(_ text: String?, else constant: String) -> String {
        guard let text, !text.isEmpty, HarmlessText.fault(inWords: text) == nil else {
            return constant
        }
        return String(text.unicodeScalars.prefix(SentSample.longestName))
    }

    /// Health Connect numbers its kinds of exercise; HealthKit names them.
    private static func kind(_ type: String) -> ActivityKind {
        switch type {
        case "79", "37", "walking", "hiking": .walking
        case "56", "57", "running": .running
        case "8", "9", "cycling": .cycling
        default: .other
        }
    }

    // MARK: Health Auto Export

    private struct Metric {
        var units: String
        var points: [(at: Timestamp, amount: Double)]

        /// Amounts by their moment, in units of which each has its factor; of others none.
        func byMoment(_ factors: [String: Double]) -> [Timestamp: Double] {
            guard let factor = factors[units] else { return [:] }
            return Dictionary(points.map { ($0.at, $0.amount * factor) }) { _, last in last }
        }
    }

    private mutating func readMetrics(
        _ metrics: [JSONValue], _ json: Span<UInt8>, every bucket: Bucket
    ) {
        var all: [String: Metric] = [:]
        for value in metrics {
            guard let object = try? value.object(json), let name = Self.text(object, "name", json)
            else { continue }
            var metric = Metric(units: Self.text(object, "units", json) ?? "", points: [])
            for point in records(object, "data", json) {
                let amount = Self.number(point, "qty", json) ?? Self.number(point, "Avg", json)
                guard let moment = Self.moment(point, "date", json), let amount else {
                    unread += 1
                    continue
                }
                metric.points.append((moment, amount))
            }
            all[name] = metric
        }
        let source = "health-auto-export"
        let metres = all["walking_running_distance"]?.byMoment(["km": 1000, "mi": 1609.344, "m": 1])
        let energies = all["active_energy"]?.byMoment(["kcal": 1, "kJ": 1 / 4.184])
        // Its counts have fractions: what is rounded away of one goes on to the next.
        var rest = 0.0
        let points = (all["step_count"]?.points ?? []).sorted { $0.at < $1.at }
        for (index, point) in points.enumerated() {
            // A day of 23 hours ends where the next one begins.
            let next = points.dropFirst(index + 1).first.map(\.at) ?? now
            let end = min(point.at + bucket.span, next > point.at ? next : now, now)
            guard point.at < end, point.amount <= Double(StepsPayload.mostSteps) else {
                unread += 1
                continue
            }
            let steps = (point.amount + rest).rounded()
            rest += point.amount - steps
            add(
                Interval(from: point.at, to: end), steps, metres?[point.at],
                energies?[point.at], source: source, uuid: nil)
        }
        for point in all["heart_rate"]?.points ?? [] {
            add(point.at, point.amount, source: source, uuid: nil)
        }
    }

    // MARK: What is stored

    private mutating func add(
        _ period: Interval, _ count: Double, _ metres: Double?, _ kilocalories: Double?,
        source: String, uuid: String?
    ) {
        guard count <= Double(StepsPayload.mostSteps) else {
            unread += 1
            return
        }
        let steps = Int64(count.rounded())
        let start = period.from.milliseconds
        let amounts = "\(steps) \(metres ?? -1) \(kilocalories ?? -1)"
        // One that grows under its number replaces what it was.
        let id = "\(uuid ?? source) \(start) \(period.to.milliseconds) \(amounts)"
        let thousandths = { (value: Double) in Int64((min(max(value, 0), 1e6) * 1000).rounded()) }
        samples.append(
            SentSample(
                id: id, source: source,
                sample: ActivitySample(
                    from: period.from, to: period.to, steps: steps,
                    distance: metres.map(thousandths), energy: kilocalories.map(thousandths))))
    }

    private mutating func add(
        _ moment: Timestamp, _ rate: Double, source: String, uuid: String?
    ) {
        guard (20...300).contains(rate) else {
            unread += 1
            return
        }
        let bpm = Int64(rate.rounded())
        let id = "\(uuid ?? source) \(moment.milliseconds) \(bpm)"
        rates.append(Sent(id: id, source: source, sample: HeartRate(at: moment, rate: bpm)))
    }

    private static func text(
        _ object: JSONObject, _ name: String, _ json: Span<UInt8>
    ) -> String? {
        try? object.optional(name, json)?.text(json, limit: 200)
    }

    private static func object(
        _ object: JSONObject, _ name: String, _ json: Span<UInt8>
    ) -> JSONObject? {
        try? object.optional(name, json)?.object(json)
    }

    private static func list(
        _ object: JSONObject, _ name: String, _ json: Span<UInt8>
    ) -> [JSONValue]? {
        try? object.optional(name, json)?.list(json) { (value, _) throws(PayloadError) in value }
    }

    private static func number(
        _ object: JSONObject, _ name: String, _ json: Span<UInt8>
    ) -> Double? {
        try? object.optional(name, json)?.amount(json)
    }

    private static func moment(
        _ object: JSONObject, _ name: String, _ json: Span<UInt8>
    ) -> Timestamp? {
        text(object, name, json).flatMap { Timestamp(zoned: $0) }
    }
}

extension Timestamp {
    /// A moment of the years 1970 to 9999 with its distance from UTC, as ISO 8601 and RFC 3339 write it:
    /// `2026-10-05T14:03:00.250+02:00`, `…Z`; with a space in the place of the T, too.
    init?(zoned text: String) {
        let pattern =
            /(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)? ?(?:Z|([+-])(\d{2}):?(\d{2}))/
        guard let parts = text.wholeMatch(of: pattern)?.output, let date = LocalDate(parts.1),
            let time = LocalTime(parts.2), let seconds = Int64(parts.3 ?? "0"), seconds < 60
        else { return nil }
        let fraction = Int64((parts.4 ?? "0").padding(toLength: 3, with: "0")) ?? 0
        let minutes = (Int64(parts.6 ?? "0") ?? 0) * 60 + (Int64(parts.7 ?? "0") ?? 0)
        let ahead = parts.5 == "-" ? -minutes : minutes
        let milliseconds =
            ((date.day * 1440 + Int64(time.minutes) - ahead) * 60 + seconds) * 1000 + fraction
        guard minutes < 1440, (0...253_402_300_799_999).contains(milliseconds) else { return nil }
        self.init(milliseconds: milliseconds)
    }
}

extension Substring {
    fileprivate func padding(toLength length: Int, with digit: Character) -> String {
        let start = prefix(length)
        return start + String(repeating: digit, count: length - start.count)
    }
}
