/// What a request was answered. Kept 24 hours.
package struct Answer: Equatable, Sendable, Codable {
    /// How it went.
    package enum Outcome: Equatable, Sendable, Codable {
        /// Done; the workout as it then stood.
        case workout(Workout)
        /// Done; the session as it then stood.
        case session(Session)
        case refused(Refusal)
    }

    /// Why a request was refused.
    package enum Refusal: String, Error, Sendable, Codable, CaseIterable {
        /// The same id was used before for something else.
        case badRequest = "bad_request"
        /// There is no such user, session, station or open workout.
        case notFound = "not_found"
        /// It is not in a state that allows this.
        case badState = "bad_state"
        /// The user has an open workout already.
        case alreadyActive = "already_active"
        /// Every slot of the station is taken.
        case stationInUse = "station_in_use"
        /// The user is in already.
        case alreadyIn = "already_in"
        /// The user is not in.
        case notIn = "not_in"
        /// Another session of the user is in the way.
        case overlap
        /// The moment is in the future, too long ago, or before the beginning.
        case badTime = "bad_time"
        /// The local time happens twice on that day.
        case ambiguousTime = "ambiguous_time"
        /// The local time does not happen on that day.
        case nonexistentTime = "nonexistent_time"
        /// The day is locked.
        case lockedPeriod = "locked_period"
        /// A change of what is recorded needs a reason.
        case reasonRequired = "reason_required"
        /// It has changed since it was looked at.
        case revisionConflict = "rev_conflict"
        /// The user has not agreed to be located.
        case consentRequired = "consent_required"
        /// The requester may not do this.
        case forbidden
        /// The database cannot take more just now.
        case unavailable
    }

    package var request: Request
    package var at: Timestamp
    /// How it went.
    package var outcome: Outcome

    package init(request: Request, at: Timestamp, outcome: Outcome) {
        self.request = request
        self.at = at
        self.outcome = outcome
    }
}
