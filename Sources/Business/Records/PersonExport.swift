import SiteModel
import SiteStore
import Wire

/// Everything a site holds about one person, table by table.
package struct PersonExport: Equatable, Sendable, Codable {
    /// A value of a column.
    package enum Cell: Equatable, Sendable, Codable {
        case none
        case integer(Int64)
        case number(Double)
        /// Hostile text, like everything people write.
        case text(String)
    }

    /// Rows of one table.
    package struct Table: Equatable, Sendable, Codable {
        /// Its name: that of the database's table or view where there is one.
        package var name: String
        /// The columns, units in their names.
        package var columns: [String]
        /// The rows, each with a cell a column.
        package var rows: [[Cell]]

        package init(name: String, columns: [String], rows: [[Cell]]) {
            self.name = name
            self.columns = columns
            self.rows = rows
        }
    }

    /// The slug of the person.
    package var user: String
    /// The site's slug.
    package var site: String
    /// When this was put together.
    package var at: Timestamp
    /// The end of the audit chain then.
    package var head: AuditHead
    /// The tables, by name.
    package var tables: [Table]

    /// One document: `user`, `site`, `at_ms`, `audit_head`, and in `tables` a list of objects each.
    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("user", user)
        writer.field("site", site)
        writer.field("at_ms", at.milliseconds)
        writer.field("audit_head", head.description)
        writer.key("tables")
        writer.beginObject()
        for table in tables {
            writer.key(table.name)
            writer.beginArray()
            for row in table.rows {
                writer.beginObject()
                for (column, cell) in zip(table.columns, row) {
                    switch cell {
                    case .none: continue
                    case .integer(let number): writer.field(column, number)
                    case .number(let number): writer.field(column, number)
                    case .text(let text): writer.field(column, text)
                    }
                }
                writer.endObject()
            }
            writer.endArray()
        }
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }
}
