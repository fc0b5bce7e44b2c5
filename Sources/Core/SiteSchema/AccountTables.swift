/// The tables of who may ask for what: accounts, their sessions, tokens of programs, names at the
/// broker.
enum AccountTables {
    /// Nothing here lets anybody in who reads the file: passwords are scrypt's (`Password`), of
    /// invitations, sessions and tokens there is the SHA-256 of 256 random bits only. Passwords are
    /// in a table of their own, because what is about a `user` is handed to them on request.
    static let accounts = """
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

        """

    /// What whoever has a row lets members see: where they are, and what they train, are two things
    /// that people agree to.
    static let sharing = """
        CREATE TABLE sharing (
            user INTEGER NOT NULL REFERENCES user (id),
            kind TEXT NOT NULL CHECK (kind IN ('place', 'training')),
            since_ms INTEGER NOT NULL,
            PRIMARY KEY (user, kind)
        ) STRICT, WITHOUT ROWID;

        """

    /// By which number somebody checks in at a kiosk. Six digits are soon tried by whoever reads the database, which holds
    /// more than they open; the digest keeps them from being read by chance.
    static let pins = """
        CREATE TABLE pin (
            user INTEGER PRIMARY KEY REFERENCES user (id),
            hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
            made_ms INTEGER NOT NULL
        ) STRICT;

        """

    /// `password_hash` is what follows the name in mosquitto's password file (`$7$`:
    /// PBKDF2-HMAC-SHA-512), empty once revoked; the password is not kept. A revoked name may be
    /// enrolled again, in another row. `user` is the person of a member; `scopes` is a JSON list,
    /// of integrations only.
    static let broker = """
        CREATE TABLE broker_identity (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL
                CHECK (length(name) BETWEEN 1 AND 64 AND name NOT GLOB '*[^a-z0-9-]*'),
            kind TEXT NOT NULL CHECK (kind IN
                ('node', 'screen', 'kiosk', 'integration', 'member', 'coordinator')),
            user INTEGER REFERENCES user (id),
            password_hash TEXT NOT NULL,
            scopes TEXT NOT NULL CHECK (json_valid(scopes)),
            made_ms INTEGER NOT NULL,
            revoked_ms INTEGER,
            CONSTRAINT members_are_people CHECK ((kind = 'member') = (user IS NOT NULL)),
            CONSTRAINT integrations_have_scopes CHECK ((kind = 'integration') = (scopes <> '[]')),
            CONSTRAINT revoked_identity_has_no_hash CHECK
                (iif(revoked_ms IS NULL,
                    password_hash GLOB '$7$?*$?*$?*'
                        AND password_hash NOT GLOB '*[^a-zA-Z0-9$+/=]*',
                    password_hash = ''))
        ) STRICT;
        CREATE UNIQUE INDEX one_identity_a_name ON broker_identity (name) WHERE revoked_ms IS NULL;
        CREATE INDEX identity_of_user ON broker_identity (user) WHERE user IS NOT NULL;

        """
}
