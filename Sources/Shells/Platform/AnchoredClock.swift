import Glibc
import SiteModel

/// The process's own clock: the wall clock once, then the time since the machine was booted, sleep
/// included, so that a step of the wall clock changes no duration.
package struct AnchoredClock: Sendable {
    /// No clock before this is right: it is when the first release was made, 2026-01-01.
    package static let earliest = Timestamp(milliseconds: 1_767_225_600_000)

    private let wall: Timestamp
    private let start: Timestamp
    /// Whether it began at a later moment than the wall clock showed.
    package let isAhead: Bool

    /// Anchored now: at what the wall clock shows, or at a later moment that is known to be past.
    package init(at least: Timestamp? = nil) {
        let shown = Self.wallNow
        wall = max(least ?? shown, shown)
        isAhead = wall > shown
        start = Self.read(CLOCK_BOOTTIME)
    }

    /// The present moment.
    package var now: Timestamp { wall + (Self.read(CLOCK_BOOTTIME) - start) }

    /// How far the wall clock has been set forward since the start.
    package var offset: Timestamp.Span { Self.wallNow - now }

    /// The wall clock, which may have been set since.
    package static var wallNow: Timestamp { read(CLOCK_REALTIME) }

    /// Whether systemd-timesyncd says that a time server keeps the wall clock. Other services do not
    /// say so in a place that can be read without their libraries.
    package static var isSynced: Bool { access("/run/systemd/timesync/synchronized", F_OK) == 0 }

    private static func read(_ clock: clockid_t) -> Timestamp {
        var time = timespec()
        clock_gettime(clock, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}

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
