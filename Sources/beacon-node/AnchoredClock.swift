import Glibc
import MeshCore

/// The node's clock: the wall clock once, then the time since boot, suspension included. It never
/// steps, so that a corrected wall clock moves nothing that was heard.
struct AnchoredClock {
    private let wall: Timestamp
    private let start: Timestamp

    /// Anchored now.
    init() {
        wall = Self.read(CLOCK_REALTIME)
        start = Self.read(CLOCK_BOOTTIME)
    }

    /// The present moment.
    var now: Timestamp { wall + (Self.read(CLOCK_BOOTTIME) - start) }

    /// The wall clock, which may have been set since.
    static var wallNow: Timestamp { read(CLOCK_REALTIME) }

    /// Whether systemd-timesyncd says that a time server keeps the wall clock. Other services do not
    /// say so in a place that can be read without their libraries.
    static var isSynced: Bool { access("/run/systemd/timesync/synchronized", F_OK) == 0 }

    private static func read(_ clock: clockid_t) -> Timestamp {
        var time = timespec()
        clock_gettime(clock, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
