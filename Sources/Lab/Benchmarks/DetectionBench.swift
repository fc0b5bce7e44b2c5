import Basics
import Detections
import Platform
import Records
import SiteModel
import SiteStore

/// `detections-put`: how many devices a second that nodes tell of a store takes, 500 at a time, of addresses that change;
/// `detections-page`: how long fifty of many take to read by a text, a type and a room, the slowest of the four orders;
/// `detections-export`: how many a second are written as a file, with how much memory more (`detections-export-memory`).
enum DetectionBench {
    static let figures = [
        "detections-put", "detections-page", "detections-export", "detections-export-memory",
    ]
    private static let batch = 500
    private static let types = ["camera", "tracker"]

    static func run(_ context: BenchContext) throws -> [Figure] {
        let site = try BenchSite(
            people: 2, seed: context.seed, in: context.directory("detections"),
            from: BenchContext.start)
        let store = try Store(path: site.database)
        defer { store.close() }
        let asker = Asker(name: "bench", via: .cli, at: BenchContext.start)
        try addTypes(store, asker)
        let rows = context.amount(quick: 10_000, full: 1_000_000)
        let put = try fill(store, rows, site.demo.document.nodes.map(\.slug), context)
        let pages = try (0..<context.amount(quick: 20, full: 200)).map { round in
            try slowestPage(store, round)
        }
        let (rate, memory) = try export(store, rows)
        return [
            Figure("detections-put", unit: "devices/s", Samples(rounds: put)),
            Figure("detections-page", unit: "ms", Samples(rounds: pages), bar: .atMost(50)),
            Figure("detections-export", unit: "rows/s", Samples(rounds: [rate])),
            Figure("detections-export-memory", unit: "MB", Samples(watched: [memory])),
        ]
    }

    private static func addTypes(_ store: Store, _ asker: Asker) throws {
        try store.transaction { db in
            for type in types {
                try db.execute(
                    sql: "INSERT INTO device_type (slug, name, icon) VALUES (?, ?, 'other')",
                    arguments: [type, type])
            }
        }
    }

    private static func fill(
        _ store: Store, _ rows: Int, _ nodes: [String], _ context: BenchContext
    ) throws -> [Double] {
        var random = SplitMix64(seed: context.seed)
        var rates: [Double] = []
        for first in stride(from: 0, to: rows, by: batch) {
            try context.goOn()
            let seen = (first..<first + batch).map { number in
                let came = BenchContext.start + .seconds(Double(number) / 5)
                return DetectionVisits.Seen(
                    node: nodes[number % nodes.count],
                    address: Hex.text(random.next() & 0xFFFF_FFFF_FFFF, count: 12),
                    type: types[number % types.count], confidence: Double(number % 10) / 10,
                    name: "Device \(number)", rssi: -90 + Double(number % 50), first: came,
                    last: came + .seconds(30), hits: 30)
            }
            let watch = Stopwatch()
            try DetectionVisits(store).put(seen, at: BenchContext.start)
            rates.append(Double(batch) / watch.seconds)
        }
        return rates
    }

    /// In ms.
    private static func slowestPage(_ store: Store, _ round: Int) throws -> Double {
        var slowest = 0.0
        for order in DetectionFilter.Order.allCases where order != .stored {
            for look in 0..<3 {
                var filter = DetectionFilter()
                filter.order = order
                switch look {
                case 0: filter.text = "vice \(1000 + round)"
                case 1: filter.type = types[round % types.count]
                default: break
                }
                let watch = Stopwatch()
                let page = try Detections(store).page(filter, most: 50)
                slowest = max(slowest, watch.seconds * 1000)
                guard !page.rows.isEmpty else { throw BenchFailure.failed("a page is empty") }
            }
        }
        return slowest
    }

    private static func export(_ store: Store, _ rows: Int) throws -> (rate: Double, memory: Double)
    {
        let before = try BenchRig.residentMegabytes(of: "self") ?? 0
        var writer = DetectionWriter(.json)
        var filter = DetectionFilter()
        filter.order = .stored
        var (count, bytes) = (0, 0)
        let watch = Stopwatch()
        writer.begin()
        while true {
            let (some, next) = try Detections(store).page(filter, most: batch)
            for row in some { writer.add(row) }
            count += some.count
            bytes += writer.take().utf8.count
            guard let next else { break }
            filter.after = next
        }
        writer.end()
        let seconds = watch.seconds
        guard count >= rows / 2, bytes > count * 100 else {
            throw BenchFailure.failed("\(count) of \(rows) are in the file")
        }
        return (Double(count) / seconds, (try BenchRig.residentMegabytes(of: "self") ?? 0) - before)
    }
}
