/// The tables of what people are told, and of who else is.
enum NoticesMigration {
    /// `notice_cursor` holds the last event that was looked at; events of before this migration are
    /// no news. Of one `cause` at most one notification is made. What is `late` is told to nobody as
    /// news. A `delivery` is what one webhook is to get of one notification: `due_ms` is when it may
    /// go out first, `next_ms` when it is tried next. Numbers are never used again, since receivers
    /// go by them.
    static let sql = """
        CREATE TABLE notice_cursor (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            event INTEGER NOT NULL CHECK (event >= 0)
        ) STRICT;
        INSERT INTO notice_cursor (id, event) SELECT 1, coalesce(max(id), 0) FROM event;

        CREATE TABLE notice_rule (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            quiet_from_min INTEGER CHECK (quiet_from_min BETWEEN 0 AND 1439),
            quiet_to_min INTEGER CHECK (quiet_to_min BETWEEN 0 AND 1439),
            urgent TEXT NOT NULL CHECK (json_valid(urgent)),
            forgotten_s INTEGER NOT NULL CHECK (forgotten_s > 0),
            CONSTRAINT quiet_hours_have_both_ends CHECK
                ((quiet_from_min IS NULL) = (quiet_to_min IS NULL)),
            CONSTRAINT quiet_hours_end CHECK (quiet_from_min <> quiet_to_min)
        ) STRICT;
        INSERT INTO notice_rule (id, urgent, forgotten_s) VALUES (1, '[]', 50400);

        CREATE TABLE notification (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            epoch INTEGER NOT NULL CHECK (epoch >= 1),
            kind TEXT NOT NULL CHECK (kind IN
                ('arrival', 'departure', 'no-check-in', 'forgotten-tag', 'battery-low')),
            cause TEXT NOT NULL UNIQUE,
            user INTEGER REFERENCES user (id),
            subject TEXT NOT NULL,
            title TEXT NOT NULL,
            body TEXT NOT NULL,
            at_ms INTEGER NOT NULL,
            made_ms INTEGER NOT NULL,
            due_ms INTEGER NOT NULL,
            late INTEGER NOT NULL CHECK (late IN (0, 1)),
            told_ms INTEGER,
            CONSTRAINT notification_waits_forwards CHECK (due_ms >= made_ms)
        ) STRICT;
        CREATE INDEX notification_by_age ON notification (made_ms);
        CREATE INDEX notification_of_subject ON notification (kind, subject, made_ms);
        CREATE INDEX notification_of_user ON notification (user, made_ms);
        CREATE INDEX untold_notification ON notification (due_ms, id)
            WHERE told_ms IS NULL AND late = 0 AND user IS NOT NULL;

        CREATE TABLE webhook (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            url TEXT NOT NULL CHECK (length(url) BETWEEN 1 AND 2048),
            secret TEXT NOT NULL,
            kinds TEXT NOT NULL CHECK (json_valid(kinds)),
            keeps_quiet INTEGER NOT NULL CHECK (keeps_quiet IN (0, 1)),
            created_ms INTEGER NOT NULL,
            revoked_ms INTEGER,
            CONSTRAINT revoked_webhook_has_no_secret CHECK
                ((revoked_ms IS NULL) = (length(secret) = 64))
        ) STRICT;
        CREATE UNIQUE INDEX one_webhook_a_url ON webhook (url) WHERE revoked_ms IS NULL;

        CREATE TABLE delivery (
            webhook INTEGER NOT NULL REFERENCES webhook (id),
            notification INTEGER NOT NULL REFERENCES notification (id) ON DELETE CASCADE,
            due_ms INTEGER NOT NULL,
            next_ms INTEGER NOT NULL,
            attempts INTEGER NOT NULL CHECK (attempts >= 0),
            state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed', 'revoked')),
            last_status INTEGER CHECK (last_status BETWEEN 100 AND 999),
            last_fault TEXT,
            done_ms INTEGER,
            PRIMARY KEY (webhook, notification),
            CONSTRAINT done_delivery_has_a_time CHECK ((state = 'waiting') = (done_ms IS NULL))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX waiting_delivery ON delivery (webhook, due_ms, notification)
            WHERE state = 'waiting';
        CREATE INDEX delivery_of_notification ON delivery (notification);

        """
}

/// Notifications are facts: the machines decide them, and nobody looks at events for them any more.
enum NotificationsMigration {
    /// Rows from here on have no `title` and `body`: those are worded when they are told, from `since_ms`,
    /// too, which is when what they are about began. What the release before stored and had not looked
    /// at yet becomes notifications here.
    static let sql = """
        ALTER TABLE notification ADD COLUMN since_ms INTEGER;

        INSERT INTO notification (epoch, kind, cause, user, subject, title, body, at_ms, made_ms,
            due_ms, late)
        SELECT coalesce((SELECT epoch FROM site_state), 1),
            iif(kind = 'attendance.checked-in', 'arrival', 'departure'), 'event-' || event.id, user,
            subject, '', '', at_ms, max(at_ms, clock_ms), max(at_ms, clock_ms),
            max(at_ms, clock_ms) - at_ms > 900000
        FROM event CROSS JOIN site_state
        WHERE event.id > (SELECT event FROM notice_cursor)
            AND kind IN ('attendance.checked-in', 'attendance.checked-out')
            AND 'event-' || event.id NOT IN (SELECT cause FROM notification)
        ORDER BY event.id;
        INSERT INTO delivery (webhook, notification, due_ms, next_ms, attempts, state)
        SELECT webhook.id, notification.id, due_ms, due_ms, 0, 'waiting'
        FROM notification JOIN webhook ON revoked_ms IS NULL
            AND EXISTS (SELECT 1 FROM json_each(webhook.kinds) WHERE value = notification.kind)
        WHERE title = '' AND created_ms <= at_ms;
        DROP TABLE notice_cursor;

        """
}

/// The tables that reports are made with, besides those of what happened.
enum ShiftsMigration {
    /// The hours of a shift never change: one with others is another row, so that past days stay
    /// what they were. Dates are ISO 8601; bit 0 of `weekdays` is Monday. `site_zone` tells since when
    /// the site goes by which zone. Of a feed's secret only the SHA-256 is kept.
    static let sql = """
        ALTER TABLE site ADD COLUMN day_start_min INTEGER NOT NULL DEFAULT 0
            CHECK (day_start_min BETWEEN 0 AND 1439);

        CREATE TABLE site_zone (
            from_ms INTEGER PRIMARY KEY,
            zone TEXT NOT NULL
        ) STRICT;
        INSERT INTO site_zone (from_ms, zone) SELECT 0, time_zone FROM site;

        CREATE TABLE shift (
            id INTEGER PRIMARY KEY,
            slug TEXT NOT NULL
                CHECK (length(slug) BETWEEN 1 AND 64 AND slug NOT GLOB '*[^a-z0-9-]*'),
            name TEXT NOT NULL,
            start_min INTEGER NOT NULL CHECK (start_min BETWEEN 0 AND 1439),
            end_min INTEGER NOT NULL CHECK (end_min BETWEEN 0 AND 1439),
            early_in_min INTEGER NOT NULL CHECK (early_in_min BETWEEN 0 AND 720),
            late_out_min INTEGER NOT NULL CHECK (late_out_min BETWEEN 0 AND 720),
            late_grace_min INTEGER NOT NULL CHECK (late_grace_min BETWEEN 0 AND 720),
            exit_grace_min INTEGER NOT NULL CHECK (exit_grace_min BETWEEN 0 AND 720),
            break_min INTEGER NOT NULL CHECK (break_min BETWEEN 0 AND 720),
            half_day_min INTEGER NOT NULL CHECK (half_day_min BETWEEN 0 AND 1440),
            absent_min INTEGER NOT NULL CHECK (absent_min BETWEEN 0 AND 1440),
            retired_ms INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX one_shift_a_slug ON shift (slug) WHERE retired_ms IS NULL;

        CREATE TABLE shift_assignment (
            id INTEGER PRIMARY KEY,
            user INTEGER NOT NULL REFERENCES user (id),
            shift INTEGER NOT NULL REFERENCES shift (id),
            from_date TEXT NOT NULL CHECK (from_date IS date(from_date)),
            to_date TEXT CHECK (to_date IS date(to_date)),
            weekdays INTEGER NOT NULL CHECK (weekdays BETWEEN 1 AND 127),
            CONSTRAINT assignment_ends_after_its_start CHECK (to_date >= from_date)
        ) STRICT;
        CREATE INDEX assignment_of_user ON shift_assignment (user, from_date);
        CREATE INDEX assignment_of_shift ON shift_assignment (shift);

        CREATE TABLE leave_day (
            user INTEGER NOT NULL REFERENCES user (id),
            date TEXT NOT NULL CHECK (date IS date(date)),
            kind TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 64),
            half INTEGER NOT NULL CHECK (half IN (0, 1)),
            PRIMARY KEY (user, date)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE feed (
            id INTEGER PRIMARY KEY,
            secret_hash BLOB NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
            user INTEGER REFERENCES user (id),
            kind TEXT NOT NULL CHECK (kind IN ('attendance', 'shifts')),
            created_ms INTEGER NOT NULL,
            revoked_ms INTEGER
        ) STRICT;

        CREATE INDEX session_by_start ON attendance_session (from_ms, id) WHERE void = 0;

        """
}
