import Web

/// The HTTP status of a refusal's code: the codes are those of answers on MQTT.
enum ProblemCode {
    /// The status; 400 for what is not known here.
    static func status(of code: String) -> Int {
        switch code {
        case "unauthorised": 401
        case "forbidden", "consent_required": 403
        case "not_found": 404
        case "bad_state", "already_active", "already_completed", "already_in", "not_in", "overlap",
            "rev_conflict", "station_in_use":
            409
        case "expired": 410
        case "bad_time", "ambiguous_time", "nonexistent_time", "reason_required": 422
        case "locked_period": 423
        case "rate_limited": 429
        case "internal": 500
        case "unavailable": 503
        default: 400
        }
    }

    /// A refusal for a route to throw.
    static func problem(_ code: String, _ detail: String) -> RouteProblem {
        RouteProblem(status: status(of: code), code: code, detail: detail)
    }
}
