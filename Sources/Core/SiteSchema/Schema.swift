/// The tables of a site's database. Migrations are numbered from 1 and never edited.
///
/// Times are integer milliseconds since the Unix epoch, UTC. Intervals are half-open; an end of
/// NULL means that they are open. Rows of the registry (rooms, stations, nodes, users, beacons)
/// are retired, never deleted: history refers to them, and a slug keeps its row for ever. The packing of
/// BLOBs is described at `Packed`.
package enum Schema {
    /// “BMSH” in SQLite's `application_id`, so that no other program's file is written to.
    package static let applicationID = 0x424D_5348
    /// What the first row of the audit follows.
    package static let auditOrigin = String(repeating: "0", count: 64)
    /// The newest version this release knows; SQLite's `user_version`.
    package static var version: Int { migrations.count }
    /// Migration `n` leads from version `n` to `n + 1`.
    package static let migrations = [
        RegistryTables.registry + RegistryTables.machines + HistoryTables.history
            + HistoryTables.evidence + HistoryTables.views,
        OutboxesMigration.sql, RegistryTables.mobile, RegistryTables.thresholds,
        ReasonsMigration.sql, ModelsMigration.sql, OffsetsMigration.sql, AttendanceMigration.sql,
        HolesMigration.sql, BooksMigration.sql, ShiftsMigration.sql, NoticesMigration.sql,
        ExcusesMigration.sql, CheckpointsMigration.sql, OverridesMigration.sql,
        NotificationsMigration.sql, ErasureDebtMigration.sql, SurveyCorrectionsMigration.sql,
        AccountsMigration.sql, BrokerIdentityMigration.sql, BeaconHistoryMigration.sql,
        GymMigration.sql, AnsweredRequestsMigration.sql, ExercisesMigration.sql,
        WorkoutsMigration.sql,
        ImportedHistoryMigration.sql, RecordNoticesMigration.sql, WatchMigration.sql,
        WorkoutNotesMigration.sql, ActivityMigration.sql, ActivityMigration.measurements,
        ActivityMigration.sharing, StationSinceMigration.sql, StatedWorkoutsMigration.sql,
        SharingMigration.sql, ClaimEndsMigration.sql,
    ]
}
