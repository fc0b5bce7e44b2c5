/// How much louder than its fellows a node hears, or a beacon sends.
package struct OffsetRow: Equatable, Sendable, Codable {
    /// No offset is believed beyond this, in dB either way.
    package static let most = 12.0

    /// The node or the beacon.
    package var device: Ear
    /// Where it was when this was learned: at another place it is forgotten. `nil` for what people
    /// carry.
    package var place: Place?
    /// The point where it was, if that was measured: likewise.
    package var position: Position?
    /// What was measured, in dB above the median of its fellows.
    package var offset: Double
    /// What is taken off its levels, in dB: 0 until it is proven, and less than was measured where
    /// the measurement is doubtful.
    package var applied: Double
    /// The seconds it was learned from.
    package var weight: Int
    /// Since when it has been learned.
    package var since: Timestamp
    /// When this row was written.
    package var at: Timestamp
    /// Whether it made minutes agree from which it was not learned.
    package var isProven: Bool
    /// By how much it has moved all at once within the latest day, in dB, or `nil`: an antenna came
    /// off, or somebody hung it elsewhere.
    package var drift: Double?

    package init(
        device: Ear, place: Place?, position: Position?, offset: Double, applied: Double,
        weight: Int, since: Timestamp, at: Timestamp, isProven: Bool, drift: Double? = nil
    ) {
        self.device = device
        self.place = place
        self.position = position
        self.offset = offset
        self.applied = applied
        self.weight = weight
        self.since = since
        self.at = at
        self.isProven = isProven
        self.drift = drift
    }
}

extension Double {
    /// Rounded to tenths, as rows keep it.
    package var inTenths: Double { (self * 10).rounded() / 10 }
}
