import Basics

/// A value that is sent or answered: a member of a body, a parameter of a query.
package struct Parameter: Sendable {
    /// What can be sent as it.
    package enum Kind: Sendable {
        /// A text of so many characters.
        case text(ClosedRange<Int>)
        /// A text of so many characters that a person wrote: of controls it has line feeds and tabs only.
        case freeText(ClosedRange<Int>)
        /// An id: 1 to 64 of a-z, 0-9 and `-`.
        case slug
        /// One of these words.
        case word([String])
        case integer(ClosedRange<Int64>)
        /// Milliseconds since 1970.
        case time
        /// A day of the calendar, such as 2026-03-29.
        case date
        case flag
        /// A list of the words.
        case words([String])
        /// A list of ids.
        case slugs
        /// A list of whole numbers.
        case integers(ClosedRange<Int64>)
        /// Anything: what is said elsewhere.
        case value
    }

    package var name: String
    package var kind: Kind
    package var isNeeded: Bool
    /// Whether it may be `null`, which is then as if it were not there.
    package var isNullable: Bool
    /// What it means.
    package var text: String

    package init(
        _ name: String, _ kind: Kind, isNeeded: Bool = false, isNullable: Bool = false,
        _ text: String = ""
    ) {
        self.name = name
        self.kind = kind
        self.isNeeded = isNeeded
        self.isNullable = isNullable
        self.text = text
    }
}

extension Parameter.Kind {
    /// No whole number is larger, 2⁵³.
    package static let largest: Int64 = 1 << 53

    /// What is expected instead of a text, or `nil` if it will do. Days, and what is said elsewhere,
    /// the route checks.
    package func refusal(of text: String) -> String? {
        switch self {
        case .text(let length), .freeText(let length):
            length.contains(text.unicodeScalars.count)
                ? nil : "a text of \(length.lowerBound) to \(length.upperBound) characters"
        case .slug:
            text.isSlug ? nil : "an id, 1 to 64 of a-z, 0-9 and -,"
        case .word(let words):
            words.contains(text) ? nil : words.joined(separator: " or ")
        case .integer(let range):
            // “+1” and “007” are numbers to Swift, and those of JavaScript are whole up to 2⁵³.
            Int64(text).map { range.contains($0) && $0 <= Self.largest && "\($0)" == text } ?? false
                ? nil
                : "a whole number from \(range.lowerBound) to \(min(range.upperBound, Self.largest))"
        case .flag: text == "true" || text == "false" ? nil : "true or false"
        case .time, .date, .words, .slugs, .integers, .value: nil
        }
    }
}
