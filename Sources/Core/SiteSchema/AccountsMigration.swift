/// The tables of who may ask for what: accounts, their sessions, tokens of programs.
enum AccountsMigration {
    /// Nothing here lets anybody in who reads the file: passwords are scrypt's (`Password`), of
    /// invitations, sessions and tokens there is the SHA-256 of 256 random bits only. Passwords are in
    /// a table of their own, because what is about a `user` is handed to them on request.
    ///
    /// `sharing` has whoever lets members see where they are. `http_request` is what was answered to an
    /// `Idempotency-Key`; without a status it is not known what came of it.
    static let sql = """
        CREATE TABLE account (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 64),
            role TEXT NOT NULL CHECK (role IN
                ('owner', 'manager', 'trainer', 'member', 'auditor')),
            user INTEGER UNIQUE REFERENCES user (id),
            made_ms INTEGER NOT NULL,
            signed_in_ms INTEGER,
            disabled_ms INTEGER
        ) STRICT;

        CREATE TABLE account_password (
            account INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
            hash TEXT NOT NULL CHECK (hash LIKE '$scrypt$%'),
            set_ms INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE invitation (
            hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
            account INTEGER NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
            made_ms INTEGER NOT NULL,
            expires_ms INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE web_session (
            hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
            account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
            made_ms INTEGER NOT NULL,
            seen_ms INTEGER NOT NULL,
            CONSTRAINT session_goes_forwards CHECK (seen_ms >= made_ms)
        ) STRICT;
        CREATE INDEX session_of_account ON web_session (account);

        CREATE TABLE token (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
            hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
            role TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'trainer', 'member', 'auditor',
                'screen', 'kiosk', 'integration')),
            scopes TEXT NOT NULL CHECK (json_valid(scopes)),
            user INTEGER REFERENCES user (id),
            made_ms INTEGER NOT NULL,
            expires_ms INTEGER,
            used_ms INTEGER,
            revoked_ms INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX token_in_use ON token (name) WHERE revoked_ms IS NULL;

        CREATE TABLE sharing (
            user INTEGER PRIMARY KEY REFERENCES user (id),
            since_ms INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE http_request (
            asker TEXT NOT NULL,
            key TEXT NOT NULL,
            digest BLOB NOT NULL CHECK (length(digest) = 32),
            at_ms INTEGER NOT NULL,
            status INTEGER,
            body TEXT,
            PRIMARY KEY (asker, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX http_request_by_age ON http_request (at_ms);

        """
}
