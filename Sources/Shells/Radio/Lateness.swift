import Glibc
import SiteModel

/// How long packets wait in the kernel before they are read.
struct Lateness {
    private static let window = Timestamp.Span.seconds(10)
    /// A difference beyond this is no lateness: somebody set the clock.
    private static let longest: Int64 = 60_000

    private var began = Timestamp(milliseconds: 0)
    private var present: Int64?
    private var before: Int64?

    /// The most of the last ten to twenty seconds in which there were packets.
    var most: Timestamp.Span? {
        [present, before].compactMap { $0 }.max().map { .milliseconds($0) }
    }

    /// The wall clock in microseconds since 1970.
    static var wallNow: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    /// When a packet came, in the clock of `now`, if the kernel got it at the wall-clock time `stamp`
    /// and the wall clock says `wall` now, both in microseconds.
    mutating func moment(stamp: Int64, wall: Int64, now: Timestamp) -> Timestamp {
        guard stamp > 0 else { return now }
        let (difference, overflow) = wall.subtractingReportingOverflow(stamp)
        let late = difference / 1_000
        guard !overflow, (0...Self.longest).contains(late) else { return now }
        if now - began >= Self.window {
            (before, present, began) = (present, nil, now)
        }
        present = max(present ?? 0, late)
        return now - .milliseconds(late)
    }
}
