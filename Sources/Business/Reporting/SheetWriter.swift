/// Writes a table row by row. Whoever takes its text often needs no more memory than a few rows, for
/// a year of everybody too.
package struct SheetWriter: Sendable {
    /// How a table is written.
    package enum Format: Equatable, Sendable {
        /// RFC 4180, with a comma or another separator. `mark` puts a byte order mark in front, by
        /// which spreadsheet programs know UTF-8; `raw` leaves cells alone that such a program would
        /// take for a formula.
        case csv(mark: Bool, raw: Bool, separator: CSVText.Separator = .comma)
        /// One JSON document.
        case json
        /// A JSON object a line; the first tells about the report, the last that it is whole.
        case lines
        /// Not as text: rows are kept as they are, for a terminal.
        case cells
    }

    /// The table.
    package let sheet: Sheet
    /// How it is written.
    package let format: Format
    /// Rows of a table that is not written as text.
    package private(set) var rows: [[Sheet.Cell?]] = []
    private var text = ""
    private var count = 0

    package init(_ sheet: Sheet, as format: Format) {
        self.sheet = sheet
        self.format = format
    }

    /// Writes what comes before the rows.
    package mutating func begin() {
        switch format {
        case .csv(let mark, _, let separator):
            text += (mark ? "\u{FEFF}" : "") + CSVText.line(CSVText.names(of: sheet), separator)
        case .json: text += RowText.head(of: sheet).dropLast() + ",\"rows\":["
        case .lines: text += RowText.head(of: sheet) + "\n"
        case .cells: break
        }
    }

    /// Writes a row: a cell for each column, each of its column's kind.
    package mutating func row(_ cells: [Sheet.Cell?]) {
        precondition(cells.count == sheet.columns.count, "a row does not fit its table")
        switch format {
        case .csv(_, let isRaw, let separator):
            text += CSVText.row(cells, of: sheet, raw: isRaw, separator)
        case .json: text += (count == 0 ? "\n" : ",\n") + RowText.object(cells, of: sheet)
        case .lines: text += RowText.object(cells, of: sheet) + "\n"
        case .cells: rows.append(cells)
        }
        count += 1
    }

    /// Writes what comes after the rows. Without it the text is visibly not whole, except in CSV.
    package mutating func end() {
        switch format {
        case .csv, .cells: break
        case .json: text += "\n]}\n"
        case .lines: text += "{\"end\":true,\"rows\":\(count)}\n"
        }
    }

    /// The text written since this was last called.
    package mutating func take() -> String {
        defer { text = "" }
        return text
    }
}
