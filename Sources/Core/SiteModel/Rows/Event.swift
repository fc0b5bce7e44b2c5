/// A transition, told once after it is stored.
package struct Event: Equatable, Sendable, Codable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case checkedIn = "attendance.checked-in"
        case checkedOut = "attendance.checked-out"
        case corrected = "attendance.corrected"
        case needsReview = "attendance.needs-review"
        case entered = "presence.entered"
        case left = "presence.left"
        /// There already when listening began: when they came is not known.
        case observed = "presence.observed"
        case started = "workout.started"
        case paused = "workout.paused"
        case resumed = "workout.resumed"
        case completed = "workout.completed"
    }

    /// Its row; with the site it makes the event's id.
    package var id: Int64
    package var kind: Kind
    /// When it happened, which is not when it was noticed.
    package var at: Timestamp
    /// To whom.
    package var user: UserID
    /// Where, if at a place.
    package var place: Stay.Place?
    /// The session, stay or workout it is about.
    package var subject: Int64

    package init(
        id: Int64, kind: Kind, at: Timestamp, user: UserID, place: Stay.Place?, subject: Int64
    ) {
        self.id = id
        self.kind = kind
        self.at = at
        self.user = user
        self.place = place
        self.subject = subject
    }
}
