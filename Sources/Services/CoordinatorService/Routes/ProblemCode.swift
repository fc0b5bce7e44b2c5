import WebServer

extension ProblemCode {
    /// A refusal for a route to throw. `code` is one of an answer on MQTT or of the books.
    package static func problem(_ code: String, _ detail: String) -> RouteProblem {
        // Each is on the list; a test asks for all.
        RouteProblem(ProblemCode(rawValue: code) ?? .internal, detail)
    }
}
