import ActivityEngine
import Ciphers
import Foundation
import GRDB
import Records
import Reporting
import Scheduling
import SiteModel
import SiteStore

/// Something measured, as its sender sent it.
package struct Sent<Sample: Equatable & Sendable & Codable>: Equatable, Sendable, Codable {
    /// The longest ids and names of sources, in characters.
    package static var longestName: Int { 64 }

    /// By which its sender knows it. Hostile text.
    package var id: String
    /// Who counted: a phone, a watch. Hostile text.
    package var source: String
    package var sample: Sample

    package init(id: String, source: String, sample: Sample) {
        self.id = id
        self.source = source
        self.sample = sample
    }
}

package typealias SentSample = Sent<ActivitySample>

/// What is taken in, each once: by its id, and by its source and beginning.
package protocol Measured: Equatable, Sendable, Codable {
    /// Its table, which has `id`, `user`, `source`, `key` and `replaced`.
    static var table: String { get }
    /// Its own columns, the first of which is its beginning.
    static var columns: [String] { get }
    var values: [(any DatabaseValueConvertible)?] { get }
    /// Which others of the source ?1 there may not be beside it, unless it replaces them: those that count
    /// and are between ?2 and ?3.
    static var neighbours: String { get }
    var beginning: Timestamp { get }
    /// The first moment behind it; of one that nobody has looked at yet perhaps before its beginning.
    var ending: Timestamp { get }
    /// What of it counts where two of one request overlap: the heavier ones are taken.
    var weight: Int64 { get }
    /// Where neighbours are looked for; only of one without a fault.
    var bounds: Interval { get }

    init(row: Row)
    func fault(at now: Timestamp) -> ProblemCode?
    /// Whether it stands in the place of neighbours, at least one.
    func replaces(_ neighbours: [Self]) -> Bool
}

extension Measured {
    package func replaces(_ neighbours: [Self]) -> Bool {
        neighbours.allSatisfy { $0.beginning == beginning }
    }
}

/// Takes in what is measured: each is stored once, however often, late or out of order it comes.
package struct SampleIntake: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Stores samples of somebody, in one transaction. Returns for each why it is refused, `nil` if it is stored or was
    /// before; the others are stored all the same.
    ///
    /// - Throws: A `BooksRefusal` if there is nobody of that slug, else what the store throws: nothing was written.
    package func take(
        _ samples: [SentSample], of user: String, at now: Timestamp, isDemo: Bool = false
    ) throws -> [ProblemCode?] {
        let calendar = try ReportDesk(store, now: now).context.calendar
        return try store.transaction { db in
            let user = try Self.row(of: user, db)
            var replaced: [ActivitySample] = []
            let codes = try Self.take(
                samples, of: user, at: now, isDemo: isDemo, replaced: &replaced, db)
            if !isDemo {
                let taken = zip(samples, codes).filter { $0.1 == nil }.map(\.0.sample)
                // Where one is replaced another source may count now.
                try GoalHits(calendar, at: now).note(taken + replaced, of: user, db)
            }
            return codes
        }
    }

    /// The same for what reaches no goal.
    package func take<Sample: Measured>(
        _ sent: [Sent<Sample>], of user: String, at now: Timestamp
    ) throws -> [ProblemCode?] {
        try store.transaction { db in
            var replaced: [Sample] = []
            return try Self.take(
                sent, of: try Self.row(of: user, db), at: now, replaced: &replaced, db)
        }
    }

    /// Stores what is measured of the person of a row, one after the other, and adds what it replaced.
    static func take<Sample: Measured>(
        _ sent: [Sent<Sample>], of user: Int64, at now: Timestamp, isDemo: Bool = false,
        replaced: inout [Sample], _ db: Database
    ) throws -> [ProblemCode?] {
        var sources = try Sources(of: user, isDemo, db)
        return try sent.map { try take($0, &sources, at: now, replaced: &replaced, db) }
    }

    /// The row of somebody who is there.
    static func row(of user: String, _ db: Database) throws -> Int64 {
        guard
            let row = try Int64.fetchOne(
                db, sql: "SELECT id FROM user WHERE slug = ? AND retired_ms IS NULL",
                arguments: [user])
        else { throw BooksRefusal(.notFound, "there is no such user") }
        return row
    }

    private static func take<Sample: Measured>(
        _ sent: Sent<Sample>, _ sources: inout Sources, at now: Timestamp,
        replaced: inout [Sample], _ db: Database
    ) throws -> ProblemCode? {
        let new = sent.sample
        let fault = new.fault(at: now)
        if fault == .schema { return fault }
        let key = Data(SHA256.digest(of: Array(sent.id.utf8)).prefix(16))
        let known = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM \(Sample.table) WHERE user = ? AND key = ?"),
            arguments: [sources.user, key])
        let source = sources.find(sent.source)
        if let known {
            let isSame = source == known["source"] && Sample(row: known) == new
            return isSame ? nil : .idempotencyMismatch
        }
        if let fault { return fault }
        guard let source else {
            let (made, refusal) = try sources.make(sent.source, db)
            guard let made else { return refusal }
            try insert(new, key, of: sources.user, made, counts: true, db)
            return nil
        }
        let neighbours = try Row.fetchAll(
            db.cachedStatement(sql: Sample.neighbours),
            arguments: [source, new.bounds.from, new.bounds.to])
        // All are looked at before anything is written: what is refused changes nothing.
        let old = neighbours.map { Sample(row: $0) }
        let isRepeat = old == [new]
        guard isRepeat || new.replaces(old) else { return .overlap }
        if !isRepeat {
            for row in neighbours {
                try db.run(
                    "UPDATE \(Sample.table) SET replaced = id WHERE id = ?", [row["id"] as Int64])
            }
            replaced += old
        }
        // One that says the same is remembered, so that it replaces nothing when it comes again.
        try insert(new, key, of: sources.user, source, counts: !isRepeat, db)
        return nil
    }

    private static func insert<Sample: Measured>(
        _ sample: Sample, _ key: Data, of user: Int64, _ source: Int64, counts: Bool,
        _ db: Database
    ) throws {
        let columns = Sample.columns
        let places = columns.indices.map { ", ?\($0 + 5)" }.joined()
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO \(Sample.table) (id, replaced, user, source, key, \(columns.joined(separator: ", ")))
                SELECT n, CASE WHEN ?1 THEN 0 ELSE n END, ?2, ?3, ?4\(places) FROM (
                    SELECT 1 + max(coalesce((SELECT max(id) FROM \(Sample.table)), 0), coalesce(
                        (SELECT seq FROM sqlite_sequence WHERE name = '\(Sample.table)'), 0)) AS n)
                """)
        try statement.execute(
            arguments: [counts, user, source, key] + StatementArguments(sample.values))
    }
}

/// Who has sent samples of somebody: few, as each of their days is looked for in all.
private struct Sources {
    /// The most of a person.
    static let most = 16

    let user: Int64
    private let isDemo: Bool
    private var known: [(name: String, id: Int64, isDemo: Bool)]

    init(of user: Int64, _ isDemo: Bool, _ db: Database) throws {
        self.user = user
        self.isDemo = isDemo
        known = try db.rows(
            "SELECT id, name, demo FROM activity_source WHERE user = ? ORDER BY id", [user]
        ) { (($0["name"] as String).unstored, $0["id"], $0["demo"]) }
    }

    /// The row of one.
    func find(_ name: String) -> Int64? {
        known.first { $0.name == name && $0.isDemo == isDemo }?.id
    }

    /// Adds one; else why it is refused: it is one of what is made up and the sample is not, or there are too many.
    mutating func make(_ name: String, _ db: Database) throws -> (Int64?, ProblemCode?) {
        guard !known.contains(where: { $0.name == name }) else { return (nil, .schema) }
        guard known.count < Self.most else { return (nil, .rateLimited) }
        try db.run(
            "INSERT INTO activity_source (user, name, demo) VALUES (?, ?, ?)",
            [user, name.storable, isDemo])
        known.append((name, db.lastInsertedRowID, isDemo))
        return (db.lastInsertedRowID, nil)
    }
}
