import Basics

/// What a route does, as its description tells it: the source of the OpenAPI document.
package struct RouteText: Sendable {
    /// A value that is sent or answered.
    package struct Field: Sendable {
        /// What can be sent or answered as it.
        package enum Kind: Sendable {
            /// A text of so many characters.
            case text(ClosedRange<Int>)
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
            /// A number, whole or not.
            case number
            indirect case list(Kind)
            /// An object with these members, and more in later releases: only in answers.
            case object([Field])
            /// An object whose members are called as the data is, each of a kind: only in answers.
            indirect case map(Kind)
            /// Anything: what is said elsewhere.
            case value
        }

        package var name: String
        package var kind: Kind
        /// Of what is sent: whether it must be there. Of an answer: whether it always is.
        package var isNeeded: Bool
        /// Whether it can be `null`.
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

        /// A member that an answer always has.
        package static func always(
            _ name: String, _ kind: Kind, isNullable: Bool = false, _ text: String = ""
        ) -> Field {
            Field(name, kind, isNeeded: true, isNullable: isNullable, text)
        }

        /// The same, where an answer may be without it.
        package var optional: Field {
            Field(name, kind, isNullable: isNullable, text)
        }
    }

    /// One line.
    package var summary: String
    /// The parameters of the query.
    package var query: [Field]
    /// The members of the body.
    package var body: [Field]
    /// The members of the answer, if that is JSON; of a list those of each element.
    package var answer: [Field]
    /// The status of success.
    package var status: Int
    /// The media type of success, `nil` for none.
    package var type: String?
    /// What it refuses with, beside what every route does.
    package var refusals: [ProblemCode]
    /// Whether the answer is a JSON array, not an object.
    package var isList = false
    /// Whether the answer has a secret that is shown once, so that it must not be kept.
    package var isShownOnce = false

    package init(
        _ summary: String, query: [Field] = [], body: [Field] = [], answer: [Field] = [],
        status: Int = 200, type: String? = "application/json", refusals: [ProblemCode] = [],
        isList: Bool = false, isShownOnce: Bool = false
    ) {
        self.isList = isList
        self.isShownOnce = isShownOnce
        self.summary = summary
        self.query = query
        self.body = body
        self.answer = answer
        self.status = status
        self.type = type
        self.refusals = refusals
    }
}

extension RouteText {
    /// Refuses parameters that are not described, come twice, or are not of the described form. Routes
    /// without a text are tests'.
    func check(_ query: [(name: String, value: String)]) throws(RouteProblem) {
        guard !summary.isEmpty else { return }
        var seen: Set<String> = []
        for (name, value) in query {
            guard let field = self.query.first(where: { $0.name == name }) else {
                let known = self.query.map(\.name).joined(separator: ", ")
                throw RouteProblem(
                    .badRequest,
                    "There is no parameter “\(HarmlessText.line(String(name.prefix(64))))”; "
                        + (known.isEmpty ? "there are none." : "there are \(known)."))
            }
            guard seen.insert(name).inserted else {
                throw RouteProblem(.badRequest, "The parameter \(name) comes twice.")
            }
            guard let expected = field.kind.refusal(of: value) else { continue }
            throw RouteProblem(.badRequest, "\(name): \(expected) expected.")
        }
    }
}

extension RouteText.Field.Kind {
    /// No whole number is larger, 2⁵³.
    package static let largest: Int64 = 1 << 53
    /// A text of any length.
    package static let anyText = RouteText.Field.Kind.text(0...Int.max)
    /// A whole number that is not negative, as the row of something.
    package static let count = RouteText.Field.Kind.integer(0...Int64.max)
    /// One of the words that a type has.
    package static func oneOf<Word: CaseIterable & RawRepresentable>(
        _ type: Word.Type
    ) -> RouteText.Field.Kind where Word.RawValue == String {
        .word(type.allCases.map { $0.rawValue })
    }

    /// What is expected instead of a text, or `nil` if it will do. Days, and what is said elsewhere,
    /// the route checks.
    func refusal(of text: String) -> String? {
        switch self {
        case .text(let length):
            length.contains(text.unicodeScalars.count)
                ? nil : "a text of \(length.lowerBound) to \(length.upperBound) characters"
        case .slug:
            (1...64).contains(text.utf8.count)
                && text.utf8.allSatisfy {
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
                } ? nil : "an id, 1 to 64 of a-z, 0-9 and -,"
        case .word(let words):
            words.contains(text) ? nil : words.joined(separator: " or ")
        case .integer(let range):
            // “+1” and “007” are numbers to Swift, and those of JavaScript are whole up to 2⁵³.
            Int64(text).map { range.contains($0) && $0 <= Self.largest && "\($0)" == text } ?? false
                ? nil
                : "a whole number from \(range.lowerBound) to \(min(range.upperBound, Self.largest))"
        case .flag: text == "true" || text == "false" ? nil : "true or false"
        case .time, .date, .number, .list, .object, .map, .value: nil
        }
    }
}
