import Positioning
import SiteModel

/// Seconds on end in which somebody with a beacon was at one place: a stand, or a part of a walk.
package struct SurveyLeg: Equatable, Sendable, Codable {
    /// How it was made.
    package enum Source: String, Sendable, Codable {
        /// Somebody stood there.
        case stand
        /// Somebody walked by, and said where they were.
        case walk
        /// It was read from a file.
        case file = "import"
    }

    /// The number of the stand or walk, from 1 in the order they were stored.
    package var stretch: Int64
    package var place: Place
    /// How it was made.
    package var source: Source
    /// The slug of what was carried: a beacon, or a mobile node.
    package var carrier: String
    /// The ears that listened throughout, sorted.
    package var ears: [Ear]
    /// The seconds, at least one, in order; all of `place`, and heard by none but `ears`.
    package var seconds: [Survey.Second]

    /// A leg; `stretch` is given when it is stored.
    package init(
        place: Place, source: Source, carrier: String, ears: [Ear], seconds: [Survey.Second],
        stretch: Int64 = 0
    ) {
        precondition(!seconds.isEmpty, "a leg without seconds")
        self.stretch = stretch
        self.place = place
        self.source = source
        self.carrier = carrier
        self.ears = ears
        self.seconds = seconds
    }
}

/// What is known of a stored model beside its levels.
package struct ModelRow: Equatable, Sendable {
    /// Its revision, from 1.
    package var revision: Int64
    /// When it was learned.
    package var at: Timestamp
    /// Whether it is in force.
    package var isApplied: Bool
    /// It was learned from the stretches up to this one.
    package var through: Int64
    /// From how many seconds.
    package var seconds: Int
    /// How many places it knows.
    package var places: Int
    /// The share of held-back seconds it placed rightly, 0 ... 1, each place counting the same;
    /// `nil` if nothing could be held back.
    package var accuracy: Double?

    package init(
        revision: Int64, at: Timestamp, isApplied: Bool, through: Int64, seconds: Int, places: Int,
        accuracy: Double?
    ) {
        self.revision = revision
        self.at = at
        self.isApplied = isApplied
        self.through = through
        self.seconds = seconds
        self.places = places
        self.accuracy = accuracy
    }
}
