import Basics
import GRDB
import Operations
import Records
import SiteModel
import SiteStore

/// The rows of a site that are not retired, as its file has them.
package struct SiteRows: Sendable {
    /// Which rows of a list are asked for.
    package struct Query: Sendable {
        /// Members that must be so.
        package var matching: [(member: Parameter, value: String)] = []
        /// What the label holds, in upper or lower case.
        package var part: String?
        /// Whether they come by their label in place of their id.
        package var isByLabel = false
        /// The key of the row before them.
        package var after: String?
        /// The only person whose rows are shown, besides those that are nobody's; `nil`: everybody's are.
        package var onlyOf: String?
        package var most = Int.max

        package init() {}
    }

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// The row of a slug; `nil` if there is none, or it is retired.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`. So do the others.
    package func row(_ kind: SiteCollection, _ slug: String) throws(StoreError) -> SiteTree? {
        try store.read { db in try RowTable(kind).row(slug, db) }
    }

    /// All rows of a list, in their order.
    package func all(_ kind: SiteCollection) throws(StoreError) -> [SiteTree] {
        try store.read { db in try RowTable(kind).rows(db) }
    }

    /// Some rows of a list, and the key after which the next page begins, if there is one.
    package func page(
        _ kind: SiteCollection, _ query: Query
    ) throws(StoreError) -> (rows: [SiteTree], next: String?) {
        try store.read { db in
            var conditions: [String] = []
            var arguments: [String] = []
            func add(_ condition: String, _ argument: String) {
                conditions.append("(\(condition))")
                arguments.append(argument)
            }
            let id = "\(kind.table).slug"
            // As Swift has it: SQLite knows upper case of ASCII only.
            let label = "swiftLowercaseString(\(kind.table).\(kind.label))"
            let key = query.isByLabel ? "\(label) || char(10) || \(id)" : id
            for (member, value) in query.matching {
                add("\(RowTable(kind).expression(of: member)) = ?", value)
            }
            if let part = query.part { add("instr(\(label), ?) > 0", part.lowercased()) }
            if let after = query.after { add("\(key) > ?", after) }
            if let only = query.onlyOf, let user = kind.members.first(where: { $0.name == "user" })
            {
                let owner = RowTable(kind).expression(of: user)
                add("\(owner) IS NULL OR \(owner) = ?", only)
            }
            let rows = try RowTable(kind).rows(
                db, where: conditions.isEmpty ? "TRUE" : conditions.joined(separator: " AND "),
                StatementArguments(arguments), orderedBy: key,
                most: query.most == .max ? .max : query.most + 1)
            guard rows.count > query.most else { return (rows, nil) }
            let page = Array(rows.prefix(query.most))
            let last = page.last.map { row in
                (query.isByLabel ? (row[kind.label]?.string ?? "").lowercased() + "\n" : "")
                    + (row["id"]?.string ?? "")
            }
            return (page, last)
        }
    }

    /// The ids and labels of a list.
    package func labels(
        _ kind: SiteCollection
    ) throws(StoreError) -> [(id: String, label: String)] {
        try store.read { db in
            try db.rows(
                """
                SELECT slug, \(kind.label) AS label FROM \(kind.table)
                WHERE retired_ms IS NULL ORDER BY id
                """
            ) { ($0["slug"], $0["label"]) }
        }
    }

    /// The whole site as a file, and the revision it is of; `nil` before the first import.
    package func file() throws(StoreError) -> (tree: SiteTree, revision: Int64)? {
        try store.read { db in
            guard let site = try Self.head(db) else { return nil }
            var rows: [String: [SiteTree]] = [:]
            for kind in SiteCollection.all { rows[kind.name] = try RowTable(kind).rows(db) }
            return (SiteFileWriter(site, rows: rows).tree, try Self.revision(db))
        }
    }

    /// The site itself, and its revision; `nil` before the first import.
    package func site() throws(StoreError) -> (tree: SiteTree, revision: Int64)? {
        try store.read { db in
            try Self.head(db).map { (SiteFileWriter.head(of: $0), try Self.revision(db)) }
        }
    }

    /// How the site decides.
    package func policy() throws(StoreError) -> SiteTree {
        try store.read { db in
            try SiteHead.tree(SiteDocument.policySettings, db)
                ?? Policy.settings.tree(of: Policy())
        }
    }

    /// What is set of the site; `nil` before the first import.
    package func settings() throws(StoreError) -> SiteTree? {
        try store.read { db in try SiteHead.tree(SiteDocument.settings, db) }
    }

    private static func revision(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT revision FROM site") ?? 0
    }

    /// The site without its rows; `nil` before the first import.
    static func head(_ db: Database) throws -> SiteDocument? {
        guard let site = try Row.fetchOne(db, sql: "SELECT * FROM site") else { return nil }
        var document = SiteDocument(
            slug: site["slug"], name: site["name"], timeZone: site["time_zone"],
            isDemo: site["demo"], rooms: [], stations: [], nodes: [], users: [], beacons: [],
            policy: try JSONText.value(Policy.self, from: site["policy"]),
            privacy: PrivacyPolicy(
                requiresConsent: site["requires_consent"], attendanceDays: site["attendance_days"],
                wallNames: WallNames(rawValue: site["wall_names"]) ?? .none),
            dayStart: LocalTime(minutes: site["day_start_min"]) ?? .midnight)
        if let shown: String = site["content"] {
            document.shown = try JSONText.value(ContentSettings.self, from: shown)
        }
        return document
    }
}
