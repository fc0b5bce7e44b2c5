import Glibc
import SiteModel

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
