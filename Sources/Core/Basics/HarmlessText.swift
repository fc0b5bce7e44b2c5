/// Text for a terminal, a log or a page. An attacker with a radio, or with the right to publish,
/// may have chosen any of it.
package enum HarmlessText {
    /// The most combining marks of a letter: real scripts need two, a pile of them paints over
    /// other lines.
    private static let mostMarks = 2

    /// `text` on one line: what controls a terminal (C0 and C1), reverses the direction of writing or
    /// cannot be seen is written `\u{202E}`, and letters carry at most two marks.
    package static func line(_ text: String) -> String {
        shown(text) { $0.append(contentsOf: escape(of: $1).unicodeScalars) }
    }

    /// `text` on one line, without what ``line(_:)`` would escape.
    package static func stripped(_ text: String) -> String { shown(text) { _, _ in } }

    /// A scalar by its number, `\u{202E}`.
    package static func escape(of scalar: Unicode.Scalar) -> String {
        "\\u{\(Hex.text(UInt64(scalar.value)).uppercased())}"
    }

    private static func shown(
        _ text: String, else spell: (inout String.UnicodeScalarView, Unicode.Scalar) -> Void
    ) -> String {
        var shown = String.UnicodeScalarView()
        var marks = 0
        for scalar in text.unicodeScalars {
            if isMark(scalar) {
                marks += 1
                if marks > mostMarks { continue }
            } else {
                marks = 0
            }
            if isHarmless(scalar) { shown.append(scalar) } else { spell(&shown, scalar) }
        }
        return String(shown)
    }

    /// Whether a scalar shows what it is and nothing else.
    package static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            false
        default: true
        }
    }

    /// Whether a scalar sits on the one before it and takes no column.
    package static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }
}

/// Names that people give to things and to each other.
extension HarmlessText {
    /// Why a text is no name that people could read, with the character that is to blame; `nil` if it
    /// is one. Joiners and marks that some scripts need are let be.
    package static func fault(inName name: String) -> String? {
        let scalars = name.unicodeScalars
        guard let first = scalars.first else { return "is empty" }
        if let control = scalars.first(where: isControl) { return fault(of: control) }
        if let turning = scalars.first(where: turnsWriting) {
            return "has \(number(of: turning)), which changes the direction of writing"
        }
        guard scalars.allSatisfy(isInvisible) else { return nil }
        return "shows nothing, it has only characters like \(number(of: first))"
    }

    /// Why a text of a person, such as a reason, is refused, with the character that is to blame; `nil` if
    /// it is not. It may have lines and tabs.
    package static func fault(inWords words: String) -> String? {
        words.unicodeScalars.first { isControl($0) && $0 != "\n" && $0 != "\t" }.map(fault(of:))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }

    private static func fault(of control: Unicode.Scalar) -> String {
        "has the control character \(number(of: control))"
    }

    /// Whether a scalar embeds, overrides or isolates a direction of writing, or ends that: what follows
    /// the name would be turned, too.
    private static func turnsWriting(_ scalar: Unicode.Scalar) -> Bool {
        (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isWhitespace
            || scalar.value == 0x2800  // Braille without a dot.
    }

    /// A scalar as Unicode's tables have it, `U+202E`.
    private static func number(of scalar: Unicode.Scalar) -> String {
        let digits = Hex.text(UInt64(scalar.value)).uppercased()
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

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

extension String {
    /// In quotation marks, with everything escaped that moves a cursor or could be mistaken for
    /// an escape; different texts stay different.
    package var quoted: String {
        let scalars = unicodeScalars.map { scalar in
            if !HarmlessText.isHarmless(scalar) { return HarmlessText.escape(of: scalar) }
            return scalar == "\\" ? "\\\\" : Self(scalar)
        }
        return "“\(scalars.joined())”"
    }
}

/// Words of commands that people paste into a shell.
package enum ShellWord {
    private static let plain = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,")

    /// The word as a POSIX shell takes it for one: in single quotes where anything in it might mean
    /// something else.
    package static func quoted(_ word: String) -> String {
        guard word.isEmpty || !word.allSatisfy(plain.contains) else { return word }
        return "'"
            + word.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "'\\''") + "'"
    }
}

/// Strings of JSON (RFC 8259, section 7).
package enum JSONEscape {
    /// Whether a byte of UTF-8 may not stand in a string as it is.
    @inlinable
    @inline(__always)
    package static func isNeeded(for byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Appends a text's UTF-8, escaping what must be escaped and no more.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        guard text.utf8.contains(where: { isNeeded(for: $0) }) else {
            bytes.append(contentsOf: text.utf8)
            return
        }
        for byte in text.utf8 {
            if !isNeeded(for: byte) {
                bytes.append(byte)
            } else if byte < 0x20 {
                append(unit: UInt16(byte), to: &bytes)
            } else {
                bytes += [UInt8(ascii: "\\"), byte]
            }
        }
    }

    /// The same, escaping also what shows nothing or something else than it is.
    package static func append(harmless text: String, to bytes: inout [UInt8]) {
        for scalar in text.unicodeScalars {
            if HarmlessText.isHarmless(scalar) {
                append(String(scalar), to: &bytes)
            } else {
                for unit in scalar.utf16 { append(unit: unit, to: &bytes) }
            }
        }
    }

    /// A text in quotation marks.
    package static func string(_ text: String) -> String {
        var bytes = [UInt8(ascii: "\"")]
        append(text, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(unit: UInt16, to bytes: inout [UInt8]) {
        let short =
            switch unit {
            case 0x09: "\\t"
            case 0x0A: "\\n"
            case 0x0D: "\\r"
            default: "\\u\(Hex.text(UInt64(unit), count: 4))"
            }
        bytes.append(contentsOf: short.utf8)
    }
}
