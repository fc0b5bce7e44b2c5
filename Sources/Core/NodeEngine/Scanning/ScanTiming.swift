import SiteModel

/// The times of the recovery machine. What is bound to a cause says where it comes from.
enum ScanTiming {
    /// An adapter that is not there is looked for so often, in case nobody tells of it.
    static let lookingAgain = Timestamp.Span.milliseconds(2_000)
    /// rfkill is not told on a Bluetooth socket: so often we try.
    static let whileBlocked = Timestamp.Span.milliseconds(2_000)
    /// An adapter that somebody switched off is left off so long.
    static let afterDown = Timestamp.Span.milliseconds(1_000)
    /// Others are left so long in peace after their last command.
    static let settling = Timestamp.Span.milliseconds(300)
    /// But no longer than this in all, also while a scan of theirs runs.
    static let patience = Timestamp.Span.milliseconds(15_000)
    /// So often in `window` the scan is taken back from others at once; two who fight for an adapter
    /// both lose. From then on there is `pace` before each.
    static let fights = 6
    /// The same for scans begun for whatever reason, except after failures, which have waits of their
    /// own: this is not reached unless faults follow each other every few seconds.
    static let starts = 12
    static let window = Timestamp.Span.milliseconds(60_000)
    static let pace = Timestamp.Span.milliseconds(5_000)
    /// A controller answers a command in a few milliseconds; the kernel itself gives up after two
    /// seconds.
    static let answer = Timestamp.Span.milliseconds(1_000)
    /// The kernel gives a controller ten seconds to come up.
    static let switching = Timestamp.Span.milliseconds(30_000)
    /// Between off and on.
    static let rest = Timestamp.Span.milliseconds(500)
    /// Without a scan for longer than this, what is not heard is not silence.
    static let grace = Timestamp.Span.milliseconds(1_000)
    /// From so many failed attempts on the scanner counts as failed.
    static let failuresToSay = 2
    /// After so long a time of regular advertisements silence is news again.
    static let regular = Timestamp.Span.milliseconds(10_000)

    /// What is heard so soon after a power cycle was cured by it.
    static let cure = Timestamp.Span.milliseconds(2_000)

    /// The wait after the failure `number`, from 1, of a trouble that has lasted for `span`. For five
    /// minutes it is so short that the end of a fault is met within seconds.
    static func wait(afterFailure number: Int, lasting span: Timestamp.Span) -> Timestamp.Span {
        if span >= .seconds(3_600) { return .seconds(300) }
        if span >= .seconds(300) { return .seconds(30) }
        return .milliseconds(min(500 << Int64(min(max(number, 1) - 1, 3)), 3_000))
    }

    /// The wait before another power cycle against silence, after `useless` of them that brought
    /// nothing: 1, 2, 4 … 30 minutes. Where nothing transmits, resetting is of no use.
    static func wait(afterUseless useless: Int) -> Timestamp.Span {
        .seconds(Double(min(60 << min(max(useless, 1) - 1, 5), 1_800)))
    }
}
