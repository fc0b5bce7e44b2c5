/// Seconds in which somebody's place was known: what models are learned from.
public struct Survey: Equatable, Sendable, Codable {
    /// What one ear heard in a second.
    public struct Heard: Equatable, Sendable, Codable {
        /// Who heard, or was heard.
        public var ear: Ear
        /// The median level of the second.
        public var level: RSSI

        /// What one ear heard.
        public init(ear: Ear, level: RSSI) {
            self.ear = ear
            self.level = level
        }
    }

    /// One second at a known place.
    public struct Second: Equatable, Sendable, Codable {
        /// Where.
        public var place: Place
        /// When the second ended.
        public var at: Timestamp
        /// What was heard, sorted by ear; empty if nothing was.
        public var heard: [Heard]

        /// A second at a place.
        public init(place: Place, at: Timestamp, heard: [Heard]) {
            self.place = place
            self.at = at
            self.heard = heard
        }
    }

    /// The ears that listened throughout, sorted: who did not hear in a second was silent.
    public var ears: [Ear]
    /// Stretches of seconds on end, each of one walk or one stand. What is held back to judge a
    /// model is cut from these, for neighbouring seconds say the same.
    public var stretches: [[Second]]

    /// A survey.
    public init(ears: [Ear], stretches: [[Second]]) {
        self.ears = ears
        self.stretches = stretches
    }
}

/// How often seconds at one place were taken for another.
public struct Confusion: Equatable, Sendable, Codable {
    /// The places, sorted.
    public var places: [Place]
    /// Seconds, by true place and then by the place said.
    public var seconds: [[Int]]

    /// A table of seconds.
    public init(places: [Place], seconds: [[Int]]) {
        self.places = places
        self.seconds = seconds
    }
}
