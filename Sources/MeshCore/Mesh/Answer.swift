/// What a request was answered. Kept 24 hours.
public struct Answer: Equatable, Sendable, Codable {
    /// How it went.
    public enum Outcome: Equatable, Sendable, Codable {
        /// Done; the workout as it then stood.
        case workout(Workout)
        /// Refused.
        case refused(Refusal)
    }

    /// Why a request was refused.
    public enum Refusal: String, Error, Sendable, Codable, CaseIterable {
        /// The same id was used before for something else.
        case badRequest = "bad_request"
        /// There is no such open workout.
        case notFound = "not_found"
        /// The workout is not in a state that allows it.
        case badState = "bad_state"
        /// The user has an open workout already.
        case alreadyActive = "already_active"
        /// Every slot of the station is taken.
        case stationInUse = "station_in_use"
        /// The database cannot take more just now.
        case unavailable
    }

    /// The request.
    public var request: Request
    /// When it was answered.
    public var at: Timestamp
    /// How it went.
    public var outcome: Outcome

    /// An answer.
    public init(request: Request, at: Timestamp, outcome: Outcome) {
        self.request = request
        self.at = at
        self.outcome = outcome
    }
}
