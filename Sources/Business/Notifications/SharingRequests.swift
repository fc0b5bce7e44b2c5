import GRDB
import Records
import Scheduling
import SiteModel
import SiteStore

/// Asks people who train whether they let trainers see it. Who asks learns how many, and not whom.
package struct SharingRequests: Sendable {
    /// Nobody is asked again sooner.
    package static let pause = Timestamp.Span.seconds(7 * 86_400)

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Asks everybody who trains now, lets nobody see it, and was not asked for `pause`. Returns how many.
    ///
    /// - Parameter asker: The slug of who asks, who is not asked; `nil`: nobody who is registered.
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func ask(
        by asker: String?, at now: Timestamp, _ calendar: SiteCalendar
    ) throws(StoreError) -> Int {
        try store.write { db in
            let rules = try NotificationQueue.noticeRules(db)
            let people = try db.rows(
                """
                SELECT DISTINCT user.id FROM workout JOIN user ON user.id = workout.user
                WHERE workout.ended_ms IS NULL AND user.retired_ms IS NULL AND user.slug IS NOT ?1
                    AND user.id NOT IN (SELECT user FROM sharing WHERE kind = 'training')
                    AND user.id NOT IN (SELECT user FROM notification
                        WHERE kind = 'share-request' AND user IS NOT NULL AND made_ms > ?2)
                ORDER BY user.id
                """, [asker, (now - Self.pause).milliseconds]
            ) { $0["id"] as UserID }
            for user in people {
                try NotificationTable.put(
                    NotificationRow(
                        kind: .shareRequest, cause: "share-request-\(user.row)-\(now.milliseconds)",
                        user: user, at: now, made: now,
                        due: rules.due(.shareRequest, about: user, at: now, by: calendar)), into: db
                )
            }
            return people.count
        }
    }
}
