/// The table of what people decided about attendance, as far as the machines are concerned.
enum OverridesMigration {
    /// `revision` grows with each approved correction, lock, excuse and erasure, whoever writes it: by
    /// that a running coordinator notices it. `taken` is what its machines have taken in
    /// (`MeshCore.Overrides`), NULL before the first time.
    static let sql = """
        CREATE TABLE overrides (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            revision INTEGER NOT NULL CHECK (revision >= 0),
            taken TEXT CHECK (taken IS NULL OR json_valid(taken))
        ) STRICT;
        INSERT INTO overrides (id, revision) VALUES (1, 0);

        """
}
