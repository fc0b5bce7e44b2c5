import SiteModel

/// Tables as RFC 4180 has them: a separator, CRLF, quotes where needed. Spreadsheet programs open them
/// without taking a text for a formula, whichever separator they go by.
package enum CSVText {
    /// What stands between the cells of a line.
    package enum Separator: String, CaseIterable, Sendable {
        /// RFC 4180.
        case comma = ","
        /// For spreadsheet programs of countries with a decimal comma: decimals have one, too.
        case semicolon = ";"
        case tab = "\t"

        /// The separator of its name, or given as it is; `nil` for any other text.
        package init?(named text: String) {
            let named = Self.allCases.first { $0.name == text } ?? Self(rawValue: text)
            guard let named else { return nil }
            self = named
        }

        /// `comma`, `semicolon` or `tab`.
        package var name: String {
            switch self {
            case .comma: "comma"
            case .semicolon: "semicolon"
            case .tab: "tab"
            }
        }
    }

    /// The names in the first line: a moment has two columns; the last one says how lengths were
    /// rounded.
    package static func names(of sheet: Sheet) -> [String] {
        sheet.columns.flatMap(\.keys) + ["rounding"]
    }

    /// A row with its line end. `raw`: texts stay as they are, also those that are formulas.
    package static func row(
        _ cells: [Sheet.Cell?], of sheet: Sheet, raw isRaw: Bool, _ separator: Separator
    ) -> String {
        func text(_ text: String) -> String { isRaw ? text : safe(text) }
        var fields: [String] = []
        for (cell, column) in zip(cells, sheet.columns) {
            switch cell {
            case nil:
                fields.append("")
                if case .moment = column.kind { fields.append("") }
            case .text(let value): fields.append(text(value))
            case .count(let count): fields.append("\(count)")
            case .length(let length):
                fields.append(number(seconds(sheet.rounding(length)), separator))
            case .moment(let moment):
                fields += ["\(moment.milliseconds)", sheet.local(moment)]
            case .date(let date): fields.append("\(date)")
            case .flag(let flag): fields.append(flag ? "1" : "0")
            case .words(let words): fields.append(text(words.joined(separator: " ")))
            }
        }
        return line(fields + ["\(sheet.rounding)"], separator)
    }

    /// Fields as a line with its end, quoted where they must be.
    package static func line(_ fields: [String], _ separator: Separator) -> String {
        fields.map(quoted).joined(separator: separator.rawValue) + "\r\n"
    }

    /// A decimal number, written with a point, as it stands beside a separator.
    package static func number(_ text: String, _ separator: Separator) -> String {
        separator == .semicolon ? text.replacing(".", with: ",") : text
    }

    /// Text of which a spreadsheet program takes no part for a formula: before each character that
    /// would begin one stands an apostrophe. That is so at the beginning, and after each separator
    /// and line end within, because programs with another separator begin a cell there whatever the
    /// quotes. What cannot be seen, blanks and quotes do not hide it. Numbers never come here, so that
    /// a negative balance stays a number.
    package static func safe(_ text: String) -> String {
        var safe = String.UnicodeScalarView()
        // By scalars: `=` with a mark over it is another character than `=`, and begins a formula.
        if let first = text.unicodeScalars.first, ["\t", "\r", "\n"].contains(first) {
            safe.append("'")
        }
        var isAtStart = true
        for scalar in text.unicodeScalars {
            if isAtStart, beginsFormula(scalar) { safe.append("'") }
            isAtStart = endsCell(scalar) || (isAtStart && hidesNothing(scalar))
            safe.append(scalar)
        }
        return String(safe)
    }

    /// Text that spreadsheet programs take for no formula, as with `safe`, from which `unguarded` makes the same
    /// text again: an apostrophe stands before each one, too, where a cell may begin.
    package static func guarded(_ text: String) -> String {
        var guarded = String.UnicodeScalarView()
        if let first = text.unicodeScalars.first, ["\t", "\r", "\n"].contains(first) {
            guarded.append("'")
        }
        var isAtStart = true
        for scalar in text.unicodeScalars {
            if isAtStart, scalar == "'" || beginsFormula(scalar) { guarded.append("'") }
            isAtStart = endsCell(scalar) || (isAtStart && hidesNothing(scalar))
            guarded.append(scalar)
        }
        return String(guarded)
    }

    /// What `guarded` made of a text. Of any other the first apostrophe goes where a cell may begin.
    package static func unguarded(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        var isAtStart = true
        var isGuarded = false
        for scalar in text.unicodeScalars {
            if isAtStart, !isGuarded, scalar == "'" {
                isGuarded = true
                continue
            }
            isGuarded = false
            isAtStart = endsCell(scalar) || (isAtStart && hidesNothing(scalar))
            plain.append(scalar)
        }
        return String(plain)
    }

    /// `=`, `+`, `-`, `@` and what programs take for them: full-width, small, raised and lowered
    /// ones, the minus sign.
    private static func beginsFormula(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}", "\u{FE62}",
            "\u{FE63}", "\u{FE66}", "\u{FE6B}", "\u{2212}", "\u{207A}"..."\u{207C}",
            "\u{208A}"..."\u{208C}":
            true
        default: false
        }
    }

    /// A separator of some program, or the end of a line.
    private static func endsCell(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ",", ";", "|", "\t", "\n"..."\r", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }

    /// What may stand before a formula that is one all the same.
    private static func hidesNothing(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator,
            .nonspacingMark, .enclosingMark, .spacingMark, .unassigned, .privateUse, .surrogate:
            true
        default: scalar == "\"" || scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    private static func quoted(_ field: String) -> String {
        let needsQuotes = field.utf8.contains { byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";"), 0x0A, 0x0D, 0x09: true
            default: false
            }
        }
        guard needsQuotes || field.hasPrefix(" ") || field.hasSuffix(" ") else { return field }
        var text = String.UnicodeScalarView()
        text.append("\"")
        for scalar in field.unicodeScalars {
            text.append(scalar)
            // By scalars: a quote with a combining mark over it is still a quote to other programs.
            if scalar == "\"" { text.append("\"") }
        }
        text.append("\"")
        return String(text)
    }

    /// Seconds, with as many decimals as there are milliseconds.
    package static func seconds(_ length: Timestamp.Span) -> String {
        thousandths(length.milliseconds)
    }

    /// So many thousandths as a decimal number, with as many decimals as it needs.
    package static func thousandths(_ count: Int64) -> String {
        let value = count.magnitude
        let sign = count < 0 ? "-" : ""
        let rest = value % 1000
        guard rest > 0 else { return "\(sign)\(value / 1000)" }
        var digits = String(rest + 1000).dropFirst()
        while digits.hasSuffix("0") { digits = digits.dropLast() }
        return "\(sign)\(value / 1000).\(digits)"
    }
}
