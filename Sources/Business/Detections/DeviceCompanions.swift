import GRDB
import Notifications
import Platform
import Records
import Scheduling
import SiteModel
import SiteStore

/// Strangers' devices that come and go with somebody, as a tracker in their bag does.
///
/// Of a type that tells of it, whoever had one beside them on three days is told, alone and once. It may be their own: nothing
/// in the air says whose it is. One whose address changes is another device each time, and never found.
package struct DeviceCompanions: Sendable {
    /// On so many days within thirty.
    static let days = 3
    /// Its visit begins and ends as near as this to their session.
    private static let tolerance = Timestamp.Span.seconds(600)
    /// What comes and goes with more, as with a class, says nothing of any of them.
    private static let mostPeople = 2
    /// Shorter visits say nothing.
    private static let shortest = Timestamp.Span.seconds(900)
    /// A visit is looked at so long after its end: by then sessions of its time have ended.
    package static let patience = Timestamp.Span.seconds(3600)

    private struct Found {
        var address: String
        var type: String
        var user: UserID
        var last: Timestamp
    }

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Looks at the visits that ended after one moment and not after another. Looked at twice a visit counts once.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func look(
        after start: Timestamp, through end: Timestamp, at now: Timestamp
    ) throws(StoreError) {
        let found = try store.read { db in try Self.found(after: start, through: end, db) }
        guard !found.isEmpty else { return }
        try store.write { db in
            let rules = try NotificationQueue.noticeRules(db)
            let calendar = SiteCalendar(
                zone: try String.fetchOne(db, sql: "SELECT time_zone FROM site") ?? "UTC")
            guard let digest = try AddressDigest(db) else { return }
            for one in found {
                let device = digest.text(of: one.address)
                try db.run(
                    "INSERT OR IGNORE INTO device_companion (device, user, date, at_ms) VALUES (?, ?, ?, ?)",
                    [device, one.user.row, "\(calendar.local(one.last).date)", one.last])
                let days = try Int.fetchOne(
                    db,
                    sql: "SELECT count(*) FROM device_companion WHERE device = ? AND user = ?",
                    arguments: [device, one.user.row])
                guard days ?? 0 >= Self.days else { continue }
                let kind = NotificationRow.Kind.deviceBeside
                try NotificationTable.put(
                    NotificationRow(
                        kind: kind, cause: "\(kind.rawValue)-\(device)-\(one.user.row)",
                        user: one.user, subject: one.type, at: one.last, made: now,
                        due: rules.due(kind, about: one.user, at: now, by: calendar)), into: db)
            }
        }
    }

    private static func found(
        after start: Timestamp, through end: Timestamp, _ db: Database
    ) throws -> [Found] {
        try db.rows(
            """
            SELECT * FROM (
            SELECT visit.id, visit.address, device_type.name AS type, session.user, visit.last_ms,
                count(*) OVER (PARTITION BY visit.id) AS people
            FROM detection AS visit JOIN device_type ON device_type.id = visit.type
                JOIN attendance_session AS session
                    ON session.from_ms BETWEEN visit.first_ms - ?4 AND visit.first_ms + ?4
                    AND session.to_ms BETWEEN visit.last_ms - ?4 AND visit.last_ms + ?4
                    AND session.void = 0
            WHERE visit.last_ms > ?1 AND visit.last_ms <= ?2 AND visit.source = ?3
                AND visit.address IS NOT NULL AND visit.last_ms - visit.first_ms >= ?5
                AND device_type.retired_ms IS NULL
                AND EXISTS (SELECT 1 FROM json_each(device_type.notify) WHERE value = 'beside')
            ) WHERE people <= ?6 ORDER BY last_ms, id, user
            """,
            [
                start, end, Detection.mesh, tolerance.milliseconds, shortest.milliseconds,
                mostPeople,
            ]
        ) {
            Found(
                address: $0["address"], type: $0["type"], user: $0["user"], last: $0["last_ms"])
        }
    }
}
