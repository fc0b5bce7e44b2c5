/// A path that somebody else answers: whoever builds the server brings what it serves besides the
/// dashboard.
package struct Route: Sendable {
    /// What may be done at a path.
    package enum Method: String, CaseIterable, Sendable {
        /// Reads; `HEAD` comes with it.
        case get = "GET"
        /// Adds or does something.
        case post = "POST"
        /// Replaces.
        case put = "PUT"
        /// Takes away.
        case delete = "DELETE"
    }

    /// The longest body that is taken, in bytes.
    package static let largestBody = 65536

    /// What is done.
    package var method: Method
    /// The path from `/`; a part `{name}` takes anything up to the next slash and becomes a
    /// parameter.
    package var path: String
    /// Answered to anybody who can connect, without a token and on any host name: the path itself
    /// holds a secret. Every other route needs the token, from this machine, too: what is served
    /// here is about people.
    package var isOpen: Bool
    /// The longest body that this route takes, in bytes.
    package var longestBody: Int
    /// Answers one request. Must not block: slow calls belong on a thread of their own. What it
    /// throws becomes a problem document: a `RouteProblem` its own, anything else status 500.
    package var answer: @Sendable (RouteRequest) async throws -> RouteAnswer

    package init(
        _ method: Method, _ path: String, isOpen: Bool = false, longestBody: Int = largestBody,
        answer: @escaping @Sendable (RouteRequest) async throws -> RouteAnswer
    ) {
        self.method = method
        self.path = path
        self.isOpen = isOpen
        self.longestBody = longestBody
        self.answer = answer
    }

    /// Whether a path asked for is one of this route's.
    package func matches(_ asked: String) -> Bool {
        let own = path.split(separator: "/")
        let parts = asked.split(separator: "/")
        return own.count == parts.count
            && zip(own, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
}

/// What a client asks of a route. Everything in it is hostile text.
package struct RouteRequest: Sendable {
    /// The parts of the path that the route names, percent-decoded.
    package var parameters: [String: String]
    /// The query's names and values in order, percent-decoded. A name may come twice.
    package var query: [(name: String, value: String)]
    /// The body, at most `Route.largestBody` bytes; empty for GET and DELETE. The server has checked
    /// that it was sent as `application/json`.
    package var body: [UInt8]
    /// The header `Idempotency-Key`, if there is one.
    package var idempotencyKey: String?
    /// The header `If-Match`, if there is one.
    package var ifMatch: String?

    package init(
        parameters: [String: String] = [:], query: [(name: String, value: String)] = [],
        body: [UInt8] = [], idempotencyKey: String? = nil, ifMatch: String? = nil
    ) {
        self.parameters = parameters
        self.query = query
        self.body = body
        self.idempotencyKey = idempotencyKey
        self.ifMatch = ifMatch
    }
}

/// What a route answers.
package struct RouteAnswer: Sendable {
    /// The body.
    package enum Body: Sendable {
        /// All of it at once.
        case bytes([UInt8])
        /// Part by part: `write` waits until the client has taken what came before, and throws when
        /// it went away. If the closure throws, the connection is cut, so that half an answer does
        /// not look like a whole one.
        case stream(
            @Sendable (_ write: (ArraySlice<UInt8>) async throws -> Void) async throws -> Void)
    }

    /// The HTTP status, 200 to 599.
    package var status: Int
    /// The media type, for example `application/json`.
    package var contentType: String
    /// Further headers; values must be free of line feeds.
    package var headers: [(name: String, value: String)]
    package var body: Body

    package init(
        status: Int = 200, contentType: String, headers: [(name: String, value: String)] = [],
        body: Body
    ) {
        self.status = status
        self.contentType = contentType
        self.headers = headers
        self.body = body
    }

    package static func json(_ text: String, status: Int = 200) -> RouteAnswer {
        RouteAnswer(
            status: status, contentType: "application/json", body: .bytes(Array(text.utf8)))
    }
}

/// Why a route refuses, told as a problem document with the member `code`.
package struct RouteProblem: Error, Equatable, Sendable {
    /// What machines go by. The status goes with it.
    package var code: ProblemCode
    /// What is wrong and what to do. May repeat what was asked: it is written as a JSON string.
    package var detail: String

    package init(_ code: ProblemCode, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}
