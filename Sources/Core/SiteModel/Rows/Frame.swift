/// Everything a node heard in one second, also when that is nothing.
package struct Frame: Equatable, Sendable, Codable {
    /// What was heard of one beacon.
    package struct Entry: Equatable, Sendable, Codable {
        /// The registered beacon.
        package var beacon: BeaconID
        /// The median level of the second.
        package var median: RSSI
        /// The number of advertisements.
        package var count: Int
        /// The strongest level of the second.
        package var strongest: RSSI
        /// How far apart this node's reports of this beacon usually are, from a network that does
        /// not tell everything each second; `nil` for a node of ours.
        package var cadence: Timestamp.Span?

        /// What was heard of a beacon.
        package init(
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
    package var boot: UInt64
    /// Counts frames of a boot, from 1.
    package var sequence: Int64
    /// The end of the second, by the node's clock.
    package var at: Timestamp
    /// Registered beacons heard, sorted by beacon.
    package var entries: [Entry]

    package init(boot: UInt64, sequence: Int64, at: Timestamp, entries: [Entry]) {
        self.boot = boot
        self.sequence = sequence
        self.at = at
        self.entries = entries
    }
}
