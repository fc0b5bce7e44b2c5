import SiteModel

/// What one node heard of one beacon in each of the last 16 seconds. Of constant size.
package struct HeardSeconds: Sendable {
    /// What was heard in a stretch of seconds.
    package struct Sum: Equatable, Sendable {
        /// The number of packets.
        package var count: Int
        /// The mean of the seconds' levels, weighted by their packets, in dBm.
        package var level: Double

        package init(count: Int, level: Double) {
            self.count = count
            self.level = level
        }
    }

    private static let kept: Int64 = 16

    /// The newest second in which it was heard; 0 if it never was.
    package private(set) var newest: Int64 = 0
    private var counts = InlineArray<16, UInt8>(repeating: 0)
    private var levels = InlineArray<16, Int8>(repeating: 0)

    /// Heard in a second. `false` if that second was told before, or is too long ago to matter: a
    /// frame that arrives twice must not count twice.
    package mutating func heard(_ level: RSSI, count: Int, in second: Int64) -> Bool {
        if second > newest {
            for passed in 0..<min(second - newest, Self.kept) {
                counts[Self.slot(second - passed)] = 0
            }
            newest = second
        } else if newest - second >= Self.kept || counts[Self.slot(second)] > 0 {
            return false
        }
        counts[Self.slot(second)] = UInt8(clamping: count)
        levels[Self.slot(second)] = Int8(max(-128, min(127, level.dBm.rounded())))
        return true
    }

    /// What was heard in the `seconds` seconds that end with `second`; `nil` if nothing was.
    package func sum(of seconds: Int64, endingWith second: Int64) -> Sum? {
        guard newest > second - seconds, newest - second < Self.kept - seconds else { return nil }
        var (count, levels) = (0, 0)
        for back in 0..<seconds where second - back <= newest {
            let slot = Self.slot(second - back)
            count += Int(counts[slot])
            levels += Int(counts[slot]) * Int(self.levels[slot])
        }
        return count > 0 ? Sum(count: count, level: Double(levels) / Double(count)) : nil
    }

    private static func slot(_ second: Int64) -> Int { Int(truncatingIfNeeded: second & 15) }
}
