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
