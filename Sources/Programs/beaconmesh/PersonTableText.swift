import Records
import Reporting

/// A table of an export as CSV: RFC 4180 with a line of headings.
struct PersonTableText {
    /// The text, lines ended by CR LF.
    let csv: String

    init(_ table: PersonExport.Table, _ separator: CSVText.Separator = .comma) {
        let lines =
            [table.columns.map(CSVText.safe)]
            + table.rows.map { $0.map { Self.text($0, separator) } }
        csv = lines.map { CSVText.line($0, separator) }.joined()
    }

    private static func text(_ cell: PersonExport.Cell, _ separator: CSVText.Separator) -> String {
        switch cell {
        case .none: ""
        case .integer(let number): "\(number)"
        case .number(let number): CSVText.number("\(number)", separator)
        case .text(let value): CSVText.safe(value)
        }
    }
}
