import GRDB
import SiteModel
import SiteStore

/// What a screen on the wall shows of names.
package struct BoardNames: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// The site's rule, and what it leaves of the names of people, by slug.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func shown(of people: Set<String>) throws(StoreError) -> (WallNames, [String: String]) {
        try store.read { db in
            let word = try String.fetchOne(db, sql: "SELECT wall_names FROM site") ?? ""
            let rule = WallNames(rawValue: word) ?? .none
            guard rule != .none else { return (rule, [:]) }
            var shown: [String: String] = [:]
            for (slug, name) in try db.rows(
                "SELECT slug, name FROM user WHERE retired_ms IS NULL",
                as: { ($0["slug"] as String, $0["name"] as String) })
            where people.contains(slug) {
                shown[slug] = rule.shown(of: name)
            }
            return (rule, shown)
        }
    }
}
