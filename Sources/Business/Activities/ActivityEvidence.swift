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
    /// on. Of each at most a day after its beginning is looked at.
    func done(
        in interval: Interval, at now: Timestamp
    ) throws -> [ActivityDone] {
        var found: [ActivityDone] = []
        let reach = Interval(
            from: interval.from, to: interval.to + ActivitySample.longest)
        for (source, name) in try sources() {
            let all = try db.rows(
                ActivityInterval.query, [source, interval.from, interval.to]
            ) { ActivityInterval(row: $0) }
            guard !all.isEmpty else { continue }
            let beginnings = try db.rows(
                ActivityInterval.query, [source, reach.from, reach.to]
            ) { $0["from_ms"] as Timestamp }
            for activity in all {
                let next = beginnings.first { $0 > activity.from }
                let end = activity.end(
                    evidence: activity.to == nil ? try evidence(since: activity.from) : [],
                    next: next, at: now)
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

    /// When they moved in the day after a moment, by beginning: steps, a heart rate, a change of place.
    private func evidence(since from: Timestamp) throws -> [Interval] {
        let day = Interval(from: from, to: from + ActivitySample.longest)
        let steps = try ActivityRecords.sources(of: user, in: day, withDemo: false, db)
            .flatMap(\.samples).filter { $0.steps > 0 }
        let moments = try rates(in: day).map(\.at) + ActivityRecords.moves(of: user, in: day, db)
        return
            (steps.map { Interval(from: $0.from, to: $0.to) }
            + moments.map { Interval(from: $0, to: $0) })
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
        return try ActivityEvidence(of: user, db).done(in: day, at: now)
            .last { $0.source == Self.source && $0.end == nil }?.activity
    }

    private func put(
        _ activity: ActivityInterval, _ word: String, of user: Int64, _ db: Database
    ) throws {
        let id = "\(word)-\(activity.from.milliseconds)"
        let sent = Sent(id: id, source: Self.source, sample: activity)
        if let code = try SampleIntake.take([sent], of: user, at: now, db).first ?? nil {
            throw BooksRefusal(code, "it could not be stored")
        }
    }
}
