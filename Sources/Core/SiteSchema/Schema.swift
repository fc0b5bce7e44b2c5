/// The tables of a site's database. Migrations are numbered from 1 and never edited.
///
/// Times are integer milliseconds since the Unix epoch, UTC. Intervals are half-open; an end of
/// NULL means that they are open. Rows of the registry (rooms, stations, nodes, users, beacons)
/// are retired, never deleted: history refers to them, and a slug keeps its row for ever. The packing of
/// BLOBs is described at `Packed`.
package enum Schema {
    /// “BMS1” in SQLite's `application_id`, so that no other program's file is written to.
    package static let applicationID = 0x424D_5331
    /// “BMSH”: of databases that builds before the first release made. They numbered their schemas from
    /// 1, too, with other tables, and are refused by that.
    package static let formerApplicationID = 0x424D_5348
    /// What the first row of the audit follows.
    package static let auditOrigin = String(repeating: "0", count: 64)
    /// The newest version this release knows; SQLite's `user_version`.
    package static var version: Int { migrations.count }
    /// The first makes all that is there; entry `n` leads from version `n` to `n + 1`.
    package static let migrations: [String] = [
        [
            RegistryTables.places, RegistryTables.nodesAndPeople, RegistryTables.beacons,
            AttendanceTables.sessions, AttendanceTables.stays, AttendanceTables.events,
            AttendanceTables.shifts, AttendanceTables.views,
            EvidenceTables.outboxes, EvidenceTables.excuses, EvidenceTables.models,
            EvidenceTables.offsets,
            MachineTables.state, MachineTables.overrides, MachineTables.requests,
            MachineTables.reasons,
            WorkoutTables.exercises, WorkoutTables.workouts, WorkoutTables.sets,
            WorkoutTables.stations, WorkoutTables.views,
            ActivityTables.steps, ActivityTables.measurements, ActivityTables.sharing,
            AccountTables.accounts, AccountTables.sharing, AccountTables.broker,
            NoticeTables.rules, NoticeTables.notifications, NoticeTables.webhooks,
            BookTables.audit, BookTables.corrections, BookTables.locks, BookTables.disposals,
            BookTables.consent,
        ].joined(separator: "\n"),
        [
            RegistryTables.plans, RegistryTables.content, NoticeTables.marks, NoticeTables.push,
            NoticeTables.mail,
            AccountTables.pins, DetectionTables.positions, DetectionTables.detections,
        ].joined(
            separator: "\n"),
    ]
}
