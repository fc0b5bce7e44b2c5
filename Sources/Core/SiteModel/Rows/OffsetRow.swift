/// How much louder than its fellows a node hears, or a beacon sends.
public struct OffsetRow: Equatable, Sendable, Codable {
    /// No offset is believed beyond this, in dB either way.
    public static let most = 12.0

    /// The node or the beacon.
    public var device: Ear
    /// Where it was when this was learned: at another place it is forgotten. `nil` for what people
    /// carry.
    public var place: Place?
    /// The point where it was, if that was measured: likewise.
    public var position: Position?
    /// What was measured, in dB above the median of its fellows.
    public var offset: Double
    /// What is taken off its levels, in dB: 0 until it is proven, and less than was measured where
    /// the measurement is doubtful.
    public var applied: Double
    /// The seconds it was learned from.
    public var weight: Int
    /// Since when it has been learned.
    public var since: Timestamp
    /// When this row was written.
    public var at: Timestamp
    /// Whether it made minutes agree from which it was not learned.
    public var isProven: Bool
    /// By how much it has moved all at once within the latest day, in dB, or `nil`: an antenna came
    /// off, or somebody hung it elsewhere.
    public var drift: Double?

    /// A row.
    public init(
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
    var inTenths: Double { (self * 10).rounded() / 10 }
}
