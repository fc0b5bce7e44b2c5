import MeshCore

/// Tables as RFC 4180 has them: commas, CRLF, quotes where needed.
enum CSVText {
    /// The names in the first line: a moment has two columns; the last one says how lengths were
    /// rounded.
    static func names(of sheet: Sheet) -> [String] {
        sheet.columns.flatMap { column -> [String] in
            switch column.kind {
            case .length: [column.name + "_s"]
            case .moment: [column.name + "_ms", column.name + "_local"]
            case .text, .count, .date, .flag, .words: [column.name]
            }
        } + ["rounding"]
    }

    /// A row with its line end.
    static func row(_ cells: [Sheet.Cell?], of sheet: Sheet, raw isRaw: Bool) -> String {
        var fields: [String] = []
        for (cell, column) in zip(cells, sheet.columns) {
            switch cell {
            case nil:
                fields.append("")
                if case .moment = column.kind { fields.append("") }
            case .text(let text): fields.append(safe(text, raw: isRaw))
            case .count(let count): fields.append("\(count)")
            case .length(let length): fields.append(seconds(sheet.rounding(length)))
            case .moment(let moment):
                fields += ["\(moment.milliseconds)", sheet.local(moment)]
            case .date(let date): fields.append("\(date)")
            case .flag(let flag): fields.append(flag ? "1" : "0")
            case .words(let words): fields.append(safe(words.joined(separator: " "), raw: isRaw))
            }
        }
        return line(fields + ["\(sheet.rounding)"])
    }

    /// Fields as a line, quoted where they must be.
    static func line(_ fields: [String]) -> String {
        fields.map(quoted).joined(separator: ",") + "\r\n"
    }

    /// Text that a spreadsheet program does not take for a formula: such a cell begins with an
    /// apostrophe. Numbers never come here, so that a negative balance stays a number.
    static func safe(_ text: String, raw isRaw: Bool) -> String {
        guard !isRaw, let first = text.unicodeScalars.first else { return text }
        switch first {
        case "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
            "\u{FE62}", "\u{FE63}", "\u{FE66}", "\u{FE6B}", "\u{2212}":
            return "'" + text
        default: return text
        }
    }

    private static func quoted(_ field: String) -> String {
        let needsQuotes = field.utf8.contains { byte in
            [UInt8(ascii: "\""), UInt8(ascii: ","), 0x0A, 0x0D, 0x09].contains(byte)
        }
        guard needsQuotes || field.hasPrefix(" ") || field.hasSuffix(" ") else { return field }
        return "\"" + field.replacing("\"", with: "\"\"") + "\""
    }

    /// Seconds, with as many decimals as there are milliseconds.
    static func seconds(_ length: Timestamp.Span) -> String {
        let value = length.milliseconds.magnitude
        let sign = length.milliseconds < 0 ? "-" : ""
        let rest = value % 1000
        guard rest > 0 else { return "\(sign)\(value / 1000)" }
        var digits = String(rest + 1000).dropFirst()
        while digits.hasSuffix("0") { digits = digits.dropLast() }
        return "\(sign)\(value / 1000).\(digits)"
    }
}
