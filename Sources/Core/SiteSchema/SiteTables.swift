import SiteEngine
import SiteModel

/// Every table of the newest version, children before those that they refer to: so rows go.
package enum SiteTables {
    package static let all: [TableSpec] = machines + people + attendance + registry + books

    /// The table of a name.
    package static func named(_ name: String) -> TableSpec? { all.first { $0.name == name } }

    /// What the machines decide.
    /// The rows of the workouts that can still change, and of each user's newest: what the machines hold, or more.
    private static let recentWorkouts = """
        SELECT id FROM workout WHERE ended_ms IS NULL
        UNION SELECT id FROM workout
            WHERE ended_ms >= (SELECT clock_ms FROM site_state) - \(Workout.grace.milliseconds)
                AND id <= \(Workout.firstImported)
        UNION SELECT (SELECT id FROM workout
            WHERE workout.user = user.id AND id <= \(Workout.firstImported)
            ORDER BY started_ms DESC, id DESC LIMIT 1) FROM user
        """

    private static let machines = [
        TableSpec(
            "evidence", "11 × 1,440 = 15,840, one packed row a node and minute, 12 bytes a run",
            .machines(evidenceLife, by: "at_ms", "from its arrival"), texts: .none),
        TableSpec(
            "node_event", "11 a start of all nodes, and whatever happens to their radios",
            .machines(evidenceLife, by: "at_ms", "from its arrival")),
        TableSpec(
            "node_cursor", "0; 11 in all, rewritten once a minute",
            .present("the newest four outboxes of a node"), texts: .none,
            loaded: "SELECT * FROM node_cursor"),
        TableSpec(
            "reasons", "2,000: one a change of a decided place, 0.3 to 1 kB",
            .machines(
                Reasons.life, by: "at_ms", "at most 100,000, and each user's newest"),
            of: .user(.deleted), texts: .none,
            loaded:
                "SELECT * FROM reasons WHERE id IN (SELECT max(id) FROM reasons GROUP BY user)"),
        TableSpec(
            "device_offset", "0; 50 in all, each rewritten at most every ten minutes",
            .present("one row a node or beacon, for ever"), texts: .none,
            loaded: "SELECT * FROM device_offset"),
        TableSpec(
            "answered_request", "80, and one a `POST` with an `Idempotency-Key`",
            .machines(Saved.answerLife, by: "at_ms"),
            // Whoever asked: of a request about somebody their number comes first.
            of: .matching(
                """
                EXISTS (
                    SELECT 1 FROM json_each(json_extract(answered_request.answer, '$.request.verb')) AS verb
                    WHERE verb.key <> 'service' AND json_extract(verb.value, '$._0') = ?)
                """, .deleted), texts: .gone, isExported: false,
            loaded: "SELECT asker, key, at_ms, answer FROM answered_request ORDER BY asker, key"),
        TableSpec(
            "refused_input", "0, unless there is a bug", .present("the newest 1,000"), texts: .gone),
        TableSpec(
            "site_state", "0; 1 row, rewritten every 10 s to 60 s", .present("the present one"),
            texts: .none, loaded: "SELECT * FROM site_state"),
        TableSpec(
            "ledger", "0; 50 in all, rewritten every 10 s of those heard",
            .person("36 h of heard seconds, as intervals, and a checkpoint of what was before"),
            of: .user(.deleted), texts: .none, isExported: false, loaded: "SELECT * FROM ledger"),
        TableSpec(
            "presence", "0; 50 in all, rewritten when they change", .person("the present one"),
            of: .user(.deleted), texts: .none, loaded: "SELECT * FROM presence"),
        TableSpec(
            "stay", "560, of which 300 in rooms", .days(90, by: "to_ms"), of: .user(.deleted),
            isCounted: true, loaded: "SELECT * FROM stay WHERE to_ms IS NULL"),
        TableSpec(
            "coarse_stay", "0 where lines hold; a room and hour of an outage",
            .days(90, by: "to_ms"), of: .user(.deleted)),
        TableSpec("coarse_fill", "0; 1 row", .present("the present one")),
        TableSpec(
            "station_queue", "one each time somebody waits for a station",
            .days(90, by: "ended_ms"), of: .user(.deleted), texts: .none, isCounted: true,
            loaded: """
                SELECT * FROM station_queue WHERE ended_ms IS NULL OR outcome = 'lapsed'
                    AND ended_ms >= (SELECT clock_ms FROM site_state) - \(Saved.waitLife.milliseconds)
                """),
        TableSpec(
            "station_downtime", "0; one each time a station is out of order",
            .forever("for ever"), isCounted: true,
            loaded: "SELECT * FROM station_downtime WHERE to_ms IS NULL"),
        TableSpec(
            "station_claim", "40", .forever("for ever"),
            of: .through("workout", of: "workout", .deleted), isCounted: true,
            loaded: """
                SELECT * FROM station_claim WHERE workout IN (\(recentWorkouts)) OR id IN (
                    SELECT id FROM (SELECT id, row_number() OVER (
                        PARTITION BY station ORDER BY to_ms DESC, id DESC) AS n
                        FROM station_claim WHERE to_ms IS NOT NULL)
                    WHERE n <= \(Saved.mostUses)) ORDER BY id
                """),
        TableSpec(
            "workout_pause", "as often as people pause", .forever("for ever"),
            of: .through("workout", of: "workout", .deleted), texts: .none),
        TableSpec(
            "workout_set", "800: twenty a workout", .forever("for ever; erased with the person"),
            of: .through("workout", of: "workout", .deleted), isCounted: true,
            loaded: "SELECT * FROM workout_set WHERE workout IN (\(recentWorkouts)) ORDER BY id"),
        TableSpec(
            "activity_sample",
            "0; 4,800 where 50 people have a phone that sends each quarter of an hour",
            .days(730, by: "to_ms"), of: .user(.deleted), texts: .none),
        TableSpec(
            "activity_interval", "0; some where phones tell what people do",
            .days(730, by: "from_ms"), of: .user(.deleted), texts: .none),
        TableSpec(
            "heart_rate", "0; 1,440 a person whose watch sends each minute",
            .days(730, by: "at_ms"), of: .user(.deleted), texts: .none),
        TableSpec(
            "geo_position", "0; 1,440 a person whose phone sends each minute where it is",
            .days(7, by: "at_ms"), of: .user(.deleted), texts: .blankedIn(["activity"])),
        TableSpec(
            "activity_source", "0; one a phone or watch",
            .forever("until a reset; erased with the person"), of: .user(.deleted)),
        TableSpec(
            "activity_setting", "0; one a person", .forever("erased with the person"),
            of: .user(.deleted), texts: .blankedIn(["primary_source"])),
        TableSpec(
            "activity_goal", "0; one a goal that somebody sets",
            .forever("erased with the person"), of: .user(.deleted), texts: .none),
        TableSpec(
            "activity_sharing", "0; six a person who shares all of it",
            .forever("until they stop; erased with the person"), of: .user(.deleted), texts: .none),
        TableSpec(
            "goal_hit", "20 where people have goals",
            .forever("until a reset; erased with the person"),
            of: .user(.deleted), texts: .none),
        TableSpec(
            "workout_note", "10: some write one to a workout",
            .forever("for ever; erased with the person"),
            of: .through("workout", of: "workout", .deleted)),
        TableSpec(
            "workout", "40", .forever("for ever"), of: .user(.deleted),
            texts: .blankedIn(["title"]),
            isCounted: true,
            loaded: "SELECT * FROM workout WHERE id IN (\(recentWorkouts)) ORDER BY id"),
        TableSpec(
            "event", "1,280: two for each of these", .days(90, by: "at_ms"), of: .user(.deleted),
            texts: .none, isCounted: true),
        TableSpec(
            "delivery", "130 for each webhook", .forever("with its notification"),
            of: .through("notification", of: "notification", .deleted), isExported: false),
        TableSpec(
            "notification", "130: two a session, and exceptions",
            .machines(NotificationRow.life, by: "made_ms"), of: .user(.deleted),
            loaded: """
                SELECT notification.*, beacon.id AS beacon FROM notification
                    LEFT JOIN beacon ON kind = 'battery-low' AND beacon.slug = subject
                WHERE kind NOT IN ('arrival', 'departure', 'record', 'queue-offer',
                    'step-goal', 'move-reminder', 'share-request', 'tag-seen', 'tag-gone',
                    'device-seen', 'device-beside')
                    ORDER BY notification.id
                """),
    ]

    /// Who may sign in, and what is stored of people beside attendance.
    private static let people = [
        TableSpec(
            "account_password", "0; one an account", .forever("with its account"),
            of: .through("account", of: "account", .withParent), texts: .none, isExported: false),
        TableSpec(
            "notice_mark", "0; one an account, moved along", .forever("with its account"),
            of: .through("account", of: "account", .withParent), texts: .none, isExported: false),
        TableSpec(
            "notice_choice", "0; one an account that chose", .forever("with its account"),
            of: .through("account", of: "account", .withParent), texts: .none, isExported: false),
        TableSpec(
            "push_subscription", "0; one a browser, 10 an account at most",
            .forever("with its account, or until the browser is gone"),
            of: .through("account", of: "account", .withParent), texts: .none, isExported: false),
        TableSpec(
            "mail_reader", "0; one an account that wants mail",
            .forever("with its account, or until it wants none"),
            of: .through("account", of: "account", .withParent), texts: .none, isExported: false),
        TableSpec(
            "invitation", "0; one an account that is invited",
            .forever("until it is used; of no use after 7 days"),
            of: .through("account", of: "account", .withParent), isExported: false),
        TableSpec(
            "web_session", "one a sign-in, 20 an account",
            .forever("until it is signed out, or unused for long"),
            of: .through("account", of: "account", .withParent), isExported: false),
        TableSpec(
            "account", "0; one each time somebody is invited",
            .forever("for ever; erased with the person"), of: .user(.deleted)),
        TableSpec(
            "token", "0; one each time a program is let in",
            .forever("for ever, as a digest; a person's is erased with them"), of: .user(.deleted)),
        TableSpec(
            "broker_identity", "0; one who signs in at the broker",
            .forever(
                "for ever; a revoked one without its hash, an erased member's not at all"),
            of: .user(.deleted), texts: .none),
        TableSpec(
            "sharing", "0; two a person who shares all of it",
            .forever("until they stop; erased with the person"), of: .user(.deleted)),
        TableSpec(
            "pin", "0; one a person who has one",
            .forever("until it is removed; erased with the person"),
            of: .user(.deleted), isExported: false),
        TableSpec(
            "record_notice", "0; one a person who wants to be told",
            .forever("until they do not; erased with the person"), of: .user(.deleted)),
        TableSpec("consent", "at binding", .forever("for ever, as proof"), of: .user(.kept)),
        TableSpec(
            "feed", "0; one a calendar", .forever("for ever; revoked, not deleted"),
            of: .user(.deleted)),
        TableSpec(
            "erased_slug", "one an erasure", .forever("for ever, as a salted digest"), texts: .none),
        TableSpec(
            "erasure_debt", "one while an erasure is under way",
            .forever("until the erasure is done"), of: .user(.kept), texts: .none,
            isExported: false),
    ]

    /// Sessions, what was said of them, and who was to be there when.
    private static let attendance = [
        TableSpec(
            "correction", "0 to 10",
            .attendance(
                by: "coalesce(decided_ms, requested_ms)", if: "state <> 'pending'",
                "once decided"), of: .user(.asAttendance)),
        TableSpec(
            "statement", "as often as somebody checks in or out by hand",
            .attendance(
                by: "at_ms",
                if: """
                    NOT EXISTS (SELECT 1 FROM attendance_session AS open
                        WHERE open.user = statement.user AND open.to_ms IS NULL AND open.void = 0)
                    """), of: .user(.asAttendance), isCounted: true),
        TableSpec(
            "session_review", "0 to 5", .forever("with its session"),
            of: .through("session", of: "attendance_session", .withParent)),
        TableSpec(
            "shift_assignment", "0; one each time somebody gets a shift",
            .forever("for ever; erased with the person"), of: .user(.asAttendance), texts: .none),
        TableSpec(
            "leave_day", "3 (computed: 25 days a year for 50 people)",
            .forever("for ever; erased with the person"), of: .user(.asAttendance), texts: .none),
        TableSpec(
            "attendance_session", "40",
            .attendance(
                by: "to_ms",
                if: """
                    kept = 0 AND NOT EXISTS (
                        SELECT 1 FROM correction WHERE session = attendance_session.id)
                    """), of: .user(.asAttendance), texts: .none, isCounted: true,
            loaded: "SELECT * FROM attendance_session WHERE kept = 1"),
        TableSpec("period_lock", "1 a month", .forever("for ever")),
        TableSpec(
            "overrides", "0; 1 row, rewritten with each decision",
            .present("what the core has taken in")),
        TableSpec(
            "node_excuse", "0; one each time a node is lost or broken", .forever("for ever")),
        TableSpec(
            "site_zone", "0; one each time the site changes its zone", .forever("for ever"),
            texts: .none),
        TableSpec("shift", "0; as many as there are", .forever("for ever; retired, not deleted")),
    ]

    /// What there is.
    private static let registry = [
        TableSpec(
            "content_source", "0; 1 row at most", .present("replaced by another"),
            texts: .gone),
        TableSpec(
            "card", "0; as many as there are", .forever("for ever; retired, not deleted"),
            texts: .blankedIn(["title", "subtitle", "text", "link"])),
        TableSpec(
            "beacon_place", "0; one each time a beacon is fixed elsewhere", .forever("for ever"),
            texts: .none),
        TableSpec(
            "beacon_identity", "0; one each time what a beacon is recognised by changes",
            .forever("for ever; of an erased person deleted"), texts: .none),
        TableSpec(
            "beacon_binding", "0; one each time a beacon changes hands", .forever("for ever"),
            of: .user(.kept)),
        TableSpec(
            "survey", "0; one each time somebody stands or walks to calibrate, about 2 kB a minute",
            .present("the newest 1,800 s of a place, until they are forgotten")),
        TableSpec(
            "model", "0; one each time a model is applied",
            .present("the one in force and the newest 32 others"), texts: .none),
        TableSpec(
            "detection_node", "0 while nobody asks for detections; one a visit and node",
            .forever("with its detection"), texts: .none),
        TableSpec(
            "detection", "0 while nobody asks for detections; one a visit of a stranger's device",
            .days(30, by: "last_ms"), of: .user(.deleted),
            texts: .blankedIn(["source_id", "said", "name", "ssid", "activity"])),
        TableSpec(
            "device_companion", "0; one a day, person and device that comes and goes with them",
            .days(30, by: "at_ms"), of: .user(.deleted), texts: .none),
        TableSpec(
            "detection_key", "0; one in all", .present("drawn when the database is made"),
            texts: .none),
        TableSpec(
            "device_rule", "0; as many as there are", .forever("for ever; retired, not deleted"),
            texts: .blankedIn(["name", "name_prefix", "name_contains"])),
        TableSpec(
            "device_type", "0; as many as there are", .forever("for ever; retired, not deleted"),
            texts: .blankedIn(["name", "description"])),
        TableSpec(
            "beacon", "0; about 50 in all", .forever("for ever; retired, not deleted"),
            texts: .none),
        TableSpec(
            "node", "0; 11 in all", .forever("for ever; retired, not deleted"), texts: .none),
        TableSpec(
            "beacon_group", "0; as many as there are", .forever("for ever; retired, not deleted"),
            texts: .blankedIn(["name"])),
        TableSpec(
            "picture", "0; one a picture, of 2 MB and 200 at most", .present("replaced by another"),
            texts: .none),
        TableSpec(
            "station_exercise", "0; as many as stations name", .forever("until the next change")),
        TableSpec(
            "exercise", "0; as many as there are", .forever("for ever; retired, not deleted"),
            texts: .blankedIn(["name", "names", "note"])),
        TableSpec(
            "station", "0; as many as there are", .forever("for ever; retired, not deleted"),
            texts: .blankedIn(["equipment", "location"])),
        TableSpec(
            "room", "0; as many as there are", .forever("for ever; retired, not deleted"),
            texts: .none),
        TableSpec(
            "plan_picture", "0; one a storey, of 4 MB at most", .present("replaced by another"),
            texts: .none),
        TableSpec(
            "mail_server", "0; 1 row at most", .present("replaced by another"), texts: .none),
        TableSpec("push_key", "0; 1 row in all", .forever("for ever"), texts: .none),
        TableSpec("site", "0; 1 row in all", .present("replaced by an import"), texts: .none),
        TableSpec(
            "revision",
            "one an import, a model, or an erasure that takes a beacon off the nodes' list",
            .forever("for ever")),
    ]

    /// What proves what was done, and what people are told by.
    private static let books = [
        TableSpec(
            "audit_value", "30 to 300",
            .attendance(
                by: "(SELECT at_ms FROM audit_log WHERE id = audit_value.audit)", if: nil,
                "at once when a person is erased"),
            of: .through("audit", of: "audit_log", .deleted), texts: .gone, isExported: false),
        TableSpec(
            "audit_log", "10 to 100", .forever("for ever: digests only"), of: .user(.kept),
            texts: .none, isExported: false),
        TableSpec("retention_run", "15: one a table and night", .forever("for ever"), texts: .none),
        TableSpec(
            "disposal", "0; one row inside a deleting transaction only", .present("not at all"),
            of: .user(.kept), isExported: false),
        TableSpec(
            "webhook", "0; a handful in all", .forever("for ever; a removed one without its secret")
        ),
        TableSpec("notice_rule", "0; 1 row", .present("the present one"), texts: .none),
        TableSpec(
            "user", "0; 50 in all",
            .forever("for ever; retired; an erased person keeps a row without a name"),
            texts: .none),
    ]

    /// How long evidence and events of nodes are kept.
    package static let evidenceLife = Timestamp.Span.seconds(14 * 86_400)
}
