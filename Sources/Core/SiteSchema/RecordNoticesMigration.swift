/// Who wants to be told of their records.
enum RecordNoticesMigration {
    /// Kinds of notifications are no longer listed in the table: a release that knows more of them needs no other
    /// one. Rows are copied, because SQLite changes no constraint, and numbers go on where they were.
    static let sql = """
        PRAGMA defer_foreign_keys = ON;
        CREATE TABLE record_notice (
            user INTEGER PRIMARY KEY REFERENCES user (id),
            since_ms INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE copied_delivery AS SELECT * FROM delivery;
        CREATE TABLE copied_notification AS SELECT * FROM notification;
        CREATE TABLE copied_number AS SELECT seq FROM sqlite_sequence WHERE name = 'notification';
        DROP TABLE delivery;
        DROP TABLE notification;
        CREATE TABLE notification (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            epoch INTEGER NOT NULL CHECK (epoch >= 1),
            kind TEXT NOT NULL CHECK (kind GLOB '[a-z]*' AND kind NOT GLOB '*[^a-z-]*'),
            cause TEXT NOT NULL UNIQUE,
            user INTEGER REFERENCES user (id),
            subject TEXT NOT NULL,
            title TEXT NOT NULL,
            body TEXT NOT NULL,
            at_ms INTEGER NOT NULL,
            since_ms INTEGER,
            made_ms INTEGER NOT NULL,
            due_ms INTEGER NOT NULL,
            late INTEGER NOT NULL CHECK (late IN (0, 1)),
            told_ms INTEGER,
            CONSTRAINT notification_waits_forwards CHECK (due_ms >= made_ms)
        ) STRICT;
        INSERT INTO notification (id, epoch, kind, cause, user, subject, title, body, at_ms, since_ms,
            made_ms, due_ms, late, told_ms)
        SELECT id, epoch, kind, cause, user, subject, title, body, at_ms, since_ms, made_ms, due_ms,
            late, told_ms
        FROM copied_notification ORDER BY id;
        DELETE FROM sqlite_sequence WHERE name = 'notification';
        INSERT INTO sqlite_sequence (name, seq) SELECT 'notification', seq FROM copied_number;
        DROP TABLE copied_number;
        DROP TABLE copied_notification;
        CREATE INDEX notification_by_age ON notification (made_ms);
        CREATE INDEX notification_of_subject ON notification (kind, subject, made_ms);
        CREATE INDEX notification_of_user ON notification (user, made_ms);
        CREATE INDEX untold_notification ON notification (due_ms, id)
            WHERE told_ms IS NULL AND late = 0 AND user IS NOT NULL;

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
        INSERT INTO delivery (webhook, notification, due_ms, next_ms, attempts, state, last_status,
            last_fault, done_ms)
        SELECT webhook, notification, due_ms, next_ms, attempts, state, last_status, last_fault, done_ms
        FROM copied_delivery;
        DROP TABLE copied_delivery;
        CREATE INDEX waiting_delivery ON delivery (webhook, due_ms, notification)
            WHERE state = 'waiting';
        CREATE INDEX delivery_of_notification ON delivery (notification);

        """
}
