import ActivityEngine
import Basics
import GRDB
import Records
import SiteModel
import SiteStore

/// What people share with trainers of their activity.
extension ActivityRecords {
    /// Somebody who shares at least one part.
    package struct Sharing: Sendable {
        package var user: String
        /// In the order of `ActivityItem`.
        package var items: [ActivityItem]
    }

    /// Everybody who shares anything, by slug.
    ///
    /// - Throws: A reader's `StoreError`.
    package func sharing() throws(StoreError) -> [Sharing] {
        try store.read { db in
            let rows = try db.rows(
                """
                SELECT user.id, slug FROM user
                WHERE retired_ms IS NULL AND id IN (SELECT user FROM activity_sharing)
                ORDER BY slug
                """
            ) { ($0["id"] as Int64, $0["slug"] as String) }
            return try rows.map { id, slug in
                Sharing(user: slug, items: try Self.shared(by: id, db))
            }
        }
    }

    /// What somebody shares, in the order of `ActivityItem`.
    static func shared(by user: Int64, _ db: Database) throws -> [ActivityItem] {
        let words = try db.rows("SELECT item FROM activity_sharing WHERE user = ?", [user]) {
            $0["item"] as String
        }
        return ActivityItem.allCases.filter { words.contains($0.rawValue) }
    }

    /// Shares these and nothing else. What changes is audited.
    ///
    /// - Throws: A `BooksRefusal` if there is nobody of that slug, else what the store throws.
    func share(_ items: Set<ActivityItem>, of user: String, by asker: Asker) throws {
        try store.transaction { db in
            let row = try SampleIntake.row(of: user, db)
            let before = try Self.shared(by: row, db)
            let added = ActivityItem.allCases.filter { items.contains($0) && !before.contains($0) }
            let ended = before.filter { !items.contains($0) }
            for item in added {
                try db.run(
                    "INSERT INTO activity_sharing (user, item, since_ms) VALUES (?, ?, ?)",
                    [row, item.rawValue, asker.at.milliseconds])
            }
            for item in ended {
                try db.run(
                    "DELETE FROM activity_sharing WHERE user = ? AND item = ?",
                    [row, item.rawValue])
            }
            for (action, items) in [("share", added), ("stop-sharing", ended)] where !items.isEmpty
            {
                try Roster.note(
                    action, "activity_sharing", "\(row)", user: UserID(row),
                    ["items": items.map(\.rawValue).joined(separator: " ")], by: asker, db)
            }
        }
    }
}
