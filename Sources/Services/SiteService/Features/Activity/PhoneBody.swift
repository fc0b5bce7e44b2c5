import Activities
import ActivityEngine
import Basics
import JSON
import Scheduling
import SiteModel
import Wire

/// What apps send of a phone, in bodies that their makers chose: HC Webhook and Life Dashboard Companion (arrays by
/// kind, as Health Connect has them), Health Auto Export (`data.metrics`), and where it is: OwnTracks (`_type`) and a state of
/// Home Assistant (`attributes`). docs/phones.md says how each is set.
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
        case ownTracks = "owntracks"
        case homeAssistant = "home-assistant"
    }

    /// Why nothing of a body can be taken.
    enum Fault: Error {
        case unreadable(PayloadError)
        /// It has more records than a person may send within a minute.
        case tooLong
    }

    /// The most records that are looked at: those of distance and energy go with one of steps each.
    private static let mostRecords = 3 * SampleBudget.aMinute
    /// The most metrics of Health Auto Export, which has about 150.
    private static let mostMetrics = 1000

    private(set) var samples: [SentSample] = []
    private(set) var intervals: [Sent<ActivityInterval>] = []
    private(set) var rates: [Sent<HeartRate>] = []
    private(set) var positions: [Sent<GeoPosition>] = []
    /// Records that say nothing that could be stored.
    private(set) var unread = 0
    /// What the first of them says, harmless and short, so that one sees what is wrong.
    private(set) var example: String?
    /// Whether the app only tries whether it is heard, with made-up records.
    private(set) var isTest = false
    /// Whose body it is; `nil`: of an app that nobody here knows.
    private(set) var app: App?

    /// Records that were looked at, of all kinds.
    private var looked = 0

    private let now: Timestamp
    private let calendar: SiteCalendar

    /// Reads a body of one of these apps, whichever it is of. `calendar`: of the site, whose days have 23 to 25 hours.
    init(
        _ json: Span<UInt8>, every bucket: Bucket, by calendar: SiteCalendar, at now: Timestamp
    ) throws(Fault) {
        self.now = now
        self.calendar = calendar
        let object: JSONObject
        do throws(PayloadError) {
            object = try JSONObject(document: json, limit: .max)
        } catch {
            throw .unreadable(error)
        }
        if let data = Self.object(object, "data", json) {
            guard let metrics = try Self.list(data, "metrics", json, atMost: Self.mostMetrics)
            else {
                return
            }
            app = .healthAutoExport
            try readMetrics(metrics, json, every: bucket)
        } else if Self.text(object, "_type", json) != nil {
            app = .ownTracks
            readOwnTracks(object, json)
        } else if let attributes = Self.object(object, "attributes", json) {
            app = .homeAssistant
            readState(object, attributes, json)
        } else if Self.text(object, "timestamp", json) != nil {
            app = .healthConnect
            isTest = (try? object.optional("test", json)?.flag(json)) ?? false
            if !isTest { try readRecords(object, json) }
        }
    }

    var count: Int { samples.count + intervals.count + rates.count + positions.count }

    /// How many of the records of a minute it takes up.
    var load: Int { max(count + unread, (looked + 2) / 3) }

    // MARK: Arrays by kind

    private mutating func readRecords(
        _ object: JSONObject, _ json: Span<UInt8>
    ) throws(Fault) {
        let distances = try amounts(object, "distance", "meters", json)
        let energies = try amounts(object, "active_calories", "calories", json)
        for value in try records(object, "steps", json) {
            guard let record = try? value.object(json) else { continue }
            guard let period = period(record, json),
                let count = try? record.required("count", json).number(json, in: 0...1e9)
            else {
                passOver(record, json)
                continue
            }
            let source = Self.source(record, json)
            add(
                period, count, distances.amount(period, of: source),
                energies.amount(period, of: source), source: source,
                uuid: Self.text(record, "uuid", json))
        }
        for value in try records(object, "heart_rate", json) {
            guard let record = try? value.object(json) else { continue }
            let rate = Self.number(record, "bpm", json) ?? Self.number(record, "avg", json)
            guard let moment = Self.moment(record, "time", json), let rate else {
                passOver(record, json)
                continue
            }
            add(
                moment, rate, source: Self.source(record, json),
                uuid: Self.text(record, "uuid", json))
        }
        for value in try records(object, "exercise", json) {
            guard let record = try? value.object(json) else { continue }
            guard let period = period(record, json), let type = Self.text(record, "type", json)
            else {
                passOver(record, json)
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

    /// Amounts by when they were, to go with the steps of just then. Of several the largest, whatever their order.
    private struct Amounts {
        private var named: [Interval: [String: Double]] = [:]

        mutating func add(_ amount: Double, _ period: Interval, of source: String) {
            named[period, default: [:]][source] = max(named[period]?[source] ?? 0, amount)
        }

        /// That of a source, else that of any.
        func amount(_ period: Interval, of source: String) -> Double? {
            named[period].flatMap { $0[source] ?? $0.values.max() }
        }
    }

    private mutating func amounts(
        _ object: JSONObject, _ kind: String, _ member: String, _ json: Span<UInt8>
    ) throws(Fault) -> Amounts {
        var amounts = Amounts()
        for value in try records(object, kind, json) {
            guard let record = try? value.object(json), let period = period(record, json),
                let amount = Self.number(record, member, json)
            else { continue }
            amounts.add(amount, period, of: Self.source(record, json))
        }
        return amounts
    }

    /// The records of a list, counted with those of the lists before, and before anything is made of them.
    private mutating func records(
        _ object: JSONObject, _ kind: String, _ json: Span<UInt8>
    ) throws(Fault) -> [JSONValue] {
        let room = Self.mostRecords - looked
        let records = try Self.list(object, kind, json, atMost: room) ?? []
        looked += records.count
        return records
    }

    /// From when until when, at most until now: a bucket that is not over ends later.
    private func period(_ record: JSONObject, _ json: Span<UInt8>) -> Interval? {
        guard let from = Self.moment(record, "start_time", json),
            let to = Self.moment(record, "end_time", json)
        else { return nil }
        let end = min(to, now)
        return from < end ? Interval(from: from, to: end) : nil
    }

    /// Who counted: the app, and the device, as one app brings what several count.
    private static func source(_ record: JSONObject, _ json: Span<UInt8>) -> String {
        let origin = object(record, "metadata", json)
        let name = text(record, "source", json) ?? origin.flatMap { text($0, "data_origin", json) }
        let device = origin.flatMap { object($0, "device", json) }.flatMap { Self.device($0, json) }
        return Self.name(name, else: "health-connect", on: device)
    }

    /// The types of devices that Health Connect numbers (`androidx.health.connect.client.records.metadata.Device`).
    private static let devices = [
        1: "watch", 2: "phone", 3: "scale", 4: "ring", 5: "headset", 6: "band", 7: "chest strap",
        8: "display",
    ]

    private static func device(_ device: JSONObject, _ json: Span<UInt8>) -> String? {
        let model = text(device, "model", json) ?? text(device, "manufacturer", json)
        if let model, !model.isEmpty, HarmlessText.fault(inWords: model) == nil { return model }
        return number(device, "type", json).flatMap { Int(exactly: $0) }.flatMap { devices[$0] }
    }

    private static func name(
        _ text: String?, else constant: String, on device: String?
    ) -> String {
        let isName = text.map { !$0.isEmpty && HarmlessText.fault(inWords: $0) == nil } ?? false
        let name = (isName ? text ?? constant : constant).unicodeScalars
        let longest = SentSample.longestName
        guard let device else { return String(name.prefix(longest)) }
        // The device is kept whole, as it tells two of one app apart.
        let end = " · " + String(device.unicodeScalars.prefix(longest / 2))
        return String(name.prefix(longest - end.unicodeScalars.count)) + end
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
            return Dictionary(points.map { ($0.at, $0.amount * factor) }) { max($0, $1) }
        }
    }

    private mutating func readMetrics(
        _ metrics: [JSONValue], _ json: Span<UInt8>, every bucket: Bucket
    ) throws(Fault) {
        var all: [String: Metric] = [:]
        for value in metrics {
            guard let object = try? value.object(json), let name = Self.text(object, "name", json)
            else { continue }
            let units = Self.text(object, "units", json) ?? ""
            var points: [(at: Timestamp, amount: Double)] = []
            for value in try records(object, "data", json) {
                guard let point = try? value.object(json) else { continue }
                let amount = Self.number(point, "qty", json) ?? Self.number(point, "Avg", json)
                guard let moment = Self.moment(point, "date", json), let amount else {
                    passOver(point, json)
                    continue
                }
                points.append((moment, amount))
            }
            let isOfOthers = all[name].map { $0.units != units } ?? false
            if !isOfOthers { all[name, default: Metric(units: units, points: [])].points += points }
        }
        let source = "health-auto-export"
        let metres = all["walking_running_distance"]?.byMoment(["km": 1000, "mi": 1609.344, "m": 1])
        let energies = all["active_energy"]?.byMoment(["kcal": 1, "kJ": 1 / 4.184])
        // Its counts have fractions: what is rounded away of one goes on to the next.
        var rest = 0.0
        let points = (all["step_count"]?.points ?? []).sorted {
            ($0.at, $0.amount) < ($1.at, $1.amount)
        }
        for (index, point) in points.enumerated() {
            // A day ends where the next one begins, or with that of the site.
            let next = points.dropFirst(index + 1).first.map(\.at) ?? now
            let end = min(
                self.end(of: bucket, from: point.at), next > point.at ? next : now, now)
            guard point.at < end, (0...Double(StepsPayload.mostSteps)).contains(point.amount) else {
                passOver("\(point.amount) steps")
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

    /// When a bucket ends, at the latest. A day that begins with one of the site's ends with it: it has 23 hours where
    /// the clocks are set forward. Of one that has 25 a sample holds 24.
    private func end(of bucket: Bucket, from start: Timestamp) -> Timestamp {
        let end = start + bucket.span
        guard bucket == .day else { return end }
        let day = ActivityDays.bounds(of: calendar.local(start).date, calendar)
        return day.from == start ? min(day.to, end) : end
    }

    // MARK: Where it is

    /// OwnTracks tells much else to the same address: that it comes and goes, and places that it knows.
    private mutating func readOwnTracks(_ object: JSONObject, _ json: Span<UInt8>) {
        looked += 1
        guard Self.text(object, "_type", json) == "location" else { return }
        do throws(PayloadError) {
            positions.append(Sent(try PositionPayload(object, in: json)))
        } catch {
            passOver(error.words)
        }
    }

    /// The state of a `device_tracker` or `person`, as templates and the API of Home Assistant give it.
    private mutating func readState(
        _ object: JSONObject, _ attributes: JSONObject, _ json: Span<UInt8>
    ) {
        looked += 1
        let moment =
            Self.moment(object, "last_updated", json) ?? Self.moment(object, "last_changed", json)
        guard let moment, let latitude = Self.number(attributes, "latitude", json, signed: true),
            let longitude = Self.number(attributes, "longitude", json, signed: true)
        else {
            passOver("a state without last_updated, latitude and longitude")
            return
        }
        let device = Self.text(object, "entity_id", json)
        let speed = Self.number(attributes, "speed", json)
        let heading = Self.number(attributes, "course", json)
        positions.append(
            Sent(
                id: "\(device ?? "") \(moment.milliseconds)",
                source: Self.name(device, else: "home-assistant", on: nil),
                sample: GeoPosition(
                    at: moment, latitude: latitude, longitude: longitude,
                    accuracy: Self.number(attributes, "gps_accuracy", json),
                    speed: speed.flatMap { GeoLimits.speeds.contains($0) ? $0 : nil },
                    heading: heading.flatMap { GeoLimits.headings.contains($0) ? $0 : nil })))
    }

    // MARK: What cannot be read

    private mutating func passOver(_ record: JSONObject, _ json: Span<UInt8>) {
        guard example == nil else {
            unread += 1
            return
        }
        let words = ["start_time", "end_time", "time", "date", "count", "qty", "bpm", "type"]
            .compactMap { name in
                Self.text(record, name, json).map { "\(name) \(String($0.prefix(40)).quoted)" }
                    ?? Self.number(record, name, json).map { "\(name) \($0)" }
            }
        passOver(words.joined(separator: ", "))
    }

    private mutating func passOver(_ words: String) {
        unread += 1
        guard example == nil else { return }
        example = words.isEmpty ? "a record without a time and an amount" : words
    }

    // MARK: What is stored

    private mutating func add(
        _ period: Interval, _ count: Double, _ metres: Double?, _ kilocalories: Double?,
        source: String, uuid: String?
    ) {
        guard count <= Double(StepsPayload.mostSteps) else {
            passOver("count \(count)")
            return
        }
        let steps = Int64(count.rounded())
        let start = period.from.milliseconds
        let amounts = "\(steps) \(metres ?? -1) \(kilocalories ?? -1)"
        // One that grows under its number replaces what it was.
        let name = uuid.map { "\($0) \(source)" } ?? source
        let id = "\(name) \(start) \(period.to.milliseconds) \(amounts)"
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
            passOver("bpm \(rate)")
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

    /// Where the elements of a list are; `nil` if it is none.
    private static func list(
        _ object: JSONObject, _ name: String, _ json: Span<UInt8>, atMost most: Int
    ) throws(Fault) -> [JSONValue]? {
        do throws(PayloadError) {
            return try object.optional(name, json)?.list(json, atMost: most) {
                (value, _) throws(PayloadError) in value
            }
        } catch {
            if case .outOfRange = error { throw .tooLong }
            return nil
        }
    }

    private static func number(
        _ object: JSONObject, _ name: String, _ json: Span<UInt8>, signed: Bool = false
    ) -> Double? {
        let most = Double.greatestFiniteMagnitude
        return try? object.optional(name, json)?.number(json, in: signed ? -most...most : 0...most)
    }

    private static func moment(
        _ object: JSONObject, _ name: String, _ json: Span<UInt8>
    ) -> Timestamp? {
        text(object, name, json).flatMap { Timestamp(zoned: $0) }
    }
}
