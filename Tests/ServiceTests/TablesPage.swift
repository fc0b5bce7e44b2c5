import SiteSchema

/// `docs/reference/tables.md`: what each table is, made from the code that decides.
enum TablesPage {
    static var text: String {
        let head = ["table", "rows a day", "kept", "whose", "an erasure"]
        return """
            # Tables

            Made from `Sources/Core/SiteSchema/SiteTables.swift`, where retention, erasure and export read it; a test compares.
            Rows a day are computed for a gym of 50 users, 11 nodes, 40 visits a day; the factors per visit are
            counted in the demonstration's history (`--people 50`, 14 days, 427 visits): 14 stays, one workout, two requests.
            *Blanked*: names of an erased person are replaced by the pseudonym in what people wrote.

            \(row(head))
            \(row(head.map { _ in "---" }))
            \(SiteTables.all.sorted { $0.name < $1.name }.map { row(of: $0) }.joined(separator: "\n"))

            """
    }

    private static func row(of table: TableSpec) -> String {
        let whose: String
        switch table.person {
        case .nobody: whose = "–"
        case .user: whose = "`user`"
        case .through(let column, let parent, _): whose = "`\(column)` of `\(parent)`"
        case .matching: whose = "whom the request is about"
        }
        let rows: String
        switch table.erasure {
        case .deleted?: rows = "deleted"
        case .kept?: rows = "kept under the pseudonym"
        case .asAttendance?: rows = "as attendance"
        case .withParent?: rows = "with that row"
        case nil: rows = ""
        }
        let texts: String
        switch table.texts {
        case .none: texts = ""
        case .blanked: texts = "blanked"
        case .blankedIn(let columns):
            texts = "blanked in " + columns.sorted().map { "`\($0)`" }.joined(separator: ", ")
        case .gone: texts = "a row that names them goes"
        }
        let done = [rows, texts].filter { !$0.isEmpty }.joined(separator: "; ")
        return row([
            "`\(table.name)`", table.rowsADay, table.kept.words, whose, done.isEmpty ? "–" : done,
        ])
    }

    private static func row(_ cells: [String]) -> String {
        "| " + cells.joined(separator: " | ") + " |"
    }
}
