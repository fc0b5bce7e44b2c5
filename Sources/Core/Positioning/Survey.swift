import SiteModel

/// Seconds in which somebody's place was known: what models are learned from.
package struct Survey: Equatable, Sendable, Codable {
    /// What one ear heard in a second.
    package struct Heard: Equatable, Sendable, Codable {
        package var ear: Ear
        /// The median level of the second.
        package var level: RSSI

        package init(ear: Ear, level: RSSI) {
            self.ear = ear
            self.level = level
        }
    }

    /// One second at a known place.
    package struct Second: Equatable, Sendable, Codable {
        package var place: Place
        /// When the second ended.
        package var at: Timestamp
        /// What was heard, sorted by ear; empty if nothing was.
        package var heard: [Heard]

        package init(place: Place, at: Timestamp, heard: [Heard]) {
            self.place = place
            self.at = at
            self.heard = heard
        }
    }

    /// The ears that listened throughout, sorted: who did not hear in a second was silent.
    package var ears: [Ear]
    /// Stretches of seconds on end, each of one walk or one stand. What is held back to judge a
    /// model is cut from these, for neighbouring seconds say the same.
    package var stretches: [[Second]]

    package init(ears: [Ear], stretches: [[Second]]) {
        self.ears = ears
        self.stretches = stretches
    }
}

/// How often seconds at one place were taken for another.
package struct Confusion: Equatable, Sendable, Codable {
    /// The places, sorted.
    package var places: [Place]
    /// Seconds, by true place and then by the place said.
    package var seconds: [[Int]]

    package init(places: [Place], seconds: [[Int]]) {
        self.places = places
        self.seconds = seconds
    }
}
