import GRDB
import SiteModel
import SiteStore

/// The end of what was asked for for some minutes: that nodes tell of everything they hear.
package struct UnregisteredEnd: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// The policy without that, and the tag of the one it is made from, if the time for it is over; else `nil`.
    ///
    /// - Throws: A reader's `StoreError`.
    package func due(at now: Timestamp) throws(StoreError) -> (RowEdit, ifMatch: String)? {
        try store.read { db in
            guard var policy = try SiteRows.head(db)?.policy, let until = policy.unregisteredUntil,
                until <= now
            else { return nil }
            let tag = RowEdit.tag(Policy.settings.tree(of: policy))
            (policy.publishesUnregistered, policy.unregisteredUntil) = (false, nil)
            return (.policy(Policy.settings.tree(of: policy)), tag)
        }
    }
}
