import Basics
import GRDB
import JSON
import Operations
import Records
import Scheduling
import SiteModel
import SiteStore
import Wire

/// The table of a collection: its members are read and written as they are declared.
struct RowTable {
    private let kind: SiteCollection
    private var table: String { kind.table }
    private var members: [Parameter] { kind.members }

    init(_ kind: SiteCollection) { self.kind = kind }

    /// Where a member is kept.
    private enum Place {
        case column(String)
        /// The number of a row of another collection.
        case row(String, of: SiteCollection)
        /// Four columns: two opposite corners; or one with more of them.
        case corners
        /// In another table, or nowhere: this reads it.
        case elsewhere(String)
    }

    private static let corners = ["low_x_m", "low_y_m", "high_x_m", "high_y_m"]

    private func place(of member: Parameter) -> Place {
        switch (kind.name, member.name, member.kind) {
        case ("rooms", "area_m", _): .corners
        case ("stations", "exercises", _):
            .elsewhere(
                """
                (SELECT json_group_array(slug) FROM (
                    SELECT exercise.slug FROM station_exercise AS its
                        JOIN exercise ON exercise.id = its.exercise
                    WHERE its.station = station.id ORDER BY n))
                """)
        case ("nodes", "role", _): .elsewhere("iif(node.carrier IS NULL, NULL, 'mobile')")
        case ("nodes", "user", _): .row("carrier", of: .users)
        case ("users", "consent", _):
            .elsewhere(
                """
                (SELECT text_version FROM consent
                WHERE consent.user = user.id AND withdrawn_ms IS NULL)
                """)
        case ("cards", "group", _): .row("beacon_group", of: .groups)
        case ("beacons", "user", _):
            .elsewhere("(SELECT user.slug \(Self.binding("JOIN user ON user.id = said.user")))")
        case ("beacons", "until", _): .elsewhere("(SELECT said.until_ms \(Self.binding("")))")
        case (_, "id", _): .column("slug")
        case (_, _, .kilograms): .column(member.name.replacing("_kg", with: "_g"))
        case (_, _, .reference(let other)):
            SiteCollection.named(other).map { .row(member.name, of: $0) } ?? .column(member.name)
        default: .column(member.name)
        }
    }

    /// Who is said to carry a beacon, also where that is over.
    private static func binding(_ join: String) -> String {
        """
        FROM beacon_binding AS said \(join) WHERE said.beacon = beacon.id
            AND (said.to_ms IS NULL OR said.until_ms IS NOT NULL)
        """
    }

    /// What reads a member, other than corners.
    func expression(of member: Parameter) -> String {
        switch place(of: member) {
        case .column(let column): "\(table).\(column.quotedDatabaseIdentifier)"
        case .row(let column, let other):
            "(SELECT slug FROM \(other.table) AS other WHERE other.id = \(table).\(column))"
        case .corners: "NULL"
        case .elsewhere(let expression): expression
        }
    }

    // MARK: Reading

    /// The rows that are not retired and fulfil a condition, those of lower numbers first unless an order is said.
    ///
    /// - Throws: A `DatabaseError`, or a `DamagedRow`.
    func rows(
        _ db: Database, where condition: String = "TRUE", _ arguments: StatementArguments = [],
        orderedBy order: String? = nil, most: Int = .max
    ) throws -> [SiteTree] {
        let members = members.map { ($0, place(of: $0)) }
        let columns = members.map { member, place in
            switch place {
            case .corners: (Self.corners + ["corners_m"]).joined(separator: ", ")
            default: "\(expression(of: member)) AS \(member.name.quotedDatabaseIdentifier)"
            }
        }
        return try db.rows(
            """
            SELECT \(table).id AS "number", \(columns.joined(separator: ", ")) FROM \(table)
            WHERE \(table).retired_ms IS NULL AND (\(condition))
            ORDER BY \(order ?? "\(table).id") LIMIT ?
            """, arguments + [most]
        ) { row in
            .section(
                try members.compactMap { member, place in
                    let value: SiteTree?
                    do {
                        value =
                            switch place {
                            case .corners: Self.area(row)
                            default: try Self.tree(row[member.name], as: member.kind)
                            }
                    } catch {
                        throw DamagedRow("\(table).\(member.name)", row["number"] as Int64)
                    }
                    return (value ?? (member.isNullable ? .null : nil)).map { (member.name, $0) }
                })
        }
    }

    /// The row of a slug; `nil` if there is none, or it is retired.
    ///
    /// - Throws: A `DatabaseError`, or a `DamagedRow`.
    func row(_ slug: String, _ db: Database) throws -> SiteTree? {
        try rows(db, where: "\(table).slug = ?", [slug]).first
    }

    /// Those of some slugs that are not retired.
    func existing(_ slugs: [String], _ db: Database) throws -> Set<String> {
        guard !slugs.isEmpty else { return [] }
        let marks = slugs.map { _ in "?" }.joined(separator: ", ")
        return Set(
            try db.rows(
                "SELECT slug FROM \(table) WHERE retired_ms IS NULL AND slug IN (\(marks))",
                StatementArguments(slugs)
            ) { $0["slug"] as String })
    }

    /// How many are not retired.
    func count(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table) WHERE retired_ms IS NULL") ?? 0
    }

    /// The number of the row of a slug, retired or not; `nil` if there never was one.
    func number(of slug: String, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT id FROM \(table) WHERE slug = ?", arguments: [slug])
    }

    /// The slugs of rows with a member that is, or has among others, a value.
    func slugs(
        of member: Parameter, naming value: String, _ db: Database
    ) throws -> [String] {
        let condition =
            if case .list = member.kind {
                "? IN (SELECT value FROM json_each(\(expression(of: member))))"
            } else {
                "\(expression(of: member)) = ?"
            }
        return try db.rows(
            """
            SELECT \(table).slug AS named FROM \(table)
            WHERE \(table).retired_ms IS NULL AND \(condition) ORDER BY \(table).id
            """, [value]
        ) { $0["named"] }
    }

    private static func area(_ row: Row) -> SiteTree? {
        row.area.map { .list($0.numbers.map { .number($0) }) }
    }

    private static func tree(_ value: DatabaseValue, as kind: Parameter.Kind) throws -> SiteTree? {
        switch (kind, value.storage) {
        case (_, .null), (_, .blob), (.list, .string("[]")): return nil
        case (.kilograms, .int64(let grams)): return .number(Double(grams) / 1000)
        case (.flag, .int64(let number)): return .flag(number != 0)
        // A moment: a file says it in words.
        case (.text, .int64(let moment)):
            return .text(SiteFileWriter.text(Timestamp(milliseconds: moment)))
        case (_, .int64(let number)): return .scalar("\(number)")
        case (_, .double(let number)): return .number(number)
        case (.list, .string(let text)), (.map, .string(let text)):
            let tree = try SiteTree(json: text)
            guard SiteCollection.fits(tree, kind) else { throw PayloadError.notJSON(offset: 0) }
            return tree
        case (_, .string(let text)): return .text(text)
        }
    }

    // MARK: Writing

    /// Adds or replaces the row of a slug, as it was read by the rules of the file; a retired one is back.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    func put(_ row: SiteTree, by asker: Asker, _ db: Database) throws {
        let slug = row["id"]?.string ?? ""
        if kind == .users { try endOldWays(of: slug, by: asker, db) }
        var (columns, values) = ([String](), [String]())
        var arguments: [DatabaseValue] = []
        for member in members {
            let value = row[member.name]
            switch place(of: member) {
            case .column(let column):
                columns.append(column.quotedDatabaseIdentifier)
                values.append("?")
                arguments.append(Self.value(value, as: member.kind))
            case .row(let column, let other):
                columns.append(column)
                values.append("(SELECT id FROM \(other.table) WHERE slug = ?)")
                arguments.append(value?.string.databaseValue ?? .null)
            case .corners:
                let numbers = value?.items ?? []
                let isRectangle = numbers.count == Self.corners.count
                columns += Self.corners + ["corners_m"]
                values += columns.suffix(5).map { _ in "?" }
                arguments += Self.corners.indices.map { index in
                    isRectangle ? Self.value(numbers[index], as: .number) : .null
                }
                arguments.append(
                    isRectangle || numbers.isEmpty
                        ? .null : Self.value(value, as: .list(.number)))
            case .elsewhere: continue
            }
        }
        let set = columns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        try db.run(
            """
            INSERT INTO \(table) (\(columns.joined(separator: ", ")))
            VALUES (\(values.joined(separator: ", ")))
            ON CONFLICT (slug) DO UPDATE SET \(set), retired_ms = NULL
            """, StatementArguments(arguments))
        try keep(row, slug, at: asker.at, db)
    }

    /// Writes what is kept in other tables.
    private func keep(_ row: SiteTree, _ slug: String, at now: Timestamp, _ db: Database) throws {
        switch kind {
        case .stations:
            try db.run(
                """
                DELETE FROM station_exercise
                WHERE station = (SELECT id FROM station WHERE slug = ?)
                """, [slug])
            for (n, exercise) in (row["exercises"]?.items ?? []).enumerated() {
                try db.run(
                    """
                    INSERT INTO station_exercise (station, n, exercise)
                    SELECT station.id, ?, exercise.id FROM station, exercise
                    WHERE station.slug = ? AND exercise.slug = ?
                    """, [n, slug, exercise.string])
            }
        case .users: try Consents.put(consent: row["consent"]?.string, of: slug, at: now, db)
        case .beacons:
            let identity = row["identity"]?.string.flatMap { Identity(text: $0) }
            try BeaconRows.identify(slug, by: identity, at: now, db)
            try BeaconRows.fix(
                slug, room: row["room"]?.string, station: row["station"]?.string, at: now, db)
            try BeaconRows.bind(
                slug, to: row["user"]?.string,
                until: row["until"]?.string.flatMap { StatedMoment.exact($0) }, at: now, db)
        default: break
        }
    }

    /// A release before this one retired people and left them their ways in.
    private func endOldWays(of slug: String, by asker: Asker, _ db: Database) throws {
        let retired = try Int64.fetchOne(
            db, sql: "SELECT id FROM user WHERE slug = ? AND retired_ms IS NOT NULL",
            arguments: [slug])
        if let retired { try Departures.end(of: UserID(retired), by: asker, db) }
    }

    private static func value(_ tree: SiteTree?, as kind: Parameter.Kind) -> DatabaseValue {
        guard let tree, tree != .null else { return .null }
        switch (kind, tree) {
        case (.kilograms, .scalar(let text)):
            return Double(text).map { Int64(($0 * 1000).rounded()) }?.databaseValue ?? .null
        case (.integer, .scalar(let text)): return Int64(text)?.databaseValue ?? .null
        case (.decimal, .scalar(let text)), (.number, .scalar(let text)):
            return Double(text)?.databaseValue ?? .null
        case (.flag, .scalar(let text)): return (text == "true").databaseValue
        case (_, .text(let text)): return text.databaseValue
        default: return tree.json.databaseValue
        }
    }
}
