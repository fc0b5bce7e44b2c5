/// The tables of what sessions rest on.
enum AttendanceMigration {
    /// `breaks` is JSON `[[from_ms, to_ms], …]`, `review` JSON `["code", …]`. `statement` is for ever
    /// what was said; `ledger` holds those that may still count, with what other sites told
    /// (`elsewhere`), what is odd (`doubts`) and what was put before a person (`disputes`), as JSON. Before
    /// `watermark_ms` no evidence changes anything any more: a session that ended before is final.
    static let sql = """
        ALTER TABLE attendance_session ADD COLUMN in_cause TEXT NOT NULL DEFAULT 'heard'
            CHECK (in_cause IN ('heard', 'manual', 'corrected'));
        ALTER TABLE attendance_session ADD COLUMN out_cause TEXT
            CHECK (out_cause IN ('last-heard', 'manual', 'corrected', 'superseded'));
        ALTER TABLE attendance_session ADD COLUMN last_heard_ms INTEGER;
        ALTER TABLE attendance_session ADD COLUMN breaks TEXT NOT NULL DEFAULT '[]'
            CHECK (json_valid(breaks));
        ALTER TABLE attendance_session ADD COLUMN review TEXT NOT NULL DEFAULT '[]'
            CHECK (json_valid(review));
        ALTER TABLE attendance_session ADD COLUMN rev INTEGER NOT NULL DEFAULT 1 CHECK (rev >= 1);
        UPDATE attendance_session SET out_cause = 'last-heard', last_heard_ms = to_ms
            WHERE to_ms IS NOT NULL;

        CREATE TABLE statement (
            id INTEGER PRIMARY KEY,
            user INTEGER NOT NULL REFERENCES user (id),
            kind TEXT NOT NULL CHECK (kind IN ('check-in', 'check-out')),
            at_ms INTEGER NOT NULL,
            said_ms INTEGER NOT NULL,
            by TEXT NOT NULL,
            reason TEXT
        ) STRICT;
        CREATE INDEX statement_of_user ON statement (user, at_ms);

        ALTER TABLE ledger ADD COLUMN statements TEXT NOT NULL DEFAULT '[]'
            CHECK (json_valid(statements));
        ALTER TABLE ledger ADD COLUMN elsewhere TEXT NOT NULL DEFAULT '[]'
            CHECK (json_valid(elsewhere));
        ALTER TABLE ledger ADD COLUMN doubts TEXT NOT NULL DEFAULT '[]'
            CHECK (json_valid(doubts));
        ALTER TABLE ledger ADD COLUMN disputes TEXT NOT NULL DEFAULT '[]'
            CHECK (json_valid(disputes));
        ALTER TABLE site_state ADD COLUMN watermarks TEXT NOT NULL DEFAULT '[]'
            CHECK (json_valid(watermarks));
        ALTER TABLE site_state ADD COLUMN watermark_ms INTEGER NOT NULL DEFAULT 0;

        DROP VIEW v_session;
        CREATE VIEW v_session AS
        SELECT session.id AS session_id, user.slug AS user, user.name AS user_name,
            from_ms AS check_in_ms, to_ms AS check_out_ms, (to_ms - from_ms) / 1000.0 AS duration_s,
            CASE WHEN to_ms IS NULL THEN 'open' ELSE 'closed' END AS state, site.demo,
            in_cause, out_cause, last_heard_ms, breaks, review, rev,
            coalesce(to_ms <= (SELECT watermark_ms FROM site_state), 0) AS final
        FROM attendance_session AS session JOIN user ON user.id = session.user CROSS JOIN site
        WHERE session.void = 0;

        """
}
