/// Columns of text for a terminal. What controls a terminal in hostile
/// names is left out.
package struct TextTable {
    private var rows: [[String]]

    package init(_ headings: [String]) { rows = [headings] }

    package mutating func add(_ row: [String]) {
        rows.append(row.map(HarmlessText.stripped))
    }

    /// The lines, columns padded to the widest cell.
    package var text: String {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: max(0, width - cell.count))
            }.joined(separator: "  ").trimmed
        }.joined(separator: "\n")
    }
}

extension String {
    /// Without blanks at both ends.
    fileprivate var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
