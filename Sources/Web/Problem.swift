import Hummingbird
import MeshWire

/// A refusal, told as a problem document (RFC 9457).
struct Problem: Sendable {
    var status: HTTPResponse.Status
    /// What to do about it. Those of this file never repeat what was asked: that text is hostile.
    var detail: String
    var headers = HTTPFields()
    /// What machines go by, of routes.
    var code: String?

    /// The document `{"type","title","status","detail","code"}`; the code only if there is one.
    var response: Response {
        var headers = headers
        headers[.contentType] = "application/problem+json"
        headers[.cacheControl] = "no-store"
        var json = JSONWriter()
        json.beginObject()
        json.field("type", "about:blank")
        json.field("title", status.reasonPhrase)
        json.field("status", Int64(status.code))
        json.field("detail", detail)
        if let code { json.field("code", code) }
        json.endObject()
        return Response(
            status: status, headers: headers,
            body: .init(byteBuffer: ByteBuffer(bytes: json.bytes + [UInt8(ascii: "\n")])))
    }

    /// A refusal of the server itself.
    init(
        status: HTTPResponse.Status, detail: String, headers: HTTPFields = HTTPFields(),
        code: String? = nil
    ) {
        self.status = status
        self.detail = detail
        self.headers = headers
        self.code = code
    }

    /// What a route refuses with.
    init(_ problem: RouteProblem) {
        self.init(
            status: .init(integerLiteral: problem.status), detail: problem.detail,
            code: problem.code)
    }

    /// What is at the path cannot be done with this method.
    static func wrongMethod(allowed routes: [Route]) -> Problem {
        var methods = Set(routes.map(\.method.rawValue))
        if methods.contains("GET") { methods.insert("HEAD") }
        let list = methods.sorted().joined(separator: ", ")
        return Problem(
            status: .methodNotAllowed, detail: "This path takes \(list).",
            headers: [.allow: list])
    }

    static let unknownPath = Problem(status: .notFound, detail: "There is nothing at this path.")

    static let readsOnly = Problem(
        status: .methodNotAllowed, detail: "This path can only be read: use GET or HEAD.",
        headers: [.allow: "GET, HEAD"])

    static let tokenNeeded = Problem(
        status: .unauthorized,
        detail: "Send a valid token: Authorization: Bearer followed by the token.",
        headers: [.wwwAuthenticate: "Bearer realm=beaconmesh"])

    static let foreignOrigin = Problem(
        status: .forbidden, detail: "Pages of other origins may not read this server.")

    static let foreignHost = Problem(
        status: .forbidden, detail: "Call this server by 127.0.0.1 or localhost, or send a token.")

    static let tooManyPages = Problem(
        status: .serviceUnavailable, detail: "Too many pages are open. Close one, or wait.",
        headers: [.retryAfter: "10"])

    static let bug = Problem(
        status: .internalServerError, detail: "The server failed. Its log says more.")
}
