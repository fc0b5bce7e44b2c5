/// Text for a terminal. An attacker with a radio may have chosen any of it.
package enum TerminalText {
    /// `text` on one line, harmless to a terminal.
    package static func harmless(_ text: String) -> String { HarmlessText.line(text) }

    /// The columns that a text takes.
    package static func columns(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + columns($1) }
    }

    /// Exactly `width` columns: the text and blanks, or its beginning and “…”.
    package static func fitted(_ text: String, to width: Int) -> String {
        let needed = columns(text)
        if needed <= width { return text + String(repeating: " ", count: width - needed) }
        guard width > 0 else { return "" }
        let kept = prefix(of: text.unicodeScalars, columns: width - 1)
        return kept + "…" + String(repeating: " ", count: width - 1 - columns(kept))
    }

    /// At most `width` columns; of a longer text its beginning, “…” and its end, where names of
    /// beacons differ.
    package static func shortened(_ text: String, to width: Int) -> String {
        guard columns(text) > width else { return text }
        guard width > 4 else { return fitted(text, to: width) }
        let tail = min(12, (width - 1) / 2)
        let end = prefix(of: text.unicodeScalars.reversed(), columns: tail).unicodeScalars
            .reversed()
        let start = prefix(of: text.unicodeScalars, columns: width - 1 - tail)
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: end)
        return start + "…" + String(scalars)
    }

    private static func prefix(
        of scalars: some Sequence<Unicode.Scalar>, columns width: Int
    ) -> String {
        var kept = String.UnicodeScalarView()
        var used = 0
        for scalar in scalars {
            used += columns(scalar)
            guard used <= width else { break }
            kept.append(scalar)
        }
        return String(kept)
    }

    /// Two for the characters of East Asia and for pictures, as terminals have it (Unicode
    /// Standard Annex 11, “Wide” and “Fullwidth”, by whole blocks).
    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0..<0x300: 1
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
            2
        default: HarmlessText.isMark(scalar) ? 0 : scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }
}
