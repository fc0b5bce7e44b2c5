import ActivityEngine
import Foundation
import GRDB
import Records
import SiteModel
import SiteStore

/// What somebody did, as it stands at a moment.
package struct ActivityDone: Equatable, Sendable {
    package let activity: ActivityInterval
    package let source: String
    /// As it was said, else as evidence tells; `nil`: it goes on.
    package let end: Timestamp?
}

/// What tells that what somebody did went on.
struct ActivityEvidence {
    private let user: Int64
    private let db: Database

    init(of user: Int64, _ db: Database) {
        self.user = user
        self.db = db
    }

    /// What falls into an interval, by beginning, with its source and its end as it stands at `now`; `nil`: it goes
    /// on. Of each at most a day after its beginning is looked at. `only`: of that source.
    func done(
        in interval: Interval, at now: Timestamp, only: String? = nil
    ) throws -> [ActivityDone] {
        var found: [ActivityDone] = []
        for (source, name) in try sources() where only.map({ $0 == name }) ?? true {
            let all = try db.rows(
                ActivityInterval.query,
                [source, interval.from, interval.to + ActivitySample.longest]
            ) { ActivityInterval(row: $0) }
            for (index, activity) in all.enumerated() where activity.from < interval.to {
                // What goes on ends where the next one of its source begins.
                let next = index + 1 < all.count ? all[index + 1].from : nil
                let latest = activity.from + ActivitySample.longest
                let end = activity.end(
                    evidence: activity.to == nil
                        ? try evidence(
                            in: Interval(from: activity.from, to: min(next ?? latest, latest)))
                        : [], next: next, at: now)
                guard (end ?? now) > interval.from || activity.from >= interval.from else {
                    continue
                }
                found.append(ActivityDone(activity: activity, source: name, end: end))
            }
        }
        return found.sorted { ($0.activity.from, $0.source) < ($1.activity.from, $1.source) }
    }

    /// Heart rates of all sources, by source.
    func rates(in interval: Interval) throws -> [HeartRate] {
        try sources().flatMap { source, _ in
            try db.rows(HeartRate.query, [source, interval.from, interval.to]) {
                HeartRate(row: $0)
            }
        }
    }

    /// When they moved, by beginning: steps, a heart rate, a change of place. Heart rates are told by tens of
    /// minutes, from the first to the last of each.
    private func evidence(in interval: Interval) throws -> [Interval] {
        let steps = try sources().flatMap { source, _ in
            try db.rows(
                """
                SELECT from_ms, to_ms FROM (\(ActivitySample.query))
                WHERE steps > 0 AND to_ms - from_ms <= \(ActivityInterval.longestEvidence.milliseconds)
                """, [source, interval.from, interval.to]
            ) { Interval(from: $0["from_ms"], to: $0["to_ms"]) }
        }
        let beats = try sources().flatMap { source, _ in
            try db.rows(
                """
                SELECT min(at_ms) AS first, max(at_ms) AS last FROM heart_rate
                WHERE source = ? AND at_ms >= ? AND at_ms < ? AND replaced = 0 GROUP BY at_ms / 600000
                """, [source, interval.from, interval.to]
            ) { Interval(from: $0["first"], to: $0["last"]) }
        }
        let moves = try ActivityRecords.moves(of: user, in: interval, db)
        return (steps + beats + moves.map { Interval(from: $0, to: $0) })
            .sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    }

    private func sources() throws -> [(id: Int64, name: String)] {
        try db.rows(
            "SELECT id, name FROM activity_source WHERE user = ? AND demo = 0 ORDER BY name, id",
            [user]
        ) { ($0["id"], ($0["name"] as String).unstored) }
    }
}

/// What somebody begins and ends by hand.
struct ActivityByHand {
    /// What its source is called.
    static let source = "(hand)"

    private let store: Store
    private let now: Timestamp

    init(_ store: Store, at now: Timestamp) {
        self.store = store
        self.now = now
    }

    /// Begins something.
    ///
    /// - Throws: A `BooksRefusal` if there is nobody of that slug, or if something goes on that they have begun.
    func begin(_ kind: ActivityKind, of user: String) throws {
        try store.transaction { db in
            let user = try SampleIntake.row(of: user, db)
            if let open = try open(of: user, db) {
                throw BooksRefusal(
                    .alreadyActive, "\(open.kind.rawValue) goes on: end it before you begin another"
                )
            }
            try put(ActivityInterval(kind: kind, from: now), "begin", of: user, db)
        }
    }

    /// Ends what goes on.
    ///
    /// - Throws: A `BooksRefusal` if there is nobody of that slug, or nothing that goes on.
    func end(of user: String) throws {
        try store.transaction { db in
            let user = try SampleIntake.row(of: user, db)
            guard var open = try open(of: user, db) else {
                throw BooksRefusal(
                    .badState, "nothing goes on: what nothing tells of for long ends by itself")
            }
            open.to = max(now, open.from + .milliseconds(1))
            try put(open, "end", of: user, db)
        }
    }

    private func open(of user: Int64, _ db: Database) throws -> ActivityInterval? {
        let day = Interval(from: now - ActivitySample.longest, to: now + .milliseconds(1))
        return try ActivityEvidence(of: user, db).done(in: day, at: now, only: Self.source)
            .last { $0.end == nil }?.activity
    }

    private func put(
        _ activity: ActivityInterval, _ word: String, of user: Int64, _ db: Database
    ) throws {
        let id = "\(word)-\(activity.from.milliseconds)"
        let sent = Sent(id: id, source: Self.source, sample: activity)
        var replaced: [ActivityInterval] = []
        if let code = try SampleIntake.take(
            [sent], of: user, at: now, replaced: &replaced, db
        ).first ?? nil {
            throw BooksRefusal(code, "it could not be stored")
        }
    }
}
