/// Since when stations are what they are, over a restart.
enum StationSinceMigration {
    /// `stations` is JSON: of each the number of what it was last, and since when.
    static let sql = """
        ALTER TABLE site_state ADD COLUMN stations TEXT NOT NULL DEFAULT '[]'
            CHECK (json_valid(stations));

        """
}
