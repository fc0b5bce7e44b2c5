import Basics
import Glibc
import SiteModel

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

/// What this process costs.
package struct ProcessFigures: Sendable {
    private var usedBefore = Self.processorTime
    private var measuredAt: Timestamp
    /// Share of one core between the last two measurements, in percent.
    package private(set) var processor = 0.0

    /// Counts from now.
    package init(at now: Timestamp) { measuredAt = now }

    /// Measures, if the last time was a second ago or more.
    package mutating func measure(at now: Timestamp) {
        let elapsed = (now - measuredAt).seconds
        guard elapsed >= 1 else { return }
        let used = Self.processorTime
        processor = max(0, (used - usedBefore) / elapsed * 100)
        usedBefore = used
        measuredAt = now
    }

    /// Resident memory in units of 1,000,000 bytes; 0 where the system does not say.
    package static var memory: Double {
        // Sizes in pages; the second is the resident one.
        let words = SystemFile.line("/proc/self/statm")?.split(separator: " ") ?? []
        guard words.count > 1, let pages = Int(words[1]) else { return 0 }
        return Double(pages) * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e6
    }

    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
