import Platform
import Registry
import Reporting
import SiteStore

/// Rows as they are named at a terminal.
extension SiteRows {
    /// The rows of a database. Throws an `Exit` if it holds no site.
    package init(reading store: Store) throws {
        self.init(store)
        guard try site() != nil else {
            throw Exit(code: 78, text: "the database holds no site yet")
        }
    }

    /// The id of the row that is meant by its id or its name. Throws an `Exit`.
    package func find(_ kind: SiteCollection, _ text: String) throws -> String {
        let things = try labels(kind).map { NameResolver.Thing(id: $0.id, name: $0.label) }
        return try NameResolver(kind: kind.one, things: things).find(text).id
    }
}
