import ActivityEngine
import Basics
import GRDB
import Notifications
import Reporting
import Scheduling
import SiteModel
import SiteStore

/// Days on which somebody reached their goal: each once, however the samples come, and told once.
struct GoalHits {
    /// What is reached later than so many days after its day is noted, and no news.
    private static let newsDays: Int64 = 3

    private let calendar: SiteCalendar
    private let now: Timestamp

    init(_ calendar: SiteCalendar, at now: Timestamp) {
        self.calendar = calendar
        self.now = now
    }

    /// Looks at the days of samples that have just been stored. What takes steps away takes nothing back.
    func note(_ samples: [ActivitySample], of user: Int64, _ db: Database) throws {
        let goals = try ActivityRecords.goals(of: user, db)
        guard goals.contains(where: { $0.steps != nil }) else { return }
        let primary = try ActivityRecords.settings(of: user, db).primary
        for date in Set(samples.flatMap { $0.dates(by: calendar) }).sorted() {
            guard let goal = goals.goal(on: date) else { continue }
            let sources = try ActivityRecords.sources(
                of: user, in: ActivityDays.bounds(of: date, calendar), withDemo: false, db)
            let day = ActivityDays(calendar, BodyFigures(), sources, primary: primary).day(date)
            guard day.steps >= goal else { continue }
            try db.run(
                "INSERT INTO goal_hit (user, date, at_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [user, "\(date)", now])
            guard db.changesCount == 1, calendar.local(now).date - date <= Self.newsDays else {
                continue
            }
            try ActivityNotice.tell(.goal, on: date, UserID(user), at: now, made: now, calendar, db)
        }
    }
}

/// What somebody is told of their own activity.
private enum ActivityNotice {
    /// Of one kind, person and day there is one notification at most.
    static func cause(
        _ kind: NotificationRow.Kind, of user: UserID, on date: LocalDate
    ) -> String { "\(kind.rawValue)-\(user.row)-\(date)" }

    /// Stores a notification of a day, unless there is one.
    static func tell(
        _ kind: NotificationRow.Kind, on date: LocalDate, _ user: UserID, at moment: Timestamp,
        made now: Timestamp, _ calendar: SiteCalendar, _ db: Database
    ) throws {
        let rules = try NotificationQueue.noticeRules(db)
        try NotificationTable.put(
            NotificationRow(
                kind: kind, cause: cause(kind, of: user, on: date), user: user, subject: "\(date)",
                at: moment, made: now,
                due: rules.due(kind, about: user, at: now, by: calendar)), into: db)
    }
}

/// Reminders to move, each once a day.
package struct MoveReminders: Sendable {
    /// One that somebody wants, on a day.
    private struct Wish {
        var user: UserID
        var date: LocalDate
        var moment: Timestamp

        var cause: String {
            ActivityNotice.cause(.reminder, of: user, on: date)
        }
    }

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Whether one is due that is not stored yet; and when the next one is, as far as two days ahead.
    ///
    /// - Throws: What a reader throws, or `ReportDesk`.
    package func look(at now: Timestamp) throws -> (isDue: Bool, next: Timestamp?) {
        let (wishes, _) = try wishes(around: now)
        let due = wishes.filter { Self.isDue($0.moment, at: now) }
        let isNew =
            try due.isEmpty
            ? false
            : store.read { db in
                try due.contains { wish in
                    try Bool.fetchOne(
                        db, sql: "SELECT 1 FROM notification WHERE cause = ?",
                        arguments: [wish.cause])
                        == nil
                }
            }
        return (isNew, wishes.map(\.moment).filter { $0 > now }.min())
    }

    /// Stores what is due and not stored yet.
    ///
    /// - Throws: What the store throws, or `ReportDesk`: nothing was written.
    package func tell(at now: Timestamp) throws {
        let (wishes, calendar) = try wishes(around: now)
        guard let calendar else { return }
        try store.transaction { db in
            for wish in wishes where Self.isDue(wish.moment, at: now) {
                try ActivityNotice.tell(
                    .reminder, on: wish.date, wish.user, at: wish.moment, made: now, calendar, db)
            }
        }
    }

    /// What is older is no reminder any more.
    private static func isDue(_ moment: Timestamp, at now: Timestamp) -> Bool {
        moment <= now && now - moment <= NotificationRow.freshness
    }

    /// The reminders of the day before, of today and of the two days after it. A minute that the clocks skip is the first
    /// after it, one that comes twice the first of both. Without a wish the clocks are not looked at.
    private func wishes(around now: Timestamp) throws -> ([Wish], SiteCalendar?) {
        let wanted = try store.read { db in
            try db.rows(
                """
                SELECT activity_setting.* FROM activity_setting
                    JOIN user ON user.id = activity_setting.user
                WHERE retired_ms IS NULL AND remind_min IS NOT NULL ORDER BY activity_setting.user
                """
            ) { ($0["user"] as UserID, ActivitySettings(row: $0).reminder) }
        }.compactMap { user, reminder in reminder.map { (user, $0) } }
        guard !wanted.isEmpty else { return ([], nil) }
        let calendar = try ReportDesk(store, now: now).context.calendar
        let days = (-1...2).map { calendar.local(now).date + $0 }
        let wishes = wanted.flatMap { user, reminder in
            days.filter { reminder.weekdays.contains($0.weekday) }.map { date in
                Wish(user: user, date: date, moment: calendar.first(date, reminder.at))
            }
        }
        return (wishes, calendar)
    }
}
