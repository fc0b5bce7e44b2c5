import Storage

/// A table of an export as CSV: RFC 4180 with a line of headings.
struct PersonTableText {
    /// The text, lines ended by CR LF.
    let csv: String

    init(_ table: PersonExport.Table) {
        let lines = [table.columns.map(Self.text)] + table.rows.map { $0.map(Self.cell) }
        csv = lines.map { $0.joined(separator: ",") + "\r\n" }.joined()
    }

    private static func cell(_ cell: PersonExport.Cell) -> String {
        switch cell {
        case .none: ""
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .text(let value): text(value)
        }
    }

    /// A text that a spreadsheet would take for a formula gets an apostrophe before it.
    private static func text(_ value: String) -> String {
        let isFormula = value.first.map { "=+-@\t\r＝＋－＠".contains($0) } ?? false
        let safe = isFormula ? "'" + value : value
        guard safe.contains(where: { ",\"\r\n".contains($0) || $0.isNewline }) else { return safe }
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }
}
