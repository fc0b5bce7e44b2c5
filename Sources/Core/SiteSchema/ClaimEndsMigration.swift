/// The uses of stations in a day or week, without a look at all that there ever were.
enum ClaimEndsMigration {
    static let sql = "CREATE INDEX station_claim_by_end ON station_claim (to_ms);\n"
}
