/// What machines go by in a refusal, one closed list: the member `code` of problem documents, the codes of
/// answers on MQTT, and what verbs end with. docs/codes.md is made from it.
package enum ProblemCode: String, Error, CaseIterable, Sendable, Codable {
    case badRequest = "bad_request"
    case schema
    case unauthorised
    case forbidden
    case consentRequired = "consent_required"
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case badState = "bad_state"
    case alreadyExists = "already_exists"
    case idempotencyMismatch = "idempotency_mismatch"
    case inDoubt = "in_doubt"
    case alreadyActive = "already_active"
    case alreadyCompleted = "already_completed"
    case alreadyIn = "already_in"
    case notIn = "not_in"
    case overlap
    case revisionConflict = "rev_conflict"
    case preconditionFailed = "precondition_failed"
    case outOfOrder = "out_of_order"
    case stationInUse = "station_in_use"
    case expired
    case tooLarge = "too_large"
    case unsupportedType = "unsupported_type"
    case badTime = "bad_time"
    case ambiguousTime = "ambiguous_time"
    case nonexistentTime = "nonexistent_time"
    case reasonRequired = "reason_required"
    case lockedPeriod = "locked_period"
    case rateLimited = "rate_limited"
    case `internal`
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
            .revisionConflict, .outOfOrder, .stationInUse:
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

    /// The exit code of a verb that is refused so: 3 not found, 4 in conflict with what is there, 5
    /// refused, 64 asked wrongly, 75 not now, 77 nobody who is known, 1 a fault.
    package var exitCode: Int32 {
        switch self {
        case .notFound: 3
        case .alreadyActive, .alreadyExists, .alreadyIn, .notIn, .overlap, .revisionConflict,
            .outOfOrder, .stationInUse, .preconditionFailed, .idempotencyMismatch,
            .alreadyCompleted:
            4
        case .schema, .forbidden, .consentRequired, .badState, .expired, .badTime, .ambiguousTime,
            .nonexistentTime, .reasonRequired, .lockedPeriod:
            5
        case .badRequest, .methodNotAllowed, .tooLarge, .unsupportedType: 64
        case .unavailable, .inDoubt, .rateLimited: 75
        case .unauthorised: 77
        case .internal: 1
        }
    }

    /// What it says, in a sentence.
    package var meaning: String {
        switch self {
        case .badRequest: "The question makes no sense."
        case .schema: "The body, or the site that would follow, is not of the promised form."
        case .unauthorised: "The token or session is missing, wrong or over."
        case .forbidden: "Not by this role, for this person, or from there."
        case .consentRequired: "The person has not agreed to it."
        case .notFound: "There is no such thing."
        case .methodNotAllowed: "The path does not take this method."
        case .badState: "What is asked about is in another state."
        case .alreadyExists: "There is one of that name."
        case .idempotencyMismatch: "The key or id was used for another request."
        case .inDoubt: "Whether it was done is not known: look."
        case .alreadyActive: "The workout runs already."
        case .alreadyCompleted: "The workout was completed before."
        case .alreadyIn: "They are checked in."
        case .notIn: "They are not checked in."
        case .overlap: "It overlaps what is there."
        case .revisionConflict: "Somebody else was quicker."
        case .preconditionFailed: "It is not what If-Match says."
        case .outOfOrder: "The station is out of order."
        case .stationInUse: "Every place at the station is taken."
        case .expired: "It is too old, or came too late."
        case .tooLarge: "The body is too long."
        case .unsupportedType: "The body is of another type."
        case .badTime: "The time cannot be."
        case .ambiguousTime: "The clocks of that day show it twice."
        case .nonexistentTime: "The clocks of that day skip it."
        case .reasonRequired: "A change of the books needs a reason."
        case .lockedPeriod: "The day is locked."
        case .rateLimited: "Too much is asked for: wait."
        case .internal: "A fault of ours: the log says more."
        case .unavailable: "Not now: ask again."
        }
    }

    /// Whether a room that refused a request so refuses it so again with the same key. What another time or another
    /// right could change is looked at again.
    package var isRemembered: Bool {
        switch self {
        case .unavailable, .internal, .inDoubt, .idempotencyMismatch, .rateLimited, .unauthorised,
            .forbidden:
            false
        case .badRequest, .schema, .consentRequired, .notFound, .methodNotAllowed, .badState,
            .alreadyExists, .alreadyActive, .alreadyCompleted, .alreadyIn, .notIn, .overlap,
            .revisionConflict, .preconditionFailed, .outOfOrder, .stationInUse, .expired,
            .tooLarge, .unsupportedType, .badTime, .ambiguousTime, .nonexistentTime,
            .reasonRequired, .lockedPeriod:
            true
        }
    }
}
