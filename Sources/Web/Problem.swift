import Hummingbird

/// A refusal, told as a problem document (RFC 9457).
struct Problem: Sendable {
    var status: HTTPResponse.Status
    /// What to do about it. Never repeats what was asked: that text is hostile.
    var detail: String
    var headers = HTTPFields()

    /// The document `{"type","title","status","detail"}`.
    var response: Response {
        var headers = headers
        headers[.contentType] = "application/problem+json"
        headers[.cacheControl] = "no-store"
        let text =
            "{\"type\":\"about:blank\",\"title\":\"\(status.reasonPhrase)\","
            + "\"status\":\(status.code),\"detail\":\"\(detail)\"}\n"
        return Response(
            status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
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
