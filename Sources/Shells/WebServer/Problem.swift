import Hummingbird
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

    static let notAllowed = Problem(.forbidden, "Your role may not do this.")

    static let foreignNetwork = Problem(
        .forbidden, "This server is not for your network: see http.allowed_networks.")

    static let foreignOrigin = Problem(
        .forbidden, "Pages of other origins may not read this server.")

    static let foreignHost = Problem(
        .forbidden,
        "Call this server by an address, localhost or a name of http.host_names, or send a token.")

    static let tooManyPages = Problem(
        .unavailable, "Too many pages are open. Close one, or wait.", headers: [.retryAfter: "10"])

    static let tooManyConnections = Problem(
        .unavailable, "Too many connections are open. Close some, or wait.",
        headers: [.retryAfter: "10"])

    static let bug = Problem(.internal, "The server failed. Its log says more.")
}

/// What machines go by in a refusal: the closed list of the member `code` of problem documents. Those
/// that MQTT has, too, are the codes of its answers.
package enum ProblemCode: String, CaseIterable, Sendable {
    /// The question makes no sense.
    case badRequest = "bad_request"
    /// The body is no JSON object of the promised form.
    case schema
    /// The token is missing or wrong.
    case unauthorised
    /// Nobody may do this, or not from there.
    case forbidden
    /// The person has not agreed to it.
    case consentRequired = "consent_required"
    /// There is no such thing.
    case notFound = "not_found"
    /// The path does not take this method.
    case methodNotAllowed = "method_not_allowed"
    /// What is asked about is in another state.
    case badState = "bad_state"
    /// There is one of that name.
    case alreadyExists = "already_exists"
    /// The `Idempotency-Key` was used for another request.
    case idempotencyMismatch = "idempotency_mismatch"
    /// Whether it was done is not known.
    case inDoubt = "in_doubt"
    case alreadyActive = "already_active"
    case alreadyCompleted = "already_completed"
    case alreadyIn = "already_in"
    case notIn = "not_in"
    case overlap
    case revisionConflict = "rev_conflict"
    /// It is not what `If-Match` says.
    case preconditionFailed = "precondition_failed"
    case stationInUse = "station_in_use"
    /// The request is too old.
    case expired
    /// The body is too long, or not JSON.
    case tooLarge = "too_large"
    case unsupportedType = "unsupported_type"
    /// The time cannot be, is said twice by the clocks of that day, or skipped by them.
    case badTime = "bad_time"
    case ambiguousTime = "ambiguous_time"
    case nonexistentTime = "nonexistent_time"
    /// A change of the books needs a reason.
    case reasonRequired = "reason_required"
    case lockedPeriod = "locked_period"
    /// Too much is asked for: ask again later.
    case rateLimited = "rate_limited"
    /// A fault of ours.
    case `internal`
    /// Not now: ask again.
    case unavailable

    /// A few words for people.
    package var title: String {
        let words = rawValue.replacing("_", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// The HTTP status that goes with it.
    package var status: Int {
        switch self {
        case .badRequest, .schema: 400
        case .unauthorised: 401
        case .forbidden, .consentRequired: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .badState, .alreadyActive, .alreadyExists, .inDoubt, .alreadyCompleted, .alreadyIn,
            .notIn, .overlap,
            .revisionConflict, .stationInUse:
            409
        case .expired: 410
        case .preconditionFailed: 412
        case .tooLarge: 413
        case .unsupportedType: 415
        case .badTime, .idempotencyMismatch, .ambiguousTime, .nonexistentTime, .reasonRequired: 422
        case .lockedPeriod: 423
        case .rateLimited: 429
        case .internal: 500
        case .unavailable: 503
        }
    }
}
