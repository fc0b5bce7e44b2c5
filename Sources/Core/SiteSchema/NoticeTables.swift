/// The tables of what people are told, and of who else is.
enum NoticeTables {
    /// There is one row of rules. `record_notice` has whoever wants to be told of their records.
    static let rules = """
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

        CREATE TABLE record_notice (
            user INTEGER PRIMARY KEY REFERENCES user (id),
            since_ms INTEGER NOT NULL
        ) STRICT;

        """

    /// Notifications are facts: the machines decide them. Of one `cause` at most one is made;
    /// `title` and `body` are empty, because they are worded when they are told, from `since_ms`,
    /// too, which is when what they are about began. What is `late` is told to nobody as news.
    /// Kinds are not listed, so that one more needs no other table. Numbers are never used again,
    /// since receivers go by them.
    static let notifications = """
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
        CREATE INDEX notification_by_age ON notification (made_ms);
        CREATE INDEX notification_of_subject ON notification (kind, subject, made_ms);
        CREATE INDEX notification_of_user ON notification (user, made_ms);
        CREATE INDEX untold_notification ON notification (due_ms, id)
            WHERE told_ms IS NULL AND late = 0 AND user IS NOT NULL;

        """

    /// A `delivery` is what one webhook is to get of one notification: `due_ms` is when it may go
    /// out first, `next_ms` when it is tried next.
    static let webhooks = """
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

    /// What a browser of an account is told while no page is open, by a push service. `through_ms` and `through` are when the last
    /// notification was due that it was told of, and its number; `failures` since. Of `notice_choice` a row
    /// holds what an account does not want, by channel. There is one key: push services know the site by it.
    static let push = """
        CREATE TABLE push_key (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            own BLOB NOT NULL CHECK (length(own) = 32),
            shared BLOB NOT NULL CHECK (length(shared) = 65),
            made_ms INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE push_subscription (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
            endpoint TEXT NOT NULL UNIQUE CHECK (length(endpoint) BETWEEN 1 AND 2048),
            p256dh BLOB NOT NULL CHECK (length(p256dh) = 65),
            auth BLOB NOT NULL CHECK (length(auth) = 16),
            language TEXT NOT NULL,
            made_ms INTEGER NOT NULL,
            through_ms INTEGER NOT NULL,
            through INTEGER NOT NULL,
            failures INTEGER NOT NULL CHECK (failures >= 0),
            next_ms INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX push_of_account ON push_subscription (account);

        CREATE TABLE notice_choice (
            account INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
            page TEXT NOT NULL CHECK (json_valid(page)),
            push TEXT NOT NULL CHECK (json_valid(push)),
            mail TEXT NOT NULL CHECK (json_valid(mail))
        ) STRICT;

        """

    /// There is one mail server at most. An address is used once its owner has typed the `code` that was sent there:
    /// `confirmed_ms`. The rest is as of `push_subscription`.
    static let mail = """
        CREATE TABLE mail_server (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            url TEXT NOT NULL CHECK (length(url) BETWEEN 1 AND 300),
            sender TEXT NOT NULL CHECK (length(sender) BETWEEN 3 AND 254),
            username TEXT,
            password TEXT,
            page TEXT,
            CONSTRAINT a_password_is_somebodys CHECK (password IS NULL OR username IS NOT NULL)
        ) STRICT;

        CREATE TABLE mail_reader (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            account INTEGER NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
            address TEXT NOT NULL CHECK (length(address) BETWEEN 3 AND 254),
            language TEXT NOT NULL,
            code TEXT CHECK (length(code) = 6),
            tries INTEGER NOT NULL CHECK (tries >= 0),
            is_sent INTEGER NOT NULL CHECK (is_sent IN (0, 1)),
            made_ms INTEGER NOT NULL,
            confirmed_ms INTEGER,
            fault TEXT CHECK (fault IN ('refused', 'delayed')),
            through_ms INTEGER NOT NULL,
            through INTEGER NOT NULL,
            failures INTEGER NOT NULL CHECK (failures >= 0),
            next_ms INTEGER NOT NULL,
            CONSTRAINT a_code_is_of_use_once CHECK ((code IS NULL) = (confirmed_ms IS NOT NULL))
        ) STRICT;

        """

    /// Up to when an account has seen what it was to be told of.
    static let marks = """
        CREATE TABLE notice_mark (
            account INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
            through_ms INTEGER NOT NULL
        ) STRICT;
        """
}
