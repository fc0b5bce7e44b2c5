/// The table of who signs in at the site's broker.
enum BrokerIdentityMigration {
    /// `password_hash` is what follows the name in mosquitto's password file (`$7$`: PBKDF2-HMAC-SHA-512), empty
    /// once revoked; the password is not kept. A revoked name may be enrolled again, in another row.
    /// `user` is the person of a member; `scopes` is a JSON list, of integrations only.
    static let sql = """
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
