import Basics
import Foundation
import Platform
import Scheduling
import Testing

@testable import ActivityEngine
@testable import SiteModel
@testable import Wire

/// Days, hours, weeks and months of steps. `Tests/reports/activity.py` computes them anew from what
/// `samples for another program` writes.
struct ActivityDaysTests {
    static let zones = [
        "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo",
        "Asia/Kathmandu",
    ]

    private static func calendar(_ zone: String) throws -> SiteCalendar {
        SiteCalendar(try TimeZoneTable(iana: zone), dayStart: .midnight)
    }

    private static func date(_ text: String) throws -> LocalDate { try #require(LocalDate(text)) }

    /// The moment of a UTC time such as `2026-03-29 01:00`.
    private static func utc(_ text: String) throws -> Timestamp {
        let calendar = SiteCalendar(.utc, dayStart: .midnight)
        let (day, time) = (text.prefix(10), text.suffix(5))
        return calendar.first(try date(String(day)), try #require(LocalTime(String(time))))
    }

    @Test func `parts of a sample add up to the whole, however it is cut`() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<2000 {
            let from = Int64.random(in: 0...1_000_000, using: &random)
            let length = Int64.random(in: 1...86_400_000, using: &random)
            let steps = Int64.random(in: 0...200_000, using: &random)
            let sample = ActivitySample(
                from: Timestamp(milliseconds: from), to: Timestamp(milliseconds: from + length),
                steps: steps)
            let cuts = (0..<5).map { _ in Int64.random(in: from...from + length, using: &random) }
            let places = ([from] + cuts.sorted() + [from + length]).map {
                Timestamp(milliseconds: $0)
            }
            let parts = zip(places, places.dropFirst()).map {
                sample.share(of: steps, in: Interval(from: $0, to: $1))
            }
            #expect(parts.reduce(0, +) == steps && parts.allSatisfy { $0 >= 0 })
        }
    }

    @Test func `the largest sample is shared without an overflow`() throws {
        let sample = ActivitySample(
            from: at(0), to: at(86_400), steps: StepsPayload.mostSteps,
            distance: Int64(StepsPayload.mostMetres) * 1000,
            energy: Int64(StepsPayload.mostKilocalories) * 1000)
        var total = ActivityTotal(Interval(from: at(0), to: at(43_200)))
        total.add(sample, of: BodyFigures(height: 2720, weight: 500_000))
        #expect(total.steps == 100_000 && total.distance == 500_000_000_000)
        #expect(total.energy == 50_000)
    }

    @Test func `days have 23 and 25 hours where clocks are changed`() throws {
        let berlin = try Self.calendar("Europe/Berlin")
        for (day, hours) in [("2026-03-29", 23), ("2026-10-25", 25), ("2026-06-01", 24)] {
            let days = ActivityDays(berlin, BodyFigures(), [], primary: nil)
            let (buckets, total) = days.told(.day, around: try Self.date(day))
            #expect(buckets.count == hours)
            #expect((total.interval.to - total.interval.from).seconds == Double(hours) * 3600)
            #expect(total.steps == 0 && total.energy == 0 && total.source == nil)
        }
        // By half an hour: the last is half a one.
        let howe = ActivityDays(
            try Self.calendar("Australia/Lord_Howe"), BodyFigures(), [], primary: nil)
        let buckets = howe.told(.day, around: try Self.date("2026-04-05")).buckets
        #expect(buckets.count == 25)
        #expect(buckets.last.map { ($0.interval.to - $0.interval.from).seconds } == 1800)
    }

    @Test func `a sample across midnight and the changing of the clocks counts on both days`()
        throws
    {
        let sample = ActivitySample(
            from: try Self.utc("2026-03-28 22:00"), to: try Self.utc("2026-03-29 02:00"), steps: 401
        )
        let days = ActivityDays(
            try Self.calendar("Europe/Berlin"), BodyFigures(),
            [.init(name: "watch", samples: [sample])], primary: nil)
        #expect(days.day(try Self.date("2026-03-28")).steps == 100)
        #expect(days.day(try Self.date("2026-03-29")).steps == 301)
        let hours = days.told(.day, around: try Self.date("2026-03-29")).buckets
        #expect(hours.prefix(4).map(\.steps) == [100, 100, 101, 0])
    }

    @Test func `of several sources one counts, and which is for the person to say`() throws {
        func source(_ name: String, _ steps: Int64, day: Int = 0) -> ActivityDays.Source {
            .init(
                name: name,
                samples: [
                    ActivitySample(
                        from: at(86_400 * day + 3600), to: at(86_400 * day + 7200), steps: steps)
                ])
        }
        let utc = SiteCalendar(.utc, dayStart: .midnight)
        let date = utc.local(at(0)).date
        func day(_ sources: [ActivityDays.Source], _ primary: String?) -> ActivityTotal {
            ActivityDays(utc, BodyFigures(), sources, primary: primary).day(date)
        }
        let both = [source("watch", 900), source("phone", 1000)]
        #expect(day(both, nil).steps == 1000 && day(both, nil).source == "phone")
        #expect(day(both, "watch").steps == 900)
        // Whose source did not count that day has the one with most.
        #expect(day(both, "ring").source == "phone")
        #expect(day(both + [source("ring", 50, day: 1)], "ring").source == "phone")
        #expect(day([source("b", 5), source("a", 5)], nil).source == "a")
        #expect(day([source("none", 0)], nil).source == "none")
    }

    @Test func `all of a month is of its own days`() throws {
        let walk = ActivitySample(
            from: try Self.utc("2026-10-28 10:00"), to: try Self.utc("2026-10-28 11:00"),
            steps: 5000
        )
        let days = ActivityDays(
            try Self.calendar("Europe/Berlin"), BodyFigures(),
            [.init(name: "phone", samples: [walk])], primary: nil)
        let november = days.told(.month, around: try Self.date("2026-11-15"))
        // Its first week begins on 26 October.
        #expect(november.buckets.first?.steps == 5000 && november.total.steps == 0)
        #expect(days.told(.month, around: try Self.date("2026-10-15")).total.steps == 5000)
    }

    /// A day by parts: samples of several sources that overlap are one, and one source counts there.
    @Test func `what only one source has counts, and nothing counts twice`() throws {
        let utc = SiteCalendar(.utc, dayStart: .midnight)
        func walk(_ from: Int, _ to: Int, _ steps: Int64) -> ActivitySample {
            ActivitySample(from: at(from * 60), to: at(to * 60), steps: steps)
        }
        func day(_ sources: [ActivityDays.Source], _ primary: String? = nil) -> ActivityTotal {
            ActivityDays(utc, BodyFigures(), sources, primary: primary).day(utc.local(at(0)).date)
        }
        // A band in the morning, a phone in the evening.
        let band = ActivityDays.Source(name: "band", samples: [walk(480, 510, 3000)])
        let phone = ActivityDays.Source(name: "phone", samples: [walk(1020, 1050, 2500)])
        #expect(day([band, phone]).steps == 5500 && day([band, phone]).source == "band")
        #expect(day([band, phone], "phone").steps == 5500)
        // A watch until noon, a phone all day: until noon the watch has more.
        let watch = ActivityDays.Source(name: "watch", samples: [walk(360, 720, 4149)])
        let pocket = ActivityDays.Source(
            name: "phone", samples: [walk(380, 700, 3900), walk(780, 840, 1096)])
        #expect(day([watch, pocket]).steps == 5245)
        #expect(day([watch, pocket], "phone").steps == 4996)
        // A phone that lay on a desk while a band counted.
        let desk = ActivityDays.Source(
            name: "phone", samples: [walk(480, 540, 50), walk(840, 900, 900)])
        let wrist = ActivityDays.Source(
            name: "band", samples: [walk(485, 500, 1600), walk(510, 530, 1400)])
        #expect(day([desk, wrist]).steps == 3900)
        let hours = ActivityDays(utc, BodyFigures(), [desk, wrist], primary: nil)
            .told(.day, around: utc.local(at(0)).date)
        #expect(hours.buckets.map(\.steps).reduce(0, +) == 3900)
        #expect(hours.buckets[8].source == "band" && hours.buckets[14].source == "phone")
        // One that spans all of it is one part with all.
        let all = ActivityDays.Source(name: "all", samples: [walk(0, 1440, 4000)])
        #expect(day([desk, wrist, all]).steps == 4000)
        // What is made up counts only on days without any other.
        let demo = ActivityDays.Source(name: "(demo)", isDemo: true, samples: [walk(60, 120, 9000)])
        #expect(day([band, demo]).steps == 3000 && day([demo]).steps == 9000)
    }

    @Test func `what no source sends is estimated, by the figures of a body`() {
        let walk = ActivitySample(from: at(0), to: at(3600), steps: 1000)
        func total(_ samples: [ActivitySample], _ body: BodyFigures) -> ActivityTotal {
            ActivityDays(
                SiteCalendar(.utc, dayStart: .midnight), body,
                [.init(name: "phone", samples: samples)],
                primary: nil
            ).day(SiteCalendar(.utc, dayStart: .midnight).local(at(0)).date)
        }
        #expect(total([walk], BodyFigures()).distance == 740_000_000)
        #expect(total([walk], BodyFigures(height: 1755)).distance == 726_570_000)
        #expect(total([walk], BodyFigures(height: 1755, stride: 800)).distance == 800_000_000)
        #expect(total([walk], BodyFigures()).energy == nil)
        let energy = total([walk], BodyFigures(weight: 80_000, stride: 1000)).energy
        #expect(abs((energy ?? 0) - 45.6) < 1e-9)
        var sent = walk
        (sent.distance, sent.energy) = (700_500, 33_300)
        #expect(total([sent], BodyFigures()).distance == 700_500_000)
        #expect(total([sent], BodyFigures()).energy == 33.3)
    }

    @Test func `minutes with a change of place count as moved, each once`() {
        let utc = SiteCalendar(.utc, dayStart: .midnight)
        let days = ActivityDays(
            utc, BodyFigures(), [], primary: nil,
            moves: [at(3599), at(3600), at(3659), at(3660), at(90_000)])
        let (buckets, total) = days.told(.day, around: utc.local(at(0)).date)
        #expect(buckets.prefix(2).map(\.moving) == [60, 120] && total.moving == 180)
    }

    @Test func `a month is the weeks that touch it`() throws {
        let days = ActivityDays(
            try Self.calendar("Europe/Berlin"), BodyFigures(), [], primary: nil)
        let (buckets, total) = days.told(.month, around: try Self.date("2026-03-15"))
        // From Monday 23 February to Sunday 5 April.
        #expect(buckets.count == 6)
        #expect(buckets.first?.interval.from == (try Self.utc("2026-02-22 23:00")))
        #expect(buckets.last?.interval.to == (try Self.utc("2026-04-05 22:00")))
        #expect(total.interval.from == (try Self.utc("2026-02-28 23:00")))
        #expect(total.interval.to == (try Self.utc("2026-03-31 22:00")))
        let dates = ActivityDays.dates(.week, around: try Self.date("2027-01-01"))
        #expect(dates == (try Self.date("2026-12-28"))...(try Self.date("2027-01-03")))
    }

    @Test func `what cannot be is refused with its code`() {
        let now = at(800 * 86_400)
        func fault(_ from: Int, _ to: Int, _ steps: Int64 = 1) -> ProblemCode? {
            ActivitySample(
                from: now + .seconds(Double(from)), to: now + .seconds(Double(to)), steps: steps
            )
            .fault(at: now)
        }
        #expect(fault(-60, 0, 600) == nil && fault(-60, 0, 601) == .schema)
        #expect(fault(-60, 60) == nil && fault(-60, 61) == .badTime)
        #expect(fault(-60, -60) == .badTime && fault(-60, -61) == .badTime)
        #expect(fault(-86_460, -60) == nil && fault(-86_461, -60) == .badTime)
        let oldest = -730 * 86_400
        #expect(fault(oldest, oldest + 60) == nil && fault(oldest - 1, oldest + 60) == .badTime)
    }

    /// 10,000 histories, half of them around a change of the clocks, for a reader that is not ours.
    @Test func `samples for another program`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../.build/report-samples").standardizedFileURL
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var random = SeededRandom(seed: 34)
        var text = ""
        for number in 0..<10_000 {
            text += try Self.history(Self.zones[number % Self.zones.count], &random) + "\n"
        }
        try Data(text.utf8).write(to: folder.appending(path: "activity.jsonl"))
        #expect(text.utf8.count > 1_000_000)
    }

    private static func history(_ zone: String, _ random: inout SeededRandom) throws -> String {
        let table = try TimeZoneTable(iana: zone)
        let calendar = SiteCalendar(table, dayStart: .midnight)
        var date = try Self.date("2025-01-01") + Int64.random(in: 0..<700, using: &random)
        let changes = table.transitions.map { calendar.local($0.at).date }
            .filter { (2025...2026).contains($0.parts.year) }
        if Bool.random(using: &random), let change = changes.randomElement(using: &random) {
            date = change + Int64.random(in: -1...1, using: &random)
        }
        let start = ActivityDays.bounds(of: date + -3, calendar).from.milliseconds
        var sources: [ActivityDays.Source] = []
        for name in ["phone", "watch", "Ring"].prefix(Int.random(in: 0...3, using: &random)) {
            var samples: [ActivitySample] = []
            var from = start + Int64.random(in: 0...200_000_000, using: &random)
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                let length = Int64.random(in: 1...40_000_000, using: &random)
                let most = min(StepsPayload.mostSteps, 10 * length / 1000)
                samples.append(
                    ActivitySample(
                        from: Timestamp(milliseconds: from),
                        to: Timestamp(milliseconds: from + length),
                        steps: Int64.random(in: 0...most, using: &random),
                        distance: Bool.random(using: &random)
                            ? nil : Int64.random(in: 0...9_000_000, using: &random),
                        energy: Bool.random(using: &random)
                            ? nil : Int64.random(in: 0...900_000, using: &random)))
                from += length + Int64.random(in: 0...30_000_000, using: &random)
            }
            sources.append(.init(name: name, samples: samples))
        }
        let body = BodyFigures(
            height: Bool.random(using: &random) ? nil : .random(in: 500...2720, using: &random),
            weight: Bool.random(using: &random)
                ? nil : .random(in: 20_000...500_000, using: &random),
            stride: Bool.random(using: &random) ? nil : .random(in: 200...2000, using: &random))
        let primary = [nil, "phone", "watch", "gone"].randomElement(using: &random) ?? nil
        let moves = (0..<Int.random(in: 0...20, using: &random)).map { _ in
            Timestamp(milliseconds: start + Int64.random(in: 0...600_000_000, using: &random))
        }
        let days = ActivityDays(calendar, body, sources, primary: primary, moves: moves)
        func number(_ value: Int64?) -> String { value.map { "\($0)" } ?? "null" }
        func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
        let told = ActivityDays.Range.allCases.map { range in
            let (buckets, total) = days.told(range, around: date)
            let parts = (buckets + [total]).map { part in
                "[\(part.interval.from.milliseconds),\(part.interval.to.milliseconds),\(part.steps),"
                    + "\(part.distance),\(part.energy.map { "\($0)" } ?? "null"),\(part.moving),"
                    + "\(quoted(part.source))]"
            }
            return "\"\(range.rawValue)\":[\(parts.joined(separator: ","))]"
        }
        let sent = sources.map { source in
            let samples = source.samples.map {
                "[\($0.from.milliseconds),\($0.to.milliseconds),\($0.steps),\(number($0.distance)),"
                    + "\(number($0.energy))]"
            }
            return "\"\(source.name)\":[\(samples.joined(separator: ","))]"
        }
        return "{\"zone\":\"\(zone)\",\"date\":\"\(date)\",\"primary\":\(quoted(primary)),"
            + "\"height_mm\":\(number(body.height)),\"weight_g\":\(number(body.weight)),"
            + "\"stride_mm\":\(number(body.stride)),"
            + "\"moves\":[\(moves.map { "\($0.milliseconds)" }.joined(separator: ","))],"
            + "\"sources\":{\(sent.joined(separator: ","))},\(told.joined(separator: ","))}"
    }
}

private func at(_ seconds: Int) -> Timestamp { Timestamp(milliseconds: Int64(seconds) * 1000) }
