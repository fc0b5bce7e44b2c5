import GRDB
import SiteModel
import SiteStore

/// The end of what was asked for for some minutes: that nodes tell of everything they hear.
package struct UnregisteredEnd: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// The site without that, and the revision it is made from, if the time for it is over; else `nil`.
    ///
    /// - Throws: A reader's `StoreError`.
    package func due(at now: Timestamp) throws(StoreError) -> (SiteDocument, revision: Int64)? {
        // Asked every few seconds: the whole site is read only when it is due.
        let until = try store.read { db in
            try Int64.fetchOne(
                db, sql: "SELECT json_extract(policy, '$.unregisteredUntil') FROM site")
        }
        guard let until, until <= now.milliseconds,
            let (current, revision) = try SiteImport(store).current()
        else { return nil }
        var document = current
        (document.policy.publishesUnregistered, document.policy.unregisteredUntil) = (false, nil)
        return (document, revision)
    }
}
