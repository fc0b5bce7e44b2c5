import Basics

/// How the machine fares: heat, and what a Raspberry Pi's firmware does about it.
package struct MachineFigures: Equatable, Sendable {
    /// From here on a Raspberry Pi slows down (80 °C is its soft limit's end, 85 °C the hard one).
    private static let heat = 80.0
    /// The bits of `throttled` that are about now: too little voltage, slowed down twice over, the soft
    /// limit of temperature.
    private static let present: Int64 = 0b1111

    /// How hot the processor is, in °C, or `nil` if the machine does not say.
    package var temperature: Double?
    /// What the firmware says, bit by bit (`vcgencmd get_throttled`), or `nil` if there is none.
    package var throttled: Int64?

    /// Asks the system. `root` stands before every path, for tests.
    package init(root: String = "") {
        // In thousandths of a degree.
        temperature = SystemFile.line(root + "/sys/class/thermal/thermal_zone0/temp")
            .flatMap { Double($0) }.map { $0 / 1000 }
        throttled = SystemFile.line(root + "/sys/devices/platform/soc/soc:firmware/get_throttled")
            .flatMap { Hex.number($0.utf8) }.flatMap { Int64(exactly: $0) }
    }

    /// Whether it is slowed down just now.
    package var isThrottled: Bool { (throttled ?? 0) & Self.present != 0 }

    /// Whether it is about to be.
    package var isHot: Bool { (temperature ?? 0) >= Self.heat }
}
