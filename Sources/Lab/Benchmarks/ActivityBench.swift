import Activities
import ActivityEngine
import Basics
import Foundation
import Platform
import Records
import Reporting
import Scheduling
import SiteModel
import SiteStore

/// Two years of steps of two hundred people, a sample an hour while they are up: `activity-ingest`, how many
/// samples a second a store takes, a thousand at a time; `activity-batch-p99`, how long a thousand take;
/// `activity-sample-bytes`, what one takes in the file; `activity-month`, how long a month of somebody takes to read
/// and to compute.
enum ActivityBench {
    static let figures = [
        "activity-ingest", "activity-batch-p99", "activity-sample-bytes", "activity-month",
    ]
    /// Hours of a day with steps.
    private static let hours = 6..<22
    private static let batch = 1000

    static func run(_ context: BenchContext) throws -> [Figure] {
        let (people, days) = context.amount(quick: (5, 100), full: (200, 729))
        let folder = try context.directory("activity")
        let site = try BenchSite(
            people: people, seed: context.seed, in: folder, from: BenchContext.start)
        let store = try Store(path: site.database)
        defer { store.close() }
        let users = site.demo.document.users.prefix(people).map(\.slug)
        let before = try size(of: site.database)
        var lengths: [Double] = []
        var count = 0
        for user in users {
            var waiting: [SentSample] = []
            for day in (0..<days).reversed() {
                waiting += samples(of: day, users.count)
                guard waiting.count >= batch || day == 0 else { continue }
                try context.goOn()
                let taken = Array(waiting.prefix(batch))
                let watch = Stopwatch()
                let codes = try SampleIntake(store).take(taken, of: user, at: BenchContext.start)
                if taken.count == batch { lengths.append(watch.seconds) }
                count += taken.count
                guard codes.allSatisfy({ $0 == nil }) else {
                    throw BenchFailure.failed("a sample is refused")
                }
                waiting.removeFirst(taken.count)
            }
        }
        let bytes = Double(try size(of: site.database) - before)
        let months = try months(of: users, in: store, context)
        let sorted = lengths.sorted()
        return [
            Figure(
                "activity-ingest", unit: "samples/s",
                Samples(rounds: lengths.map { Double(batch) / $0 })),
            Figure(
                "activity-batch-p99", unit: "ms",
                Samples(rounds: [sorted[(sorted.count - 1) * 99 / 100] * 1000])),
            Figure(
                "activity-sample-bytes", unit: "bytes", Samples(rounds: [bytes / Double(count)])),
            Figure(
                "activity-month", unit: "ms", Samples(rounds: months),
                bar: context.isQuick ? nil : .atMost(20)),
        ]
    }

    /// The hours of a day so many days ago.
    private static func samples(of day: Int, _ seed: Int) -> [SentSample] {
        hours.map { hour in
            let from = BenchContext.start - .seconds(Double((day + 1) * 86_400 - hour * 3600))
            return SentSample(
                id: "\(day)-\(hour)", source: "phone",
                sample: ActivitySample(
                    from: from, to: from + .seconds(3600),
                    steps: Int64((day * 7 + hour * 131 + seed) % 1500), distance: 500_000))
        }
    }

    /// How long a month of each takes, in milliseconds.
    private static func months(
        of users: [String], in store: Store, _ context: BenchContext
    ) throws -> [Double] {
        let calendar = try ReportDesk(store, now: BenchContext.start).context.calendar
        let today = calendar.local(BenchContext.start).date
        return try users.enumerated().map { index, user in
            try context.goOn()
            let date: LocalDate = today + Int64(index % 24 * -30)
            let dates = ActivityDays.dates(.month, around: date)
            let watch = Stopwatch()
            let bounds = Interval(
                from: ActivityDays.bounds(of: dates.lowerBound, calendar).from,
                to: ActivityDays.bounds(of: dates.upperBound, calendar).to)
            let figures = try ActivityRecords(store).figures(of: user, in: bounds)
            let told = figures.map {
                ActivityDays(
                    calendar, $0.settings.body, $0.sources, primary: nil, moves: $0.moves
                ).told(.month, around: date)
            }
            guard told != nil else { throw BenchFailure.failed("nobody is \(user)") }
            return watch.seconds * 1000
        }
    }

    /// The bytes of the file and of what is on its way to it.
    private static func size(of database: String) throws -> Int {
        try ["", "-wal"].reduce(0) { sum, suffix in
            let path = database + suffix
            guard FileManager.default.fileExists(atPath: path) else { return sum }
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return sum + (attributes[.size] as? Int ?? 0)
        }
    }
}
