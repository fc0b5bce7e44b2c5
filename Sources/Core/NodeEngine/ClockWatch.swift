import SiteModel

/// Notices when the wall clock is set while a process runs that keeps its own.
package struct ClockWatch: Equatable, Sendable {
    /// A time server corrects a clock by slewing, half a millisecond a second; what is faster was a
    /// step.
    private static let slew = Timestamp.Span.milliseconds(250)
    /// Farther off than this, times told are worth an alert.
    package static let tolerance = Timestamp.Span.seconds(5)

    /// How far the wall clock was ahead of the process's own when last looked at.
    package private(set) var offset = Timestamp.Span.milliseconds(0)
    /// How often it was set.
    package private(set) var steps = 0

    package init() {}

    /// Looked at, about once a second. Whether it was set since the last time.
    package mutating func look(offset new: Timestamp.Span) -> Bool {
        let change = new.milliseconds - offset.milliseconds
        offset = new
        guard abs(change) > Self.slew.milliseconds else { return false }
        steps += 1
        return true
    }

    /// Whether it is so far off that times told are wrong.
    package var isOff: Bool { abs(offset.milliseconds) > Self.tolerance.milliseconds }
}
