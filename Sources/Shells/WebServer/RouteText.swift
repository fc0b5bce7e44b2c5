import Basics
import Operations
import SiteModel

/// What a route does, as its description tells it: the source of the OpenAPI document.
package struct RouteText: Sendable {
    package typealias Field = Parameter

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
    /// Whether asked twice it does no more than asked once, so that a key means nothing.
    package var isPure = false

    package init(
        _ summary: String, query: [Field] = [], body: [Field] = [], answer: [Field] = [],
        status: Int = 200, type: String? = "application/json", refusals: [ProblemCode] = [],
        isList: Bool = false, isShownOnce: Bool = false, isPure: Bool = false
    ) {
        self.isPure = isPure
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
