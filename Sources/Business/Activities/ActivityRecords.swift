import ActivityEngine
import Basics
import GRDB
import Records
import Reporting
import SiteModel
import SiteStore

/// What is stored of people's activity: settings, goals, samples.
package struct ActivityRecords: Sendable {
    let store: Store

    package init(_ store: Store) { self.store = store }

    /// Everything that days are computed from.
    package struct Figures: Sendable {
        package var settings = ActivitySettings()
        /// Oldest first.
        package var goals: [ActivitySettings.Goal] = []
        /// Who has sent samples.
        package var names: [String] = []
        package var sources: [ActivityDays.Source] = []
        /// When the mesh saw them come to a room or station.
        package var moves: [Timestamp] = []
        /// The ways between stations that it saw.
        package var legs: [StationLeg] = []
        /// What they did, by beginning, each with its end; `nil`: it goes on.
        package var done: [ActivityDone] = []
        /// Of all sources.
        package var rates: [HeartRate] = []
        /// What they share with trainers.
        package var shared: Set<ActivityItem> = []
    }

    /// Settings and goals of somebody, and what falls into an interval of samples; `nil`: there is nobody of that slug.
    /// `withDemo`: also what is made up. `now`: also what they did then, as it stands at that moment, and their heart
    /// rates.
    ///
    /// - Throws: A reader's `StoreError`.
    package func figures(
        of user: String, in interval: Interval? = nil, withDemo: Bool = true,
        at now: Timestamp? = nil
    ) throws(StoreError) -> Figures? {
        try store.read { db in
            let row = try Int64.fetchOne(
                db, sql: "SELECT id FROM user WHERE slug = ?", arguments: [user])
            guard let row else { return nil }
            var figures = try Self.figures(of: row, in: interval, withDemo: withDemo, db)
            figures.shared = Set(try Self.shared(by: row, db))
            if let interval, let now {
                let told = ActivityEvidence(of: row, db)
                figures.done = try told.done(in: interval, at: now)
                figures.rates = try told.rates(in: interval)
            }
            return figures
        }
    }

    /// The newest that somebody began by hand in the day before a moment; `nil`: nothing, or there is nobody of that
    /// slug.
    ///
    /// - Throws: A reader's `StoreError`.
    package func newestByHand(
        of user: String, at now: Timestamp
    ) throws(StoreError) -> ActivityDone? {
        try store.read { db in
            let row = try Int64.fetchOne(
                db, sql: "SELECT id FROM user WHERE slug = ?", arguments: [user])
            let day = Interval(from: now - ActivitySample.longest, to: now + .seconds(60))
            return try row.flatMap { row in
                try ActivityEvidence(of: row, db).done(
                    in: day, at: now, only: ActivityByHand.source
                ).last
            }
        }
    }

    static func figures(
        of user: Int64, in interval: Interval?, withDemo: Bool, _ db: Database
    ) throws -> Figures {
        var figures = Figures()
        figures.settings = try settings(of: user, db)
        figures.goals = try goals(of: user, db)
        figures.names = try db.rows(
            """
            SELECT name FROM activity_source AS known WHERE user = ?
                AND EXISTS (SELECT 1 FROM activity_sample WHERE source = known.id) ORDER BY name
            """, [user]
        ) { ($0["name"] as String).unstored }
        if let interval {
            figures.sources = try sources(of: user, in: interval, withDemo: withDemo, db)
            figures.moves = try moves(of: user, in: interval, db)
            figures.legs = try legs(of: user, in: interval, db)
        }
        return figures
    }

    /// When the mesh saw somebody come to a room or station.
    static func moves(
        of user: Int64, in interval: Interval, _ db: Database
    ) throws -> [Timestamp] {
        try db.rows(
            """
            SELECT from_ms FROM stay WHERE user = ? AND from_ms >= ? AND from_ms < ?
                ORDER BY from_ms
            """, [user, interval.from, interval.to]
        ) { $0["from_ms"] }
    }

    /// The ways between stations that somebody came to in an interval.
    private static func legs(
        of user: Int64, in interval: Interval, _ db: Database
    ) throws -> [StationLeg] {
        let stays = try db.rows(
            """
            SELECT from_ms, to_ms, x_m, y_m FROM stay JOIN station ON station.id = stay.station
            WHERE stay.user = ? AND from_ms >= ? AND from_ms < ? ORDER BY from_ms
            """, [user, interval.from - ActivitySample.longest, interval.to]
        ) { row in
            let x = row["x_m"] as Double?
            let y = row["y_m"] as Double?
            return StationStay(
                from: row["from_ms"], to: row["to_ms"],
                position: x.flatMap { x in y.map { Position(x: x, y: $0) } })
        }
        return StationLeg.all(between: stays).filter { $0.at >= interval.from }
    }

    static func settings(of user: Int64, _ db: Database) throws -> ActivitySettings {
        let row = try Row.fetchOne(
            db, sql: "SELECT * FROM activity_setting WHERE user = ?", arguments: [user])
        return row.map { ActivitySettings(row: $0) } ?? ActivitySettings()
    }

    static func goals(of user: Int64, _ db: Database) throws -> [ActivitySettings.Goal] {
        try db.rows(
            "SELECT from_date, steps FROM activity_goal WHERE user = ? ORDER BY from_date", [user]
        ) { row in
            guard let from = LocalDate(row["from_date"] as String) else {
                throw DamagedRow("activity_goal.from_date", user)
            }
            return ActivitySettings.Goal(from: from, steps: row["steps"])
        }
    }

    static func sources(
        of user: Int64, in interval: Interval, withDemo: Bool, _ db: Database
    ) throws -> [ActivityDays.Source] {
        let named = try db.rows(
            "SELECT id, name, demo FROM activity_source WHERE user = ? AND (? OR demo = 0) ORDER BY name",
            [user, withDemo]
        ) { ($0["id"] as Int64, ($0["name"] as String).unstored, $0["demo"] as Bool) }
        return try named.map { id, name, isDemo in
            ActivityDays.Source(
                name: name, isDemo: isDemo,
                samples: try db.rows(ActivitySample.query, [id, interval.from, interval.to]) {
                    ActivitySample(row: $0)
                })
        }
    }
}

/// A change of somebody's activity that a person asks for.
package enum ActivityCall: Sendable, Codable {
    /// Samples of a person.
    case samples(user: String, [SentSample])
    /// What a person did, as their phone says.
    case intervals(user: String, [Sent<ActivityInterval>])
    /// Heart rates of a person.
    case rates(user: String, [Sent<HeartRate>])
    /// Where a person was.
    case positions(user: String, [Sent<GeoPosition>])
    /// A person begins something, or ends it, by hand.
    case begin(user: String, ActivityKind)
    case end(user: String)
    /// All settings of a person, and their goal from a day on.
    case settings(user: String, ActivitySettings, goal: ActivitySettings.Goal)
    /// What a person shares with trainers, and nothing else.
    case share(user: String, Set<ActivityItem>)
    /// Every sample of a person goes, with the days on which a goal was reached.
    case reset(user: String)
    /// Steps of so many days are made up, in the place of those that were.
    case demo(user: String, days: Int, seed: UInt64)
    /// All that is made up goes.
    case removeDemo

    package static let mostDemoDays = DemoSteps.mostDays

    /// Whose days it changes; `nil`: everybody's.
    package var user: String? {
        switch self {
        case .samples(let user, _), .intervals(let user, _), .rates(let user, _),
            .positions(let user, _), .begin(let user, _), .end(let user), .settings(let user, _, _),
            .reset(let user),
            .share(let user, _), .demo(let user, _, _):
            user
        case .removeDemo: nil
        }
    }
}

extension ActivityRecords {
    /// Does what is asked for. Returns for each sample why it is refused.
    ///
    /// - Throws: A `BooksRefusal` if there is nobody of that slug, else what the store throws: nothing was written.
    package func perform(_ call: ActivityCall, by asker: Asker) throws -> [ProblemCode?] {
        switch call {
        case .samples(let user, let samples):
            return try SampleIntake(store).take(samples, of: user, at: asker.at)
        case .intervals(let user, let intervals):
            return try SampleIntake(store).take(intervals, of: user, at: asker.at)
        case .rates(let user, let rates):
            return try SampleIntake(store).take(rates, of: user, at: asker.at)
        case .positions(let user, let positions):
            return try SampleIntake(store).take(positions, of: user, at: asker.at)
        case .begin(let user, let kind):
            try ActivityByHand(store, at: asker.at).begin(kind, of: user)
        case .end(let user): try ActivityByHand(store, at: asker.at).end(of: user)
        case .settings(let user, let settings, let goal):
            try store.transaction { db in
                let row = try SampleIntake.row(of: user, db)
                try db.run(
                    """
                    INSERT OR REPLACE INTO activity_setting (user, units, primary_source, height_mm, weight_g,
                        stride_mm, remind_min, remind_days)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                    [
                        row, settings.units.rawValue, settings.primary?.storable,
                        settings.body.height, settings.body.weight, settings.body.stride,
                        settings.reminder?.at.minutes, settings.reminder?.bits,
                    ])
                let goals = try Self.goals(of: row, db)
                // A goal that goes on needs no row of its own.
                if goals.goal(on: goal.from) != goal.steps
                    || goals.contains(where: { $0.from == goal.from })
                {
                    try db.run(
                        """
                        INSERT INTO activity_goal (user, from_date, steps) VALUES (?, ?, ?)
                        ON CONFLICT (user, from_date) DO UPDATE SET steps = excluded.steps
                        """, [row, "\(goal.from)", goal.steps])
                }
                // Of what is private to a person the audit has no figures.
                try Roster.note(
                    "change", "activity_setting", "\(row)", user: UserID(row), [:], by: asker, db)
            }
        case .share(let user, let items): try share(items, of: user, by: asker)
        case .demo(let user, let days, let seed):
            let calendar = try ReportDesk(store, now: asker.at).context.calendar
            let samples = try store.transaction { db in
                let row = try SampleIntake.row(of: user, db)
                try DemoSteps.remove(of: row, db)
                return DemoSteps.samples(days, until: asker.at, calendar, seed: seed, user: row)
            }
            return try SampleIntake(store).take(samples, of: user, at: asker.at, isDemo: true)
        case .removeDemo:
            try store.transaction { db in try DemoSteps.remove(of: nil, db) }
        case .reset(let user):
            try store.transaction { db in
                let row = try SampleIntake.row(of: user, db)
                for table in [
                    "activity_sample", "activity_interval", "heart_rate", "geo_position",
                    "activity_source", "goal_hit",
                ] {
                    try db.run("DELETE FROM \(table) WHERE user = ?", [row])
                }
                // Where their detector found something is where they were.
                try db.run(
                    """
                    UPDATE detection SET latitude = NULL, longitude = NULL, speed_m_s = NULL,
                        heading_deg = NULL, activity = NULL, position_age_ms = NULL, user = NULL
                    WHERE user = ?
                    """, [row])
                try Roster.note(
                    "delete", "activity_sample", "\(row)", user: UserID(row), [:], by: asker, db)
            }
        }
        return []
    }
}

extension ActivitySettings {
    init(row: Row) {
        self.init()
        units = Units(rawValue: row["units"]) ?? .kilometres
        primary = (row["primary_source"] as String?)?.unstored
        body = BodyFigures(
            height: row["height_mm"], weight: row["weight_g"], stride: row["stride_mm"])
        if let minutes = row["remind_min"] as Int?, let at = LocalTime(minutes: minutes),
            let bits = row["remind_days"] as Int?
        {
            reminder = Reminder(at: at, weekdays: (1...7).filter { bits & 1 << ($0 - 1) != 0 })
        }
    }
}

extension ActivitySettings.Reminder {
    /// A bit for each day of the week.
    fileprivate var bits: Int { weekdays.reduce(0) { $0 | 1 << ($1 - 1) } }
}
