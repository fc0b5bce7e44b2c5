/// Everything a node heard in one second, also when that is nothing.
public struct Frame: Equatable, Sendable, Codable {
    /// What was heard of one beacon.
    public struct Entry: Equatable, Sendable, Codable {
        /// The registered beacon.
        public var beacon: BeaconID
        /// The median level of the second.
        public var median: RSSI
        /// The number of advertisements.
        public var count: Int
        /// The strongest level of the second.
        public var strongest: RSSI
        /// How far apart this node's reports of this beacon usually are, from a network that does
        /// not tell everything each second; `nil` for a node of ours.
        public var cadence: Timestamp.Span?

        /// What was heard of a beacon.
        public init(
            beacon: BeaconID, median: RSSI, count: Int, strongest: RSSI,
            cadence: Timestamp.Span? = nil
        ) {
            self.beacon = beacon
            self.median = median
            self.count = count
            self.strongest = strongest
            self.cadence = cadence
        }
    }

    /// The node's process, a random number drawn at its start.
    public var boot: UInt64
    /// Counts frames of a boot, from 1.
    public var sequence: Int64
    /// The end of the second, by the node's clock.
    public var at: Timestamp
    /// Registered beacons heard, sorted by beacon.
    public var entries: [Entry]

    /// A frame.
    public init(boot: UInt64, sequence: Int64, at: Timestamp, entries: [Entry]) {
        self.boot = boot
        self.sequence = sequence
        self.at = at
        self.entries = entries
    }
}
