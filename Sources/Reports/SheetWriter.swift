import MeshCore

/// Writes a table row by row, so that a year of everybody needs no more memory than a line.
public struct SheetWriter {
    /// How a table is written.
    public enum Format: Equatable, Sendable {
        /// RFC 4180. `mark` puts a byte order mark in front, by which spreadsheet programs know
        /// UTF-8; `raw` leaves cells alone that such a program would take for a formula.
        case csv(mark: Bool, raw: Bool)
        /// One JSON document.
        case json
        /// A JSON object a line; the first tells about the report.
        case lines
    }

    /// The table.
    public let sheet: Sheet
    /// How it is written.
    public let format: Format
    private let output: (String) throws -> Void
    private var count = 0

    /// A writer that gives its text to `output`, piece by piece.
    public init(_ sheet: Sheet, as format: Format, to output: @escaping (String) throws -> Void) {
        self.sheet = sheet
        self.format = format
        self.output = output
    }

    /// Writes what comes before the rows.
    public func begin() throws {
        switch format {
        case .csv(let mark, let isRaw):
            let names = CSVText.names(of: sheet)
            try output((mark ? "\u{FEFF}" : "") + CSVText.line(names, raw: isRaw))
        case .json: try output(RowText.head(of: sheet).dropLast() + ",\"rows\":[")
        case .lines: try output(RowText.head(of: sheet) + "\n")
        }
    }

    /// Writes a row: a cell for each column, each of its column's kind.
    public mutating func row(_ cells: [Sheet.Cell?]) throws {
        precondition(cells.count == sheet.columns.count, "a row does not fit its table")
        switch format {
        case .csv(_, let isRaw): try output(CSVText.row(cells, of: sheet, raw: isRaw))
        case .json:
            try output((count == 0 ? "\n" : ",\n") + RowText.object(cells, of: sheet))
        case .lines: try output(RowText.object(cells, of: sheet) + "\n")
        }
        count += 1
    }

    /// Writes what comes after the rows. Without it the text is visibly not whole, except in CSV.
    public func end() throws {
        switch format {
        case .csv: break
        case .json: try output("\n]}\n")
        case .lines: try output("{\"end\":true,\"rows\":\(count)}\n")
        }
    }
}
