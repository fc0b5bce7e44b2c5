import SiteModel

/// The levels of one transmitter within one second: what a frame says about it.
package struct SecondOfLevels: Sendable {
    /// Levels kept for the median; of a transmitter that sends more often, the newest.
    private static let capacity = 64

    private var levels = InlineArray<64, Int8>(repeating: 0)
    /// Readings so far.
    package private(set) var count = 0
    private var greatest = Int8.min

    package init() {}

    /// A reading arrived, in whole dBm as radios report it.
    package mutating func heard(_ reading: RSSI) {
        let level = Int8(max(-128, min(127, reading.dBm.rounded())))
        levels[count % Self.capacity] = level
        greatest = max(greatest, level)
        count += 1
    }

    /// The strongest reading; meaningless before the first.
    package var strongest: RSSI { RSSI(dBm: Double(greatest)) }

    /// The median reading, of an even number the mean of the middle two; meaningless before the
    /// first.
    package var median: RSSI {
        let kept = min(count, Self.capacity)
        guard kept > 0 else { return strongest }
        let sorted = (0..<kept).map { Double(levels[$0]) }.sorted()
        return RSSI(dBm: (sorted[(kept - 1) / 2] + sorted[kept / 2]) / 2)
    }

    /// Begins the next second.
    package mutating func clear() {
        count = 0
        greatest = Int8.min
    }
}
