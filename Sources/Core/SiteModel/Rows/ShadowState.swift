/// How two locators compare that heard the same: the one that decides and the one that only runs
/// beside it. Seconds are those of people: two people in one second are two.
package struct ShadowState: Equatable, Sendable, Codable {
    /// What is told of one of the two.
    package struct Side: Equatable, Sendable, Codable {
        /// Its rule.
        package var method: LocatingPolicy.Method
        /// Seconds in which it alone had a place.
        package var alone: Int
        /// Changes from one place to another.
        package var changes: Int
        /// The mean probability of the place it named, in seconds in which both named one; 0
        /// without any.
        package var probability: Double

        package init(
            method: LocatingPolicy.Method, alone: Int = 0, changes: Int = 0, probability: Double = 0
        ) {
            self.method = method
            self.alone = alone
            self.changes = changes
            self.probability = probability
        }
    }

    /// When the comparison began.
    package var since: Timestamp
    /// The moment this was so.
    package var at: Timestamp
    /// Seconds in which both named a place.
    package var seconds: Int
    /// Those of them in which it was the same.
    package var agreed: Int
    /// The locator that decides.
    package var deciding: Side
    /// The one beside it.
    package var shadow: Side

    package init(
        since: Timestamp, at: Timestamp, seconds: Int = 0, agreed: Int = 0, deciding: Side,
        shadow: Side
    ) {
        self.since = since
        self.at = at
        self.seconds = seconds
        self.agreed = agreed
        self.deciding = deciding
        self.shadow = shadow
    }

    /// The share of the seconds in which both named the same place, 0 without any.
    package var agreement: Double { seconds == 0 ? 0 : Double(agreed) / Double(seconds) }
}
