import GRDB
import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import SiteSchema
@testable import SiteStore

/// Every table is declared, and its declaration is true of the schema.
@Suite(.timeLimit(.minutes(1)))
struct TableTests {
    private func schema<Value>(_ read: (Database) throws -> Value) throws -> Value {
        let scratch = try Scratch()
        let store = try Store(path: scratch.path)
        defer { store.close() }
        return try store.read { try read($0) }
    }

    private func columns(of table: String, _ db: Database) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
    }

    @Test func `the declared tables are those of the newest version`() throws {
        let names = try schema {
            try String.fetchAll(
                $0,
                sql: """
                    SELECT name FROM sqlite_schema
                    WHERE type = 'table' AND name NOT LIKE 'sqlite%'
                        AND name IN (SELECT name FROM pragma_table_list WHERE type = 'table')
                    ORDER BY name
                    """)
        }
        #expect(names.count > 40)
        #expect(SiteTables.all.map(\.name).sorted() == names)
    }

    @Test func `a table with a column for a person says whose it is`() throws {
        try schema { db in
            for table in SiteTables.all {
                let columns = try columns(of: table.name, db)
                switch table.person {
                case .user: #expect(columns.contains("user"), "\(table.name)")
                case .through(let column, let parent, _):
                    #expect(columns.contains(column), "\(table.name)")
                    #expect(SiteTables.named(parent)?.isOfPerson != nil, "\(table.name)")
                case .matching(let condition, _):
                    #expect(!columns.contains("user") && condition.contains("?"), "\(table.name)")
                case .nobody: #expect(!columns.contains("user"), "\(table.name)")
                }
            }
        }
    }

    /// Else an erasure or a retention would fail, or leave what a cascade takes uncounted.
    @Test func `rows go before those that they refer to`() throws {
        try schema { db in
            let place = Dictionary(
                uniqueKeysWithValues: SiteTables.all.enumerated().map { ($1.name, $0) })
            for table in SiteTables.all {
                let parents = try String.fetchAll(
                    db, sql: "SELECT \"table\" FROM pragma_foreign_key_list(?)",
                    arguments: [table.name])
                for parent in parents where parent != table.name {
                    let (child, other) = (place[table.name] ?? 0, place[parent] ?? 0)
                    #expect(child < other, "\(table.name) before \(parent)")
                }
            }
        }
    }

    @Test func `its queries are those of its columns`() throws {
        try schema { db in
            for table in SiteTables.all {
                var queries = [table.loaded].compactMap(\.self)
                switch table.kept {
                case .machines(_, let column, _), .days(_, let column):
                    queries.append("SELECT \(column) FROM \(table.name)")
                case .attendance(let column, let condition, _):
                    queries.append(
                        "SELECT \(column) FROM \(table.name) WHERE \(condition ?? "1")")
                case .person: queries.append("SELECT user FROM \(table.name)")
                case .forever, .present: break
                }
                if table.isCounted { queries.append("SELECT id FROM \(table.name)") }
                for query in queries {
                    #expect(throws: Never.self, "\(query)") { try db.makeStatement(sql: query) }
                }
            }
        }
    }

    /// Who adds a table with texts that people write says that they are blanked, or adds it here.
    @Test func `texts that an erasure spares are our own words, or renamed by row`() throws {
        let spared = try schema { db in
            try SiteTables.all.flatMap { table -> [String] in
                let texts = try String.fetchAll(
                    db,
                    sql: "SELECT name FROM pragma_table_info(?) WHERE type = 'TEXT' ORDER BY name",
                    arguments: [table.name]
                ).filter { !TableSpec.words.contains($0) }
                return switch table.texts {
                case .none: texts.map { "\(table.name).\($0)" }
                case .blanked, .gone: []
                case .blankedIn(let some):
                    texts.filter { !some.contains($0) }.map { "\(table.name).\($0)" }
                }
            }
        }
        #expect(Set(spared) == Self.spared)
    }

    private static let spared: Set = [
        "account_password.hash", "attendance_session.breaks", "attendance_session.in_cause",
        "attendance_session.out_cause", "attendance_session.review", "audit_log.action",
        "audit_log.actor_digest", "audit_log.after_digest", "audit_log.before_digest",
        "audit_log.digest", "audit_log.entity", "audit_log.entity_id", "audit_log.previous",
        "audit_log.via", "beacon.identity", "beacon.slug", "beacon.title",
        "beacon_group.notify", "beacon_group.rule", "beacon_group.slug", "beacon_identity.identity",
        "card.language",
        "card.picture", "card.slug", "picture.name", "picture.version", "site.content",
        "broker_identity.name", "broker_identity.password_hash",
        "broker_identity.scopes", "detection.address", "device_companion.date",
        "device_companion.device", "device_offset.place",
        "device_offset.position",
        "device_rule.company", "device_rule.company_data", "device_rule.service",
        "device_rule.slug",
        "device_rule.vendor", "device_type.colour", "device_type.icon", "device_type.notify",
        "device_type.slug",
        "activity_goal.from_date", "activity_setting.units", "activity_sharing.item",
        "goal_hit.date", "erased_slug.digest",
        "erasure_debt.done",
        "erasure_debt.texts", "evidence.boot",
        "evidence.log", "exercise.load", "exercise.measure", "exercise.muscles", "exercise.slug",
        "leave_day.date", "room.corners_m", "ledger.checkpoint", "ledger.disputes", "ledger.doubts",
        "ledger.elsewhere", "ledger.statements", "model.model", "node.name", "node.slug",
        "node.profile", "node.sparse_hours",
        "node_cursor.log", "notice_rule.urgent",
        "mail_reader.address", "mail_reader.code", "mail_reader.fault", "mail_reader.language",
        "mail_server.page",
        "mail_server.password", "mail_server.sender", "mail_server.url", "mail_server.username",
        "notice_choice.mail", "notice_choice.page", "notice_choice.push",
        "push_subscription.endpoint",
        "push_subscription.language", "presence.room", "presence.station",
        "presence.watch",
        "reasons.detail", "reasons.rule", "retention_run.head", "room.name", "room.slug",
        "shift_assignment.from_date", "shift_assignment.to_date", "site.name", "site.policy",
        "site.slug", "site.time_zone", "site.wall_names", "site_state.clocks",
        "site_state.stations",
        "site_state.watermarks",
        "site_zone.zone", "station.name", "station.slug", "station_queue.outcome", "user.name",
        "user.slug", "workout.cause", "workout.paused_cause", "workout_pause.cause",
    ]

    @Test func `no table is called what SQL takes for a word of its own`() throws {
        try schema { db in
            for table in SiteTables.all {
                #expect(throws: Never.self, "\(table.name)") {
                    try Row.fetchOne(db, sql: "SELECT * FROM \(table.name) LIMIT 1")
                }
            }
        }
    }

    @Test func `what is loaded has a reader, and nothing else`() throws {
        let scratch = try Scratch()
        let store = try Store(path: scratch.path)
        defer { store.close() }
        let read = try store.read { StoredState(store: store).readers($0).map(\.table) }
        #expect(read.sorted() == SiteTables.all.filter { $0.loaded != nil }.map(\.name).sorted())
    }

    /// What is read of a row and written again is the same: no column is forgotten, or stands in another's
    /// place.
    @Test func `a record writes the columns that it reads`() throws {
        let scratch = try Scratch()
        try FrozenSchema(version: Schema.version).make(at: scratch.path)
        let store = try Store(path: scratch.path)
        defer { store.close() }
        try store.read { db in
            try same(EvidenceRow.self, db)
            try same(CursorRow.self, db)
            // Of older releases: what is written back says more.
            try same(Reasons.self, db, others: ["id", "detail"])
            try same(OffsetRow.self, db, others: ["id"])
            try same(
                Answer.self, db, where: "answer IS NOT NULL",
                others: ["answer", "digest", "status", "body"])
            try same(SiteRow.self, db)
            try same(LedgerRow.self, db)
            try same(PresenceRow.self, db)
            try same(Session.self, db, where: "kept <> void")
            try same(SiteModel.Statement.self, db)
            try same(Stay.self, db)
            try same(Claim.self, db)
            // The title of an imported one is none of the machines' business.
            try same(Workout.self, db, where: "paused_ms = 0", others: ["cause", "title"])
        }
    }

    private func same<Record: StoredRow & FetchableRecord>(
        _ record: Record.Type, _ db: Database, where condition: String = "true",
        others: Set<String> = []
    ) throws {
        let table = Record.table
        #expect(SiteTables.named(table) != nil)
        let rows = try Row.fetchAll(db, sql: "SELECT * FROM \(table) WHERE \(condition)")
        #expect(!rows.isEmpty, "\(table)")
        for row in rows {
            let columns = try Record(row: row).columns
            let written = Dictionary(columns.map { ($0.key, $0.value?.databaseValue ?? .null) }) {
                first, _ in first
            }
            for column in row.columnNames where !others.contains(column) {
                #expect(
                    written[column] == row[column] as DatabaseValue, "\(table).\(column)")
            }
            #expect(Set(written.keys).isSubset(of: row.columnNames), "\(table)")
        }
    }
}
