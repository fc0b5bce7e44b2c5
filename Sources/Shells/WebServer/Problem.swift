import Hummingbird
import JSON
import SiteModel
import Wire

/// A refusal, told as a problem document (RFC 9457).
package struct Problem: Sendable {
    /// What machines go by; the status comes with it.
    var code: ProblemCode
    /// What to do about it. Those of this file never repeat what was asked: that text is hostile.
    var detail: String
    var headers = HTTPFields()

    var status: HTTPResponse.Status { .init(integerLiteral: code.status) }

    /// The document `{"type","title","status","detail","code"}`.
    var body: ByteBuffer {
        var json = JSONWriter()
        json.beginObject()
        json.field("type", "about:blank")
        json.field("title", code.title)
        json.field("status", Int64(code.status))
        json.field("detail", detail)
        json.field("code", code.rawValue)
        json.endObject()
        return ByteBuffer(bytes: json.bytes + [UInt8(ascii: "\n")])
    }

    /// The headers that go with it.
    var fields: HTTPFields {
        var fields = headers
        fields[.contentType] = "application/problem+json"
        fields[.cacheControl] = "no-store"
        return fields
    }

    var response: Response {
        Response(status: status, headers: fields, body: .init(byteBuffer: body))
    }

    /// A refusal of the server itself.
    init(_ code: ProblemCode, _ detail: String, headers: HTTPFields = HTTPFields()) {
        self.code = code
        self.detail = detail
        self.headers = headers
    }

    init(_ problem: RouteProblem) {
        self.init(problem.code, problem.detail)
        if let seconds = problem.retryAfter { headers[.retryAfter] = "\(seconds)" }
        if problem.isReplayed, let name = HTTPFields.Element.Name(RouteAnswer.replayed.name) {
            headers[name] = RouteAnswer.replayed.value
        }
    }

    /// What is at the path cannot be done with this method.
    static func wrongMethod(allowed routes: [Route]) -> Problem {
        var methods = Set(routes.map(\.method.rawValue))
        if methods.contains("GET") { methods.insert("HEAD") }
        let list = methods.sorted().joined(separator: ", ")
        return Problem(.methodNotAllowed, "This path takes \(list).", headers: [.allow: list])
    }

    static let unknownPath = Problem(.notFound, "There is nothing at this path.")

    static let readsOnly = Problem(
        .methodNotAllowed, "This path can only be read: use GET or HEAD.",
        headers: [.allow: "GET, HEAD"])

    static let tokenNeeded = Problem(
        .unauthorised,
        "Sign in, or send a valid token: Authorization: Bearer followed by the token.",
        headers: [.wwwAuthenticate: "Bearer realm=beaconmesh"])

    static let signedOut = Problem(.unauthorised, "The session is over. Sign in again.")

    static let otherAccount = Problem(
        .unauthorised, "Somebody else has signed in in this browser. Sign in again.")

    static let notAllowed = Problem(.forbidden, "Your role may not do this.")

    static let foreignNetwork = Problem(
        .forbidden, "This server is not for your network: see http.allowed_networks.")

    static let noTypist = Problem(
        .badRequest, "\(Access.typist): 1 to 256 bytes, percent-encoded, expected.")

    static let foreignOrigin = Problem(
        .forbidden, "Pages of other origins may not read this server.")

    static let foreignHost = Problem(
        .forbidden,
        "Call this server by an address, localhost or a name of http.host_names, or send a token.")

    static let malformed = Problem(
        .badRequest,
        "This is no request of HTTP/1.1 (RFC 9112), or its head is too long: 16 KiB, 8 of a part.")

    static let oneHost = Problem(
        .badRequest, "Send one Host, as RFC 9112 (3.2) asks: a name or an address, and a port.")

    static let tooManyPages = Problem(
        .unavailable, "Too many pages are open. Close one, or wait.", headers: [.retryAfter: "10"])

    static let tooManyOfYours = Problem(
        .rateLimited, "You have too many pages open. Close one.", headers: [.retryAfter: "30"])

    static let tooManyAtOnce = Problem(
        .rateLimited, "You have too many requests under way. Wait for some.",
        headers: [.retryAfter: "1"])

    static let tooManyConnections = Problem(
        .unavailable, "Too many connections are open. Close some, or wait.",
        headers: [.retryAfter: "10"])

    static let bug = Problem(.internal, "The server failed. Its log says more.")
}
