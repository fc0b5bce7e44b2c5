/// How a site decides where people are.
package struct LocatingPolicy: Hashable, Sendable, Codable {
    /// The rule.
    package enum Method: String, Hashable, Sendable, Codable, CaseIterable {
        /// Spots where places are calibrated, zone level where not or where the levels fit no spot.
        case auto
        /// The place of the loudest node, whatever was learned.
        case zoneLevel = "zone-level"
        /// Spots alone.
        case spot
        /// The loudest node at or above a threshold, with hysteresis.
        case threshold
        /// The node that heard the strongest level in the latest second.
        case nearest
    }

    /// The rule that decides.
    package var method: Method
    /// From `calm` (0: rather late than wrong) to `quick` (1: rather wrong than late).
    package var quickness: Double
    /// A rule that runs beside it and tells figures only, or `nil`.
    package var shadow: Method?

    /// A policy; half-way between calm and quick unless told otherwise.
    package init(method: Method = .auto, quickness: Double = 0.5, shadow: Method? = nil) {
        self.method = method
        self.quickness = quickness
        self.shadow = shadow
    }

    /// Whether what was learned counts at all.
    package var usesSpots: Bool { method == .auto || method == .spot }
}
