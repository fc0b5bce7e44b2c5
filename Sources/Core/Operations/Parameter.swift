import Basics

/// A value that is sent or answered: a member of a body or an answer, a parameter of a query.
package struct Parameter: Sendable {
    /// What can be sent as it.
    package enum Kind: Sendable {
        /// A text of so many characters.
        case text(ClosedRange<Int>)
        /// A text of so many characters that a person wrote: of controls it has line feeds and tabs only.
        case freeText(ClosedRange<Int>)
        /// An id: 1 to 64 of a-z, 0-9 and `-`.
        case slug
        /// A UUID, such as 123e4567-e89b-12d3-a456-426614174000.
        case uuid
        /// The id of a row of a collection: rooms, stations, users …
        case reference(String)
        /// One of these words.
        case word([String])
        case integer(ClosedRange<Int64>)
        /// Milliseconds since 1970.
        case time
        /// A day of the calendar, such as 2026-03-29.
        case date
        case flag
        /// A number, whole or not.
        case number
        /// The same within a range.
        case decimal(ClosedRange<Double>)
        /// Kilograms with at most three decimals; the range is of grams, as they are stored.
        case kilograms(ClosedRange<Int64>)
        indirect case list(Kind)
        /// An object with these members; in answers with more in later releases.
        case object([Parameter])
        /// An object whose members are called as the data is, each of a kind: only in answers.
        indirect case map(Kind)
        /// Anything: what is said elsewhere.
        case value
    }

    package var name: String
    package var kind: Kind
    /// Of what is sent: whether it must be there. Of an answer: whether it always is.
    package var isNeeded: Bool
    /// Whether it may be `null`. Of what is sent that is as if it were not there.
    package var isNullable: Bool
    /// What it means.
    package var text: String
    /// The JSON of what it is where nothing is said; `nil`: nothing.
    package var preset: String?

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

    /// A member that an answer always has.
    package static func always(
        _ name: String, _ kind: Kind, isNullable: Bool = false, _ text: String = ""
    ) -> Parameter {
        Parameter(name, kind, isNeeded: true, isNullable: isNullable, text)
    }

    /// A member that an answer always has, and that is something where nothing is said.
    package static func preset(
        _ name: String, _ kind: Kind, _ preset: String, _ text: String = ""
    ) -> Parameter {
        var parameter = always(name, kind, text)
        parameter.preset = preset
        return parameter
    }

    /// The same, where an answer may be without it.
    package var optional: Parameter {
        var parameter = self
        parameter.isNeeded = false
        return parameter
    }
}

extension Parameter.Kind {
    /// No whole number is larger, 2⁵³.
    package static let largest: Int64 = 1 << 53
    /// A text of any length.
    package static let anyText = Self.text(0...Int.max)
    /// A whole number that is not negative, as the row of something.
    package static let count = Self.integer(0...Int64.max)
    /// One of the words that a type has.
    package static func oneOf<Word: CaseIterable & RawRepresentable<String>>(
        _ type: Word.Type
    ) -> Self {
        .word(type.allCases.map(\.rawValue))
    }

    /// Kilograms as whole grams, or `nil` if they have more than three decimals.
    package static func grams(_ kilograms: Double) -> Int64? {
        let grams = (kilograms * 1000).rounded()
        // What was written with three decimals is off by its last bits only.
        return abs(kilograms * 1000 - grams) < 1e-6 ? Int64(exactly: grams) : nil
    }

    /// What is expected, in words.
    package var expectation: String {
        switch self {
        case .text(let length), .freeText(let length):
            "a text of \(length.lowerBound) to \(length.upperBound) characters"
        case .slug, .reference: "an id, 1 to 64 of a-z, 0-9 and -,"
        case .uuid: "a UUID"
        case .word(let words): words.joined(separator: " or ")
        case .integer(let range):
            "a whole number from \(range.lowerBound) to \(min(range.upperBound, Self.largest))"
        case .time: "a time such as 2026-03-29T14:30:00+02:00"
        case .date: "a day such as 2026-03-29"
        case .flag: "true or false"
        case .number: "a number"
        case .decimal(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .kilograms(let range):
            "kilograms from \(Double(range.lowerBound) / 1000) to \(Double(range.upperBound) / 1000)"
        case .list, .object, .map, .value: "JSON"
        }
    }

    /// What is expected instead of a text, or `nil` if it will do. Days, and what is said elsewhere,
    /// the route checks.
    package func refusal(of text: String) -> String? {
        let isRight =
            switch self {
            case .text(let length), .freeText(let length):
                length.contains(text.unicodeScalars.count)
            case .slug, .reference: text.isSlug
            case .uuid: text.isUUID
            case .word(let words): words.contains(text)
            case .integer(let range):
                // “+1” and “007” are numbers to Swift, and those of JavaScript are whole up to 2⁵³.
                Int64(text).map { range.contains($0) && $0 <= Self.largest && "\($0)" == text }
                    ?? false
            case .flag: text == "true" || text == "false"
            case .time, .date, .number, .decimal, .kilograms, .list, .object, .map, .value: true
            }
        return isRight ? nil : expectation
    }
}
