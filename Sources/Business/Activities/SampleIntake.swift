import ActivityEngine
import Ciphers
import Foundation
import GRDB
import Records
import Reporting
import SiteModel
import SiteStore

/// A sample as its sender sent it.
package struct SentSample: Equatable, Sendable, Codable {
    /// The longest ids and names of sources, in characters.
    package static let longestName = 64

    /// By which its sender knows it. Hostile text.
    package var id: String
    /// Who counted: a phone, a watch. Hostile text.
    package var source: String
    package var sample: ActivitySample

    package init(id: String, source: String, sample: ActivitySample) {
        self.id = id
        self.source = source
        self.sample = sample
    }
}

/// Takes samples in: each is stored once, however often, late or out of order it comes.
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
            var sources: [String: Int64] = [:]
            let codes = try samples.map { sent -> ProblemCode? in
                if let fault = sent.sample.fault(at: now) { return fault }
                guard
                    let source =
                        try sources[sent.source] ?? Self.source(sent.source, of: user, isDemo, db)
                else { return .schema }
                sources[sent.source] = source
                return try Self.take(sent, source, of: user, db)
            }
            if !isDemo {
                let taken = zip(samples, codes).filter { $0.1 == nil }.map(\.0.sample)
                try GoalHits(calendar, at: now).note(taken, of: user, db)
            }
            return codes
        }
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

    /// The row of a source; `nil`: it is one of what is made up, and this is not, or the other way round.
    private static func source(
        _ name: String, of user: Int64, _ isDemo: Bool, _ db: Database
    ) throws -> Int64? {
        try db.run(
            "INSERT INTO activity_source (user, name, demo) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [user, name.storable, isDemo])
        return try Int64.fetchOne(
            db.cachedStatement(
                sql: "SELECT id FROM activity_source WHERE user = ? AND name = ? AND demo = ?"),
            arguments: [user, name.storable, isDemo])
    }

    private static func take(
        _ sent: SentSample, _ source: Int64, of user: Int64, _ db: Database
    ) throws -> ProblemCode? {
        let new = sent.sample
        let key = Data(SHA256.digest(of: Array(sent.id.utf8)).prefix(16))
        if let known = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM activity_sample WHERE user = ? AND key = ?"),
            arguments: [user, key])
        {
            let isSame = known["source"] == source && ActivitySample(row: known) == new
            return isSame ? nil : .idempotencyMismatch
        }
        let neighbours = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT * FROM activity_sample
                    WHERE user = ?1 AND source = ?2 AND replaced = 0
                        AND from_ms > ?3 - 86400000 AND from_ms < ?4 AND to_ms > ?3
                    """), arguments: [user, source, new.from, new.to])
        var replaced: Int64?
        for row in neighbours {
            let old = ActivitySample(row: row)
            guard old.from == new.from else { return .overlap }
            if old == new { return nil }
            replaced = row["id"]
        }
        if let replaced {
            try db.run("UPDATE activity_sample SET replaced = 1 WHERE id = ?", [replaced])
        }
        try db.run(
            """
            INSERT INTO activity_sample (user, source, key, from_ms, to_ms, steps, distance_mm, energy_cal)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [user, source, key, new.from, new.to, new.steps, new.distance, new.energy])
        return nil
    }
}

extension ActivitySample {
    init(row: Row) {
        self.init(
            from: row["from_ms"], to: row["to_ms"], steps: row["steps"],
            distance: row["distance_mm"], energy: row["energy_cal"])
    }
}
