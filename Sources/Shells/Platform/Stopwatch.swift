import Glibc

/// Measures how long something takes, by the monotonic clock.
package struct Stopwatch {
    private let start: Int64

    /// Starts.
    package init() { start = Self.now }

    /// Nanoseconds since the start, at least 1 so that one may divide by them.
    package var nanoseconds: Double { Double(max(Self.now - start, 1)) }

    /// Seconds since the start.
    package var seconds: Double { nanoseconds / 1e9 }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
