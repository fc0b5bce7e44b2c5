/// The tables of the books: corrections, locks, who did what, consent, what was deleted.
enum BookTables {
    /// `audit_log` is a chain: `digest` covers the row and `previous`, the digest of the row
    /// before; see `AuditRow`. Values of people are in `audit_value`, which may be deleted. Entries
    /// about a user carry their row; nothing else in the chain may tell who it was.
    static let audit = """
        CREATE TABLE audit_log (
            id INTEGER PRIMARY KEY CHECK (id >= 1),
            at_ms INTEGER NOT NULL,
            via TEXT NOT NULL CHECK (via IN ('cli', 'mqtt', 'rest', 'core')),
            action TEXT NOT NULL,
            entity TEXT NOT NULL,
            entity_id TEXT NOT NULL,
            user INTEGER REFERENCES user (id),
            actor_digest TEXT NOT NULL,
            before_digest TEXT,
            after_digest TEXT,
            previous TEXT NOT NULL,
            digest TEXT NOT NULL UNIQUE CHECK (length(digest) = 64)
        ) STRICT;
        CREATE INDEX audit_of_user ON audit_log (user) WHERE user IS NOT NULL;
        CREATE INDEX audit_of_entity ON audit_log (entity, entity_id);
        CREATE TRIGGER audit_follows BEFORE INSERT ON audit_log
        WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM audit_log)
            OR NEW.previous IS NOT coalesce(
                (SELECT digest FROM audit_log ORDER BY id DESC LIMIT 1), '\(Schema.auditOrigin)')
        BEGIN SELECT RAISE(ABORT, 'audit rows follow one another'); END;
        CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit_log
        BEGIN SELECT RAISE(ABORT, 'audit rows are never changed'); END;
        CREATE TRIGGER audit_kept BEFORE DELETE ON audit_log
        BEGIN SELECT RAISE(ABORT, 'audit rows are never deleted'); END;

        CREATE TABLE audit_value (
            audit INTEGER NOT NULL REFERENCES audit_log (id),
            side TEXT NOT NULL CHECK (side IN ('actor', 'before', 'after')),
            salt TEXT NOT NULL CHECK (length(salt) = 32),
            value TEXT NOT NULL,
            PRIMARY KEY (audit, side)
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER audit_value_unchanged BEFORE UPDATE ON audit_value
        BEGIN SELECT RAISE(ABORT, 'audit values are never changed'); END;
        CREATE TRIGGER audit_value_of_newest BEFORE INSERT ON audit_value
        WHEN NEW.audit IS NOT (SELECT max(id) FROM audit_log)
        BEGIN SELECT RAISE(ABORT, 'audit values come with their row'); END;

        """

    static let corrections = """
        CREATE TABLE correction (
            id INTEGER PRIMARY KEY,
            source TEXT NOT NULL CHECK (source IN ('person', 'late', 'locked', 'uncertain')),
            change TEXT NOT NULL CHECK (change IN ('times', 'remove', 'add', 'reviewed')),
            session INTEGER REFERENCES attendance_session (id),
            user INTEGER NOT NULL REFERENCES user (id),
            session_rev INTEGER,
            old_from_ms INTEGER,
            old_to_ms INTEGER,
            new_from_ms INTEGER,
            new_to_ms INTEGER,
            heard_ms INTEGER CHECK (heard_ms >= 0),
            reason TEXT NOT NULL CHECK (reason <> ''),
            requested_ms INTEGER NOT NULL,
            requested_by TEXT NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'refused', 'superseded')),
            decided_ms INTEGER,
            decided_by TEXT,
            decision_reason TEXT,
            CONSTRAINT decided_by_somebody CHECK
                ((state IN ('pending', 'superseded')) = (decided_ms IS NULL)
                AND (decided_ms IS NULL) = (decided_by IS NULL)
                AND (decided_ms IS NULL) = (decision_reason IS NULL)),
            CONSTRAINT addition_has_no_session CHECK
                ((change = 'add') = (session IS NULL)
                AND (session IS NULL) = (old_from_ms IS NULL)),
            CONSTRAINT new_times_where_they_change CHECK
                ((change IN ('times', 'add')) = (new_from_ms IS NOT NULL)
                AND (change <> 'add' OR new_to_ms IS NOT NULL)),
            CONSTRAINT correction_ends_after_its_start CHECK
                (old_to_ms >= old_from_ms AND new_to_ms > new_from_ms)
        ) STRICT;
        CREATE INDEX correction_of_user ON correction (user, id);
        CREATE INDEX correction_of_session ON correction (session) WHERE session IS NOT NULL;
        CREATE INDEX pending_correction ON correction (user, source) WHERE state = 'pending';

        CREATE TABLE session_review (
            id INTEGER PRIMARY KEY,
            session INTEGER NOT NULL REFERENCES attendance_session (id) ON DELETE CASCADE,
            codes TEXT NOT NULL CHECK (json_valid(codes)),
            decided_by TEXT NOT NULL,
            decided_ms INTEGER NOT NULL,
            reason TEXT NOT NULL CHECK (reason <> '')
        ) STRICT;
        CREATE INDEX review_of_session ON session_review (session);

        """

    /// What ended before the newest lock's `through_ms` is not changed any more.
    static let locks = """
        CREATE TABLE period_lock (
            id INTEGER PRIMARY KEY,
            through_date TEXT NOT NULL
                CHECK (through_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
            through_ms INTEGER NOT NULL,
            locked_by TEXT NOT NULL,
            locked_ms INTEGER NOT NULL,
            reason TEXT NOT NULL CHECK (reason <> '')
        ) STRICT;
        CREATE TRIGGER session_locked_insert BEFORE INSERT ON attendance_session
        WHEN NEW.void = 0 AND NEW.from_ms < \(boundary)
            AND NOT EXISTS (SELECT 1 FROM attendance_session WHERE id = NEW.id)
        BEGIN SELECT RAISE(ABORT, 'the period is locked'); END;
        -- One that was open when the period was locked ends as any other.
        CREATE TRIGGER session_locked_update
        BEFORE UPDATE OF user, from_ms, to_ms, void ON attendance_session
        WHEN (OLD.user, OLD.from_ms, OLD.to_ms, OLD.void)
                IS NOT (NEW.user, NEW.from_ms, NEW.to_ms, NEW.void)
            AND OLD.void + NEW.void < 2
            AND (min(OLD.from_ms, NEW.from_ms) < \(boundary))
            AND (OLD.to_ms IS NOT NULL OR NEW.from_ms <> OLD.from_ms OR NEW.void = 1)
        BEGIN SELECT RAISE(ABORT, 'the period is locked'); END;

        """

    /// The first moment that is not locked, or NULL.
    private static let boundary =
        "(SELECT through_ms FROM period_lock ORDER BY id DESC LIMIT 1)"

    /// `disposal` holds what is being deleted just now, inside one transaction: nothing else may
    /// be. `retention_run` is what retention deleted.
    static let disposals = """
        CREATE TABLE disposal (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            before_ms INTEGER,
            user INTEGER REFERENCES user (id),
            CHECK ((before_ms IS NULL) <> (user IS NULL))
        ) STRICT;
        CREATE TRIGGER session_deleted BEFORE DELETE ON attendance_session
        WHEN NOT EXISTS (
            SELECT 1 FROM disposal WHERE user = OLD.user OR OLD.to_ms < before_ms)
        BEGIN SELECT RAISE(ABORT, 'sessions are withdrawn, not deleted'); END;
        CREATE TRIGGER event_kept BEFORE DELETE ON event
        WHEN NOT EXISTS (SELECT 1 FROM disposal WHERE user = OLD.user OR OLD.at_ms < before_ms)
        BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;

        CREATE TABLE retention_run (
            id INTEGER PRIMARY KEY,
            at_ms INTEGER NOT NULL,
            table_name TEXT NOT NULL,
            before_ms INTEGER NOT NULL,
            deleted INTEGER NOT NULL CHECK (deleted >= 0),
            head TEXT NOT NULL
        ) STRICT;

        """

    /// `erased_slug` has slugs of erased people, unreadable: an import may not bring them back.
    ///
    /// `erasure_debt` has a row from the first transaction of an erasure until its last. `texts`
    /// holds what is to be found and what it becomes; `[]` once only the log may hold any. `done`
    /// counts rows by table.
    static let consent = """
        CREATE TABLE consent (
            id INTEGER PRIMARY KEY,
            user INTEGER NOT NULL REFERENCES user (id),
            text_version TEXT NOT NULL CHECK (text_version <> ''),
            at_ms INTEGER NOT NULL,
            recorded_by TEXT NOT NULL,
            withdrawn_ms INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX one_consent_a_user ON consent (user) WHERE withdrawn_ms IS NULL;

        CREATE TABLE erased_slug (
            digest TEXT PRIMARY KEY,
            salt TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE erasure_debt (
            user INTEGER PRIMARY KEY REFERENCES user (id),
            deletes_attendance INTEGER NOT NULL CHECK (deletes_attendance IN (0, 1)),
            texts TEXT NOT NULL CHECK (json_valid(texts)),
            done TEXT NOT NULL CHECK (json_valid(done))
        ) STRICT;

        """
}
