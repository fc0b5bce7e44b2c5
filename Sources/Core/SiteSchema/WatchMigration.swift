/// What workouts that begin and pause by themselves rest on.
enum WatchMigration {
    /// `watch` is JSON: since when somebody is at a station, and how long they have been away; NULL before they were
    /// at one.
    static let sql = """
        ALTER TABLE presence ADD COLUMN watch TEXT
            CHECK (watch IS NULL OR json_valid(watch));

        """
}
