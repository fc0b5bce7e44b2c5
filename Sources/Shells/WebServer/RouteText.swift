/// What a route does, as its description tells it: the source of the OpenAPI document.
package struct RouteText: Sendable {
    /// A value that is sent.
    package struct Field: Sendable {
        /// What can be sent as it.
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
            /// A list of the words.
            case words([String])
            /// Anything: what is said elsewhere.
            case value
        }

        package var name: String
        package var kind: Kind
        package var isNeeded: Bool
        /// What it means.
        package var text: String

        package init(_ name: String, _ kind: Kind, isNeeded: Bool = false, _ text: String = "") {
            self.name = name
            self.kind = kind
            self.isNeeded = isNeeded
            self.text = text
        }
    }

    /// One line.
    package var summary: String
    /// The parameters of the query.
    package var query: [Field]
    /// The members of the body.
    package var body: [Field]
    /// The status of success.
    package var status: Int
    /// The media type of success, `nil` for none.
    package var type: String?
    /// What it refuses with, beside what every route does.
    package var refusals: [ProblemCode]

    package init(
        _ summary: String, query: [Field] = [], body: [Field] = [], status: Int = 200,
        type: String? = "application/json", refusals: [ProblemCode] = []
    ) {
        self.summary = summary
        self.query = query
        self.body = body
        self.status = status
        self.type = type
        self.refusals = refusals
    }
}
