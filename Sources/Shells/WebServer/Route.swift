import Basics
import Foundation
import Hummingbird
import JSON
import Operations
import Permissions
import SiteModel
import Wire

/// A path that the builder of the server answers: what it serves besides the dashboard.
package struct Route: Sendable {
    package typealias Method = Verb.Method
    package typealias Whose = Verb.Subject

    /// The longest body that is taken, in bytes.
    package static let largestBody = 65536

    /// What is done.
    package var method: Method
    /// The path from `/`; a part `{name}` takes anything up to the next slash and becomes a
    /// parameter.
    package var path: String
    /// What whoever asks must be allowed; `nil`: anybody who can connect may ask, as to sign in.
    package var right: Right?
    /// About whom it is, for those who may ask about themselves only.
    package var whose: Whose
    /// What it does, for the description of the interface.
    package var about: RouteText
    /// Answered on any host name, without a token: the path itself holds a secret.
    package var isSecret: Bool
    /// The longest body that this route takes, in bytes.
    package var longestBody: Int
    /// Whether it reads body and person itself, and knows whom it lets in.
    package var isOperation = false
    /// The media type of its body. None that a form of a foreign page can send without being asked.
    package var takes = "application/json"
    /// Refuses what is not as described, before it matters whose it is.
    package var check: @Sendable (RouteRequest) throws -> Void = { _ in }
    /// Answers one request. Must not block: slow calls belong on a thread of their own. What it
    /// throws becomes a problem document: a `RouteProblem` its own, anything else status 500.
    package var answer: @Sendable (RouteRequest) async throws -> RouteAnswer

    package init(
        _ method: Method, _ path: String, _ right: Right?, whose: Whose = .anybody,
        isSecret: Bool = false, longestBody: Int = largestBody, about: RouteText = RouteText(""),
        answer: @escaping @Sendable (RouteRequest) async throws -> RouteAnswer
    ) {
        self.method = method
        self.path = path
        self.right = right
        self.whose = whose
        self.about = about
        self.isSecret = isSecret
        self.longestBody = longestBody
        self.answer = answer
    }

    /// Whether a body is described; without one none need be sent. Routes without a text are tests'.
    package var takesBody: Bool {
        !about.body.isEmpty || takes != "application/json" || about.summary.isEmpty
    }

    /// The path as the router takes it: there a part has one name, whichever routes have it.
    var routerPath: String {
        var count = 0
        return path.split(separator: "/", omittingEmptySubsequences: false).map { part in
            guard part.hasPrefix("{") else { return String(part) }
            count += 1
            return "{\(count)}"
        }.joined(separator: "/")
    }

    /// The names of the parts of the path that take anything, in order.
    private var partNames: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }
            .map { String($0.dropFirst().dropLast()) }
    }

    /// Whether something must stand in the body: what is about whoever asks may need nothing else.
    package var needsBody: Bool {
        guard takesBody, case .body = whose else { return takesBody }
        return about.body.contains { $0.isNeeded }
    }

    /// Whether a path asked for is one of this route's.
    package func matches(_ asked: String) -> Bool {
        let own = path.split(separator: "/", omittingEmptySubsequences: false)
        let parts = asked.split(separator: "/", omittingEmptySubsequences: false)
        return own.count == parts.count
            && zip(own, parts).allSatisfy { $0.hasPrefix("{") ? !$1.isEmpty : $0 == $1 }
    }
}

/// What a client asks of a route. Everything in it is hostile text.
package struct RouteRequest: Sendable {
    /// A request that is done once, and answered alike when it comes again.
    package struct Once: Sendable {
        /// SHA-256 of all that is asked for.
        package var digest: [UInt8]
        /// Whether the answer may be kept: it has no secret.
        package var keepsBody: Bool

        package init(digest: [UInt8], keepsBody: Bool) {
            self.digest = digest
            self.keepsBody = keepsBody
        }
    }

    /// The parts of the path that the route names, percent-decoded.
    package var parameters: [String: String]
    /// The query's names and values in order, percent-decoded. A name may come twice.
    package var query: [(name: String, value: String)]
    /// The body, at most `longestBody` bytes of the route; empty for GET and DELETE, and where none is
    /// described and none came. The server has checked that it was sent as the route takes it.
    package var body: [UInt8]
    /// The header `Idempotency-Key`, if there is one.
    package var idempotencyKey: String?
    /// That it is to be done once, as it has such a key; `nil`: as often as it is asked for.
    package var once: Once?
    /// The header `If-Match`, if there is one.
    package var ifMatch: String?
    /// Who asks, and by what they proved it; `nil` where nobody needs to.
    package var visitor: Visitor?
    /// Where they are.
    package var client: Client
    /// How pages are shown to them.
    var preferences = PagePreferences()

    package init(
        parameters: [String: String] = [:], query: [(name: String, value: String)] = [],
        body: [UInt8] = [], idempotencyKey: String? = nil, ifMatch: String? = nil,
        visitor: Visitor? = nil, client: Client = Client(address: "")
    ) {
        self.visitor = visitor
        self.client = client
        self.parameters = parameters
        self.query = query
        self.body = body
        self.idempotencyKey = idempotencyKey
        self.ifMatch = ifMatch
    }
}

/// What the audit calls whoever asks.
extension RouteRequest {
    package var asker: String { visitor?.principal.name ?? "nobody" }

    /// The slug of the only person they may ask about; `nil` if they may about anybody.
    package func onlyUser(_ right: Right) -> String? {
        guard let principal = visitor?.principal, principal.reach(right) < .site else { return nil }
        return principal.user ?? ""
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
    package var contentType: String?
    /// Further headers; values must be free of line feeds.
    package var headers: [(name: String, value: String)]
    package var body: Body

    package init(
        status: Int = 200, contentType: String?, headers: [(name: String, value: String)] = [],
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
    /// So many seconds to wait before asking again, if it is known.
    package var retryAfter: Int?
    /// Whether it was answered before: nothing was looked at now.
    package var isReplayed = false

    package init(_ code: ProblemCode, _ detail: String, retryAfter: Int? = nil) {
        self.code = code
        self.detail = detail
        self.retryAfter = retryAfter
    }
}

extension RouteProblem {
    /// A refusal for a route to throw.
    package init(_ refusal: any Refusing) { self.init(refusal.code, "\(refusal.text).") }
}

extension ProblemCode {
    /// A refusal for a route to throw. `code` is one of an answer on MQTT or of the books.
    package static func problem(_ code: String, _ detail: String) -> RouteProblem {
        // Each is on the list; a test asks for all.
        RouteProblem(ProblemCode(rawValue: code) ?? .internal, detail)
    }
}

extension Route {
    /// The server's answer to a request for this route's path.
    ///
    /// - Throws: A `Problem` where it refuses, and what the route throws beside.
    func response(
        to request: Request, context: WebContext, _ large: LargeBodies
    ) async throws -> Response {
        // The gate has asked so for the route it found; this one must not depend on that being the same.
        if let right {
            guard let visitor = context.visitor, visitor.principal.reach(right) >= whose.least
            else { throw Problem.notAllowed }
        }
        let answer: RouteAnswer
        let person = RequestAsker.name(in: context)
        do {
            answer = try await RequestAsker.$current.withValue(person) {
                guard let bytes = largeBody(of: request) else {
                    return try await self.answer(try await asked(request, context: context))
                }
                return try await large.take(bytes, of: person) {
                    try await self.answer(try await asked(request, context: context))
                }
            }
        } catch let problem as RouteProblem {
            throw Problem(problem)
        }
        var headers = HTTPFields()
        for (name, value) in answer.headers {
            guard let name = HTTPFields.Element.Name(name) else { continue }
            headers.append(HTTPFields.Element(name: name, value: value))
        }
        headers[.contentType] = answer.contentType
        headers[.cacheControl] = "no-store"
        let status = HTTPResponse.Status(code: answer.status)
        switch answer.body {
        case .bytes(let bytes):
            return Response(
                status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
        case .stream(let produce):
            return Response(
                status: status, headers: headers,
                body: .init { writer in
                    try await RequestAsker.$current.withValue(person) {
                        try await produce { try await writer.write(ByteBuffer(bytes: $0)) }
                    }
                    try await writer.finish(nil)
                })
        }
    }

    /// The request as the route sees it. Throws a `RouteProblem` for what cannot be one.
    private func asked(_ request: Request, context: WebContext) async throws -> RouteRequest {
        var request = request
        var parameters: [String: String] = [:]
        for (index, name) in partNames.enumerated() {
            let part = context.parameters.get("\(index + 1)")
            parameters[name] = part.map { $0.removingPercentEncoding ?? $0 }
        }
        var asked = RouteRequest(
            parameters: parameters, query: try Self.query(request.uri.query ?? ""),
            body: try await body(of: &request, context),
            idempotencyKey: HTTPFields.Element.Name("Idempotency-Key").flatMap {
                request.headers[$0]
            },
            ifMatch: request.headers[.ifMatch], visitor: context.visitor, client: context.client)
        asked.preferences = context.preferences
        guard !isOperation else {
            try about.check(asked.query)
            return asked
        }
        // Whom it is about may be put into a body that nothing else stands in.
        if case .body = whose, asked.body.isEmpty { asked.body = Array("{}".utf8) }
        if let right, let own = asked.onlyUser(right) {
            var whole = asked
            whole.body = whose.filled(asked.body.span, with: own) ?? asked.body
            try check(whole)
            try bound(&asked, to: own)
        } else {
            try check(asked)
        }
        try about.check(asked.query)
        return asked
    }

    /// Lets a request be about one person only.
    private func bound(_ request: inout RouteRequest, to own: String) throws(RouteProblem) {
        switch whose {
        case .anybody, .each, .filtered: return
        case .path(let name):
            guard request.parameters[name] == own else { throw Self.othersRows }
        case .query(let name):
            let asked = request.query.filter { $0.name == name }
            guard asked.allSatisfy({ $0.value == own }) else { throw Self.othersRows }
            if asked.isEmpty { request.query.append((name, own)) }
        case .body(let name):
            let body = request.body
            guard let object = try? JSONObject(document: body.span, limit: .max) else {
                return  // The route says what is wrong with it.
            }
            if let value = try? object.optional(name, body.span) {
                guard (try? value.slug(body.span)) == own else { throw Self.othersRows }
            } else if let brace = body.firstIndex(of: UInt8(ascii: "{")) {
                let isEmpty = (try? object.all(body.span).isEmpty) ?? true
                let member = "\"\(name)\":\"\(own)\"" + (isEmpty ? "" : ",")
                request.body.insert(contentsOf: Array(member.utf8), at: brace + 1)
            }
        }
    }

    private static let othersRows = RouteProblem(
        .forbidden, "You may ask about yourself only.")

    /// How long a body may be that is large (`LargeBodies`); `nil` for others.
    private func largeBody(of request: Request) -> Int? {
        guard longestBody > LargeBodies.least else { return nil }
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? longestBody
        // What is longer than it may be is refused before it is read.
        return length > LargeBodies.least && length <= longestBody ? length : nil
    }

    private func body(of request: inout Request, _ context: WebContext) async throws -> [UInt8] {
        guard method != .get, method != .delete || (takesBody && !about.body.isEmpty) else {
            return []
        }
        let type = (request.headers[.contentType] ?? "").prefix { $0 != ";" }
        guard type.lowercased().filter({ $0 != " " }) == takes else {
            // Whoever sends nothing need not say of what type it is.
            if !needsBody, request.headers[.contentType] == nil,
                let body = try? await request.collectBody(upTo: 0), body.readableBytes == 0
            {
                return []
            }
            throw RouteProblem(.unsupportedType, "Send the body as Content-Type: \(takes).")
        }
        let tooLarge = RouteProblem(
            .tooLarge, "The body cannot be read or is longer than \(longestBody) bytes.")
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > longestBody {
            throw tooLarge
        }
        context.invite(bodyOf: request)
        do {
            return Array(try await request.collectBody(upTo: longestBody).readableBytesView)
        } catch {
            throw tooLarge
        }
    }

    /// The names and values of a query. Throws where percent signs or UTF-8 are wrong.
    package static func query(_ text: String) throws -> [(name: String, value: String)] {
        try text.split(separator: "&").map { pair in
            let parts = pair.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (try decoded(parts[0]), parts.count > 1 ? try decoded(parts[1]) : "")
        }
    }

    private static func decoded(_ text: Substring) throws -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard rest.count >= 2, let value = Hex.number(rest.prefix(2)) else {
                    throw Self.badQuery
                }
                bytes.append(UInt8(value))
                rest = rest.dropFirst(2)
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Self.badQuery }
        return text
    }

    private static let badQuery = RouteProblem(
        .badRequest, "The query is not percent-encoded UTF-8.")
}

extension RouteAnswer {
    /// The header of an answer that was given before.
    package static let replayed = (name: "Idempotency-Replayed", value: "true")

    /// Whether it was given before: nothing was done for it now.
    package var isReplayed: Bool { headers.contains { $0 == Self.replayed } }
}
