import GRDB
import Notifications
import Platform
import Records
import Scheduling
import SiteModel
import SiteStore

/// Word of devices that appear, of the types that are told of.
struct DeviceNotices {
    private static let slot = Timestamp.Span.seconds(600)

    private let rules: NoticeRules
    private let calendar: SiteCalendar
    private let now: Timestamp
    /// What types are called that are told of, by slug.
    private let told: [String: String]

    init(_ db: Database, at now: Timestamp) throws {
        rules = try NotificationQueue.noticeRules(db)
        calendar = SiteCalendar(
            zone: try String.fetchOne(db, sql: "SELECT time_zone FROM site") ?? "UTC")
        self.now = now
        let types = try db.rows(
            """
            SELECT slug, name FROM device_type WHERE retired_ms IS NULL
                AND EXISTS (SELECT 1 FROM json_each(notify) WHERE value = 'seen')
            """
        ) { ($0["slug"] as String, $0["name"] as String) }
        told = Dictionary(types) { first, _ in first }
    }

    /// Puts down that one is there: once in ten minutes for a type, and not of what was long ago.
    func note(_ type: String?, at moment: Timestamp, _ db: Database) throws {
        guard let type, let name = told[type], now - moment < Self.slot else { return }
        let kind = NotificationRow.Kind.deviceSeen
        let slot = now.milliseconds / Self.slot.milliseconds
        try NotificationTable.put(
            NotificationRow(
                kind: kind, cause: "\(kind.rawValue)-\(type)-\(slot)", user: nil, subject: name,
                at: moment, made: now, due: rules.due(kind, about: nil, at: now, by: calendar)),
            into: db)
    }
}
