import Glibc
import MeshCore

/// The process's own clock: the wall clock once, then the time since the machine was booted, sleep
/// included, so that a step of the wall clock changes no duration.
struct AnchoredClock: Sendable {
    private let wall: Int64
    private let start: Int64

    /// Anchored now.
    init() {
        wall = Self.milliseconds(CLOCK_REALTIME)
        start = Self.milliseconds(CLOCK_BOOTTIME)
    }

    /// The present moment.
    var now: Timestamp {
        Timestamp(milliseconds: wall + Self.milliseconds(CLOCK_BOOTTIME) - start)
    }

    /// No clock before this is right: it is when the first release was made, 2026-01-01.
    static let earliest = Timestamp(milliseconds: 1_767_225_600_000)

    /// How far the wall clock has been stepped since the start.
    var step: Timestamp.Span {
        Timestamp(milliseconds: Self.milliseconds(CLOCK_REALTIME)) - now
    }

    /// Milliseconds of a system clock.
    static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
