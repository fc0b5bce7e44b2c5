import Foundation
import GRDB
import SiteSchema
import SiteModel

/// What a look at a site's database showed. Nothing was written to it.
package struct StoreExamination: Equatable, Sendable {
    /// The version of its schema.
    package var schema: Int
    /// The newest version this release knows; it brings older ones up to date when it starts.
    package var known: Int
    /// The slug of the site it holds, or `nil` before the first import.
    package var site: String?
    /// The revision in force, 0 before the first import.
    package var revision: Int64
    /// Approved corrections that are left out (`OverrideTable.setAside`), by row.
    package var setAside: [Int64] = []
    /// When the database refused facts for good, at last, and why; `nil` if it never did.
    package var refused: Refused?

    /// Facts that were refused.
    package struct Refused: Equatable, Sendable {
        /// When.
        package var at: Timestamp
        /// What the database said.
        package var reason: String
    }

    package init(schema: Int, known: Int, site: String?, revision: Int64) {
        self.schema = schema
        self.known = known
        self.site = site
        self.revision = revision
    }
}

extension StoreExamination {
    /// Looks at the database at `path` without changing it, also while a coordinator uses it.
    /// `isDeep`: reads all of it, and compares indexes with their tables (`integrity_check`), which a
    /// start does not. Throws what a start would; of a file that is not there `cannotOpen`.
    package static func examine(
        _ path: String, isDeep: Bool
    ) throws(StoreError) -> StoreExamination {
        guard FileManager.default.fileExists(atPath: path) else {
            throw .cannotOpen(
                path: path, reason: StoreError.obstacle(at: path) ?? "there is no such file")
        }
        do {
            try Store.examineBeginning(of: path)
            let still = StillFile(path)
            let queue = try DatabaseQueue(
                path: still?.name ?? path, configuration: Store.readingOnly)
            defer { _ = Result { try queue.close() } }
            let found = Result {
                try queue.read { db in try examination(db, path: path, isDeep: isDeep) }
            }
            try still?.checkUnchanged(path)
            return try found.get()
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private static func examination(
        _ db: Database, path: String, isDeep: Bool
    ) throws -> StoreExamination {
        let schema = try Store.schema(of: db, path: path)
        if isDeep {
            try Store.check(db, path: path, isThorough: true)
        }
        var examination = StoreExamination(
            schema: schema, known: Schema.version, site: nil, revision: 0)
        guard schema > 0, let row = try Row.fetchOne(db, sql: "SELECT slug, revision FROM site")
        else { return examination }
        examination.site = row["slug"]
        examination.revision = row["revision"]
        guard schema == Schema.version else { return examination }
        examination.setAside = try OverrideTable.setAside(db)
        examination.refused = try Row.fetchOne(
            db, sql: "SELECT at_ms, reason FROM refused_input ORDER BY id DESC LIMIT 1"
        ).map { Refused(at: $0["at_ms"], reason: $0["reason"]) }
        return examination
    }
}
