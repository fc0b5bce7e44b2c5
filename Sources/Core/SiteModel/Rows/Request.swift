/// Something somebody asks of the machines. Asked again with the same id, it is answered alike.
package struct Request: Equatable, Sendable, Codable {
    /// What is asked.
    package enum Verb: Equatable, Sendable, Codable {
        /// Start a workout, at a station or nowhere in particular.
        case startWorkout(UserID, StationID?)
        /// Interrupt the user's open workout.
        case pauseWorkout(UserID)
        /// Go on with it.
        case resumeWorkout(UserID)
        /// End it.
        case completeWorkout(UserID)
        /// The user is in, from a moment on, or from now.
        case checkIn(UserID, at: Timestamp?, reason: String?)
        /// The user left at a moment, or now.
        case checkOut(UserID, at: Timestamp?, reason: String?)
    }

    /// Who asks: the client of the topic.
    package var client: String
    /// The client's own number for this request.
    package var id: String
    /// What is asked.
    package var verb: Verb

    package init(client: String, id: String, verb: Verb) {
        self.client = client
        self.id = id
        self.verb = verb
    }
}
