import ActivityEngine
import Basics
import GRDB
import Reporting
import Scheduling
import SiteModel
import SiteStore

/// What people walked today: computed from samples, for those whose day may have changed.
package struct TodayReport: Sendable {
    /// Somebody's day.
    package struct Day: Equatable, Sendable {
        package let user: String
        package let date: LocalDate
        package let total: ActivityTotal
        /// In steps; `nil`: none.
        package let goal: Int64?
    }

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Today by the clocks of the site.
    ///
    /// - Throws: What a reader throws.
    package func date(at now: Timestamp) throws -> LocalDate {
        try ReportDesk(store, now: now).context.calendar.local(now).date
    }

    /// Everybody who is there, whom the mesh saw come to a room or station after a row of `stay`, and its last row.
    package func people(
        movedAfter row: Int64
    ) throws -> (all: [String], moved: [String], row: Int64) {
        try store.read { db in
            (
                try String.fetchAll(
                    db, sql: "SELECT slug FROM user WHERE retired_ms IS NULL ORDER BY slug"),
                try String.fetchAll(
                    db,
                    sql: """
                        SELECT DISTINCT slug FROM stay JOIN user ON user.id = stay.user
                        WHERE stay.id > ? AND retired_ms IS NULL
                        """, arguments: [row]),
                try Int64.fetchOne(db, sql: "SELECT max(id) FROM stay") ?? 0
            )
        }
    }

    /// The days of people, without what is made up; of who is not there none.
    ///
    /// - Throws: What a reader throws.
    package func days(of users: [String], at now: Timestamp) throws -> [Day] {
        let calendar = try ReportDesk(store, now: now).context.calendar
        let date = calendar.local(now).date
        let bounds = ActivityDays.bounds(of: date, calendar)
        return try store.read { db in
            try users.compactMap { user -> Day? in
                let row = try Int64.fetchOne(
                    db, sql: "SELECT id FROM user WHERE slug = ? AND retired_ms IS NULL",
                    arguments: [user])
                guard let row else { return nil }
                let figures = try ActivityRecords.figures(
                    of: row, in: bounds, withDemo: false, db)
                let total = ActivityDays(
                    calendar, figures.settings.body, figures.sources,
                    primary: figures.settings.primary, moves: figures.moves
                ).day(date)
                return Day(
                    user: user, date: date, total: total, goal: figures.goals.goal(on: date))
            }
        }
    }
}
