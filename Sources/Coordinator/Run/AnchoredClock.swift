import Glibc
import MeshCore

/// The process's own clock: the wall clock once, then monotonic time, so that a step of the wall
/// clock changes no duration.
struct AnchoredClock: Sendable {
    private let wall: Int64
    private let start: Int64

    /// Anchored now.
    init() {
        wall = Self.milliseconds(CLOCK_REALTIME)
        start = Self.milliseconds(CLOCK_MONOTONIC)
    }

    /// The present moment.
    var now: Timestamp {
        Timestamp(milliseconds: wall + Self.milliseconds(CLOCK_MONOTONIC) - start)
    }

    /// Milliseconds of a system clock.
    static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
