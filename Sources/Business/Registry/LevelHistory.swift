import Foundation
import GRDB
import SiteModel
import SiteStore

/// How loud a beacon was at each node, from the evidence that nodes keep through outages, and where its carriers were
/// decided to be.
package struct LevelHistory: Sendable {
    /// The levels of a span at one node.
    package struct Level: Equatable, Sendable {
        /// The middle of the span.
        package var at: Timestamp
        /// The mean of all that was heard, in dBm.
        package var mean: Double
        /// The strongest second, in dBm.
        package var strongest: Double
        /// How many advertisements were heard.
        package var count: Int
    }

    /// What one node heard of it, oldest first.
    package struct Hearer: Equatable, Sendable {
        package var node: String
        package var levels: [Level]
    }

    /// Where a carrier was decided to be, at a room or a station.
    package struct Stay: Equatable, Sendable {
        package var user: String
        package var room: String?
        package var station: String?
        package var from: Timestamp
        package var to: Timestamp?
    }

    /// A stretch of time.
    package struct Told: Equatable, Sendable {
        package var from: Timestamp
        package var to: Timestamp
        /// How long a span is.
        package var step: Timestamp.Span
        /// Those that heard it most first.
        package var nodes: [Hearer]
        package var stays: [Stay]
    }

    /// So long is a minute's evidence at most.
    private static let minute = Timestamp.Span.seconds(60)
    /// So many spans at most a stretch has.
    private static let spans: Int64 = 288
    /// Bytes of a packed run, whose first four are the beacon's row.
    private static let run = 12

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// What is stored of a beacon in an interval; `nil` if it was never registered.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func told(of beacon: String, in interval: Interval) throws(StoreError) -> Told? {
        try store.read { db in
            guard
                let row = try Int64.fetchOne(
                    db, sql: "SELECT id FROM beacon WHERE slug = ?", arguments: [beacon])
            else { return nil }
            let length = (interval.to - interval.from).milliseconds
            let step = Timestamp.Span.milliseconds(
                max(Self.minute.milliseconds, (length + Self.spans - 1) / Self.spans))
            return Told(
                from: interval.from, to: interval.to, step: step,
                nodes: try Self.nodes(row, interval, step, db),
                stays: try Self.stays(row, interval, db))
        }
    }

    private struct Sum {
        var total = 0.0
        var count = 0
        var strongest = -Double.infinity
    }

    private static func nodes(
        _ beacon: Int64, _ interval: Interval, _ step: Timestamp.Span, _ db: Database
    ) throws -> [Hearer] {
        var sums: [Int64: [Int64: Sum]] = [:]
        let wanted = UInt32(truncatingIfNeeded: beacon)
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT node, seq, site_from_ms, runs FROM evidence
                WHERE site_from_ms >= ? AND site_from_ms < ?
                """, arguments: [interval.from - minute, interval.to])
        while let row = try rows.next() {
            let data: Data = row["runs"]
            // Of a minute in which many were heard one run is wanted: the others are not read.
            guard let mine = Self.runs(of: wanted, in: data) else { continue }
            guard let runs = Packed.runs(from: mine) else { throw DamagedRow("evidence.runs", row) }
            let (node, start): (Int64, Timestamp) = (row["node"], row["site_from_ms"])
            for run in runs {
                let at = start + .seconds(Double(run.first + run.last + 1) / 2)
                guard at >= interval.from, at < interval.to else { continue }
                let span = (at - interval.from).milliseconds / step.milliseconds
                var sum = sums[node]?[span] ?? Sum()
                sum.total += run.mean.dBm * Double(run.count)
                sum.count += run.count
                sum.strongest = max(sum.strongest, run.strongest.dBm)
                sums[node, default: [:]][span] = sum
            }
        }
        let names = try Dictionary(
            db.rows("SELECT id, slug FROM node") { ($0["id"] as Int64, $0["slug"] as String) }
        ) { first, _ in first }
        let hearers = sums.map { node, spans in
            (
                count: spans.values.reduce(0) { $0 + $1.count },
                hearer: Hearer(
                    node: names[node] ?? "",
                    levels: spans.sorted { $0.key < $1.key }.map { span, sum in
                        Level(
                            at: interval.from
                                + .milliseconds(span * step.milliseconds + step.milliseconds / 2),
                            mean: (sum.total / Double(max(sum.count, 1)) * 10).rounded() / 10,
                            strongest: sum.strongest, count: sum.count)
                    })
            )
        }
        return hearers.sorted { ($1.count, $0.hearer.node) < ($0.count, $1.hearer.node) }.map(
            \.hearer)
    }

    /// The packed runs of one beacon; `nil`: none.
    private static func runs(of beacon: UInt32, in data: Data) -> Data? {
        var mine = Data()
        let (low, bytes) = (UInt8(truncatingIfNeeded: beacon), [UInt8](data))
        var start = 0
        while start + run <= bytes.count {
            if bytes[start] == low,
                (0..<4).allSatisfy({
                    bytes[start + $0] == UInt8(truncatingIfNeeded: beacon >> (8 * $0))
                })
            {
                mine.append(contentsOf: bytes[start..<start + run])
            }
            start += run
        }
        return mine.isEmpty ? nil : mine
    }

    private static func stays(
        _ beacon: Int64, _ interval: Interval, _ db: Database
    ) throws -> [Stay] {
        try db.rows(
            """
            SELECT user.slug AS user, room.slug AS room, station.slug AS station,
                max(stay.from_ms, binding.from_ms, ?2) AS from_ms,
                CASE WHEN stay.to_ms IS NULL AND coalesce(binding.to_ms, ?3) >= ?3 THEN NULL
                    ELSE min(coalesce(stay.to_ms, ?3), coalesce(binding.to_ms, ?3), ?3) END AS to_ms
            FROM beacon_binding AS binding JOIN user ON user.id = binding.user
                JOIN stay ON stay.user = binding.user
                LEFT JOIN room ON room.id = stay.room LEFT JOIN station ON station.id = stay.station
            WHERE binding.beacon = ?1 AND stay.from_ms < ?3 AND coalesce(stay.to_ms, ?3) > ?2
                AND binding.from_ms < ?3 AND coalesce(binding.to_ms, ?3) > ?2
                AND stay.from_ms < coalesce(binding.to_ms, ?3)
                AND coalesce(stay.to_ms, ?3) > binding.from_ms
            ORDER BY stay.from_ms, stay.level, stay.id
            """, [beacon, interval.from, interval.to]
        ) {
            Stay(
                user: $0["user"], room: $0["room"], station: $0["station"], from: $0["from_ms"],
                to: $0["to_ms"])
        }
    }
}
