import Basics
import GRDB
import Records
import Scheduling
import SiteEngine
import SiteModel
import SiteStore

/// What a report needs to know of the site.
package struct ReportSite: Equatable, Sendable {
    package var slug: String
    /// What people call it.
    package var name: String
    /// Whether everything at it is simulated.
    package var isDemo: Bool
    /// When a business day begins.
    package var dayStart: LocalTime
    /// The zones it went by, oldest first.
    package var zones: [(from: Timestamp, name: String)]
    /// Every shift, removed ones too.
    package var shifts: [Shift]
    /// Everything before it can no longer change by itself, or `nil` if nothing is known yet.
    package var finalThrough: Timestamp?

    /// Two are the same if all of it is.
    package static func == (a: ReportSite, b: ReportSite) -> Bool {
        a.slug == b.slug && a.name == b.name && a.isDemo == b.isDemo && a.dayStart == b.dayStart
            && a.zones.elementsEqual(b.zones) { $0.from == $1.from && $0.name == $1.name }
            && a.shifts == b.shifts && a.finalThrough == b.finalThrough
    }
}

/// Somebody who can be in a report.
package struct ReportPerson: Equatable, Sendable {
    package var user: UserID
    /// Their pseudonym.
    package var slug: String
    /// What they are called. Hostile text.
    package var name: String
    /// Whether they left.
    package var isRetired: Bool
}

/// What is stored of somebody, around some days.
package struct ReportRecord: Equatable, Sendable {
    /// Their sessions that are not void, oldest first.
    package var sessions: [Session]
    package var assignments: [ShiftAssignment]
    package var leave: [LeaveDay]
    /// Through when it is known that they are there, or `nil` if none of the sessions is open.
    package var knownThrough: Timestamp?
}

/// Reading for reports: one person at a time, so that a year of everybody needs no more memory than
/// a year of one, and a slow reader keeps nothing open. All of one person is of one moment.
package struct ReportRows: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// The site, or `nil` before the first import.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func site() throws(StoreError) -> ReportSite? {
        try store.read { db in
            guard let site = try Row.fetchOne(db, sql: "SELECT * FROM site") else { return nil }
            let watermark = try Int64.fetchOne(db, sql: "SELECT watermark_ms FROM site_state")
            return ReportSite(
                slug: site["slug"], name: site["name"], isDemo: site["demo"],
                dayStart: LocalTime(minutes: site["day_start_min"]) ?? .midnight,
                zones: try db.rows("SELECT from_ms, zone FROM site_zone ORDER BY from_ms") {
                    ($0["from_ms"], $0["zone"])
                },
                shifts: try Roster.shifts(removed: true, db),
                finalThrough: watermark.flatMap {
                    $0 > 0 ? Timestamp(milliseconds: $0) : nil
                })
        }
    }

    /// Everybody who was ever registered, by name.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func people() throws(StoreError) -> [ReportPerson] {
        try store.read { db in
            try db.rows("SELECT id, slug, name, retired_ms FROM user ORDER BY name, slug") {
                ReportPerson(
                    user: $0["id"], slug: $0["slug"], name: $0["name"],
                    isRetired: ($0["retired_ms"] as Int64?) != nil)
            }
        }
    }

    /// What is stored of somebody: sessions that touch an interval, all shifts and leave.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func record(
        of user: UserID, touching asked: Interval
    ) throws(StoreError) -> ReportRecord {
        try store.read { db in
            var record = ReportRecord(
                // Sessions of a user do not overlap: of those that begin before, only the last can
                // reach into the interval.
                sessions: try db.rows(
                    """
                    SELECT * FROM attendance_session
                    WHERE user = ?1 AND void = 0 AND from_ms < ?3 AND from_ms >= coalesce(
                            (SELECT max(from_ms) FROM attendance_session
                            WHERE user = ?1 AND void = 0 AND from_ms <= ?2), ?2)
                        AND coalesce(to_ms, ?3) > ?2
                    ORDER BY from_ms
                    """,
                    [user.row, asked.from.milliseconds, asked.to.milliseconds],
                    as: Session.init(row:)),
                assignments: try db.rows(
                    "SELECT * FROM shift_assignment WHERE user = ? ORDER BY id", [user.row],
                    as: Roster.assignment),
                leave: try db.rows(
                    "SELECT * FROM leave_day WHERE user = ? ORDER BY date", [user.row],
                    as: Roster.leaveDay))
            record.knownThrough = try record.sessions.last.flatMap { try knownThrough(of: $0, db) }
            return record
        }
    }

    /// Through when it is known that somebody is there whose session is open; `nil` if it is not.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func knownThrough(of session: Session) throws(StoreError) -> Timestamp? {
        guard session.to == nil else { return nil }
        return try store.read { db in try knownThrough(of: session, db) }
    }

    private func knownThrough(of session: Session, _ db: Database) throws -> Timestamp? {
        guard session.to == nil else { return nil }
        let ledger = try Row.fetchOne(
            db, sql: "SELECT heard FROM ledger WHERE user = ?", arguments: [session.user.row])
        let site = try Row.fetchOne(db, sql: "SELECT coverage FROM site_state")
        return Ledger(heard: try ledger.map { try $0.times("heard", of: "ledger") } ?? [])
            .knownThrough(
                since: session.from,
                coverage: try site.map { try $0.times("coverage", of: "site_state") } ?? [])
    }

    /// The stays of somebody that touch an interval, oldest first.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func stays(
        of user: UserID, touching asked: Interval
    ) throws(StoreError) -> [Stay] {
        try store.read { db in
            try db.rows(
                """
                SELECT * FROM stay
                WHERE user = ?1 AND from_ms < ?3 AND from_ms >= coalesce(
                        (SELECT min(last) FROM (
                            SELECT max(from_ms) AS last FROM stay
                            WHERE user = ?1 AND level = 'room' AND from_ms <= ?2
                            UNION ALL SELECT max(from_ms) FROM stay
                            WHERE user = ?1 AND level = 'station' AND from_ms <= ?2)), ?2)
                    AND coalesce(to_ms, ?3) > ?2
                ORDER BY from_ms, id
                """, [user.row, asked.from.milliseconds, asked.to.milliseconds], as: Stay.init(row:)
            )
        }
    }

    /// Slugs of rooms and stations by row, retired ones too.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func places() throws(StoreError) -> [Stay.Place: String] {
        try store.read { db in
            let rooms = try db.rows("SELECT id, slug FROM room") {
                (Stay.Place.room($0["id"]), $0["slug"] as String)
            }
            let stations = try db.rows("SELECT id, slug FROM station") {
                (Stay.Place.station($0["id"]), $0["slug"] as String)
            }
            return Dictionary(rooms + stations) { first, _ in first }
        }
    }
}

/// Which sessions are asked for, and from where on.
package struct SessionQuery: Equatable, Sendable {
    /// Only this person's.
    package var user: UserID?
    /// Only those that begin at this moment or later.
    package var from: Timestamp?
    /// Only those that begin before this moment.
    package var to: Timestamp?
    /// Only those with a reason to look at them.
    package var needsReview = false
    /// Whether those that began last come first; else they come last.
    package var isNewestFirst = false
    /// Only those after this one, in the order of the answer.
    package var after: (from: Timestamp, id: Int64)?
    /// The most sessions returned.
    package var limit: Int

    package init(limit: Int) { self.limit = limit }

    /// Two are the same if they ask for the same.
    package static func == (a: SessionQuery, b: SessionQuery) -> Bool {
        a.user == b.user && a.from == b.from && a.to == b.to && a.needsReview == b.needsReview
            && a.isNewestFirst == b.isNewestFirst && a.after?.from == b.after?.from
            && a.after?.id == b.after?.id && a.limit == b.limit
    }
}

extension ReportRows {
    /// Sessions that are not void, by their start, then by row.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func sessions(_ query: SessionQuery) throws(StoreError) -> [Session] {
        var conditions = ["void = 0"]
        var arguments: [(any DatabaseValueConvertible)?] = []
        func require(_ condition: String, _ values: Int64...) {
            conditions.append(condition)
            arguments += values
        }
        if let user = query.user { require("user = ?", user.row) }
        if let from = query.from { require("from_ms >= ?", from.milliseconds) }
        if let to = query.to { require("from_ms < ?", to.milliseconds) }
        if query.needsReview { require("review <> '[]'") }
        if let after = query.after {
            let comparison = query.isNewestFirst ? "<" : ">"
            require("(from_ms, id) \(comparison) (?, ?)", after.from.milliseconds, after.id)
        }
        arguments.append(query.limit)
        let order = query.isNewestFirst ? "from_ms DESC, id DESC" : "from_ms, id"
        let sql = """
            SELECT * FROM attendance_session WHERE \(conditions.joined(separator: " AND "))
            ORDER BY \(order) LIMIT ?
            """
        let bound = StatementArguments(arguments)
        return try store.read { db in try db.rows(sql, bound, as: Session.init(row:)) }
    }
}
