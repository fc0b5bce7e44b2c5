/// Something people train, as far as it decides what a set of it is. The core knows no names.
package struct Exercise: Hashable, Sendable, Codable {
    /// What a set of it counts.
    package enum Measure: String, Sendable, Codable, CaseIterable {
        case reps
        case time
        case distance
    }

    /// What is moved.
    package enum Load: String, Sendable, Codable, CaseIterable {
        /// A weight, which each set states.
        case weight
        /// The body, with a weight or without.
        case bodyweight
        /// Nothing.
        case none
    }

    /// What it is called on the wire.
    package var slug: String
    package var measure: Measure
    package var load: Load
    /// How long to rest after a set, in seconds.
    package var rest: Int

    package init(slug: String, measure: Measure, load: Load, rest: Int = 90) {
        self.slug = slug
        self.measure = measure
        self.load = load
        self.rest = rest
    }
}
