/// One table of what was asked with a key, and what was answered: of the machines and of the rooms.
enum AnsweredRequestsMigration {
    /// A row is either a machine's, with its answer, or a room's, with the SHA-256 of what was asked for, the HTTP
    /// status and the body; the body is missing where it had a secret. What was begun and not answered before
    /// has the status of `in_doubt`, and is not done again.
    static let sql = """
        CREATE TABLE answered_request (
            asker TEXT NOT NULL,
            key TEXT NOT NULL,
            at_ms INTEGER NOT NULL,
            answer TEXT CHECK (answer IS NULL OR json_valid(answer)),
            digest BLOB CHECK (length(digest) = 32),
            status INTEGER,
            body TEXT,
            PRIMARY KEY (asker, key),
            CHECK ((answer IS NULL) = (digest IS NOT NULL)),
            CHECK ((digest IS NULL) = (status IS NULL)),
            CHECK (body IS NULL OR digest IS NOT NULL)
        ) STRICT;
        CREATE INDEX answered_request_by_age ON answered_request (at_ms);
        CREATE INDEX answered_request_of_rooms ON answered_request (asker) WHERE digest IS NOT NULL;
        INSERT INTO answered_request (asker, key, at_ms, digest, status, body)
            SELECT CASE WHEN substr(asker, 1, 5) = 'mqtt:' THEN substr(asker, 6)
                ELSE 'http:' || asker END, replace(key, '\\', '\\\\'), at_ms, digest, coalesce(status, 409), body
            FROM http_request;
        INSERT OR REPLACE INTO answered_request (asker, key, at_ms, answer)
            SELECT client, request_id, at_ms, answer FROM answer;
        DROP TABLE http_request;
        DROP TABLE answer;

        """
}
