/// What is left of what ledgers have forgotten.
enum CheckpointsMigration {
    /// `checkpoint` is JSON (`LedgerCheckpoint`): how the sessions of the user stood at the moment before
    /// which nothing is in the other columns. A row of a version before this one has none until it
    /// is written again.
    static let sql = """
        ALTER TABLE ledger ADD COLUMN checkpoint TEXT
            CHECK (checkpoint IS NULL OR json_valid(checkpoint));

        """
}
