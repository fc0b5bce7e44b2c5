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

    /// A whole number of the query, or `nil` if it is not there.
    package func number(_ name: String, _ range: ClosedRange<Int64>) throws(RouteProblem) -> Int64?
    {
        guard let text = values[name] else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw RouteProblem(
                .badRequest,
                "\(name): a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// The members of rows that `fields` asks for, `nil` for all. Throws a problem that names what is none.
    package func fields(among members: [String]) throws(RouteProblem) -> Set<String>? {
        guard let text = values["fields"] else { return nil }
        let fields = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        if let strange = fields.first(where: { !members.contains($0) }) {
            let known = members.joined(separator: ", ")
            throw RouteProblem(
                .badRequest,
                "fields: there is no member \(Self.shown(strange)); there are \(known).")
        }
        return Set(fields)
    }

    /// Hostile text, short enough for a refusal.
    package static func shown(_ text: String, most: Int = 64) -> String {
        "“\(TerminalText.harmless(String(text.prefix(most))))”"
    }
}
