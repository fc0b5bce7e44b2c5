/// Who sees where somebody is, and who sees what they train, are two things that people agree to.
enum SharingMigration {
    /// What was agreed to spoke of the place alone: nobody has agreed to the other.
    static let sql = """
        CREATE TABLE shared (
            user INTEGER NOT NULL REFERENCES user (id),
            kind TEXT NOT NULL CHECK (kind IN ('place', 'training')),
            since_ms INTEGER NOT NULL,
            PRIMARY KEY (user, kind)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO shared (user, kind, since_ms) SELECT user, 'place', since_ms FROM sharing;
        DROP TABLE sharing;
        ALTER TABLE shared RENAME TO sharing;

        """
}
