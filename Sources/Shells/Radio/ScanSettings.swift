/// How an adapter listens.
package struct ScanSettings: Equatable, Sendable {
    /// From the start of one scan window to the next, in milliseconds: 2.5 ... 10,240.
    package var intervalMilliseconds: Double
    /// How long each window is, in milliseconds: 2.5 ... the interval. As long as the interval means
    /// listening all the time; half of it spares the 2.4 GHz Wi-Fi of the same chip.
    package var windowMilliseconds: Double
    /// Whether to ask advertisers for their scan response. That transmits, and drains tags.
    package var isActive: Bool

    /// Passive listening all the time, unless said otherwise.
    package init(
        intervalMilliseconds: Double = 60, windowMilliseconds: Double = 60, isActive: Bool = false
    ) {
        self.intervalMilliseconds = intervalMilliseconds
        self.windowMilliseconds = windowMilliseconds
        self.isActive = isActive
    }

    /// The interval in units of 0.625 ms, brought into the range controllers accept.
    package var interval: UInt16 { Self.units(intervalMilliseconds) }

    /// The window in units of 0.625 ms, never longer than the interval.
    package var window: UInt16 { min(Self.units(windowMilliseconds), interval) }

    /// 4 ... 16,384 units of 0.625 ms (Bluetooth Core 5.4, Vol 4 Part E 7.8.10). The comparison is
    /// written so that “not a number” becomes the least.
    private static func units(_ milliseconds: Double) -> UInt16 {
        let units = (milliseconds / 0.625).rounded()
        return units > 4 ? UInt16(min(units, 16_384)) : 4
    }
}
