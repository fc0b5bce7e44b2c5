import Basics
import WebServer

/// The parameters of a request, each at most once and none unknown.
package struct AskedQuery: Sendable {
    /// Values by name.
    package let values: [String: String]

    /// Checks a query. Throws a problem that names what is wrong.
    package init(_ request: RouteRequest, allowed: [String]) throws(RouteProblem) {
        var values: [String: String] = [:]
        for (name, value) in request.query {
            guard allowed.contains(name) else {
                throw RouteProblem(
                    .badRequest,
                    "There is no parameter \(Self.shown(name)); there are "
                        + allowed.joined(separator: ", ") + ".")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw RouteProblem(.badRequest, "The parameter \(name) comes twice.")
            }
        }
        self.values = values
    }

    /// Hostile text, short enough for a refusal.
    package static func shown(_ text: String, most: Int = 64) -> String {
        "“\(TerminalText.harmless(String(text.prefix(most))))”"
    }
}
