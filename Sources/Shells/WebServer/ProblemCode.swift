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
    case alreadyActive = "already_active"
    case alreadyCompleted = "already_completed"
    case alreadyIn = "already_in"
    case notIn = "not_in"
    case overlap
    case revisionConflict = "rev_conflict"
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

    /// The HTTP status that goes with it.
    package var status: Int {
        switch self {
        case .badRequest, .schema: 400
        case .unauthorised: 401
        case .forbidden, .consentRequired: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .badState, .alreadyActive, .alreadyCompleted, .alreadyIn, .notIn, .overlap,
            .revisionConflict, .stationInUse:
            409
        case .expired: 410
        case .tooLarge: 413
        case .unsupportedType: 415
        case .badTime, .ambiguousTime, .nonexistentTime, .reasonRequired: 422
        case .lockedPeriod: 423
        case .rateLimited: 429
        case .internal: 500
        case .unavailable: 503
        }
    }
}
