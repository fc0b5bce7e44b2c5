import SiteModel

/// The times of the recovery machine. What is bound to a cause says where it comes from.
enum ScanTiming {
    /// The interval of looking for an absent adapter, in case the kernel's event is missed.
    static let lookingAgain = Timestamp.Span.milliseconds(2_000)
    /// The interval of attempts while rfkill blocks the adapter: a Bluetooth socket does not report
    /// its end.
    static let whileBlocked = Timestamp.Span.milliseconds(2_000)
    /// How long an adapter that somebody switched off is left off.
    static let afterDown = Timestamp.Span.milliseconds(1_000)
    /// How long after another program's last command we leave the adapter to it.
    static let settling = Timestamp.Span.milliseconds(300)
    /// But no longer than this in all, also while a scan of theirs runs.
    static let patience = Timestamp.Span.milliseconds(15_000)
    /// How often within `window` the scan is taken back from other programs at once: two that fight
    /// for an adapter both lose. From then on we wait for `pace` before each.
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
    /// The failed attempts from which the scanner counts as failed.
    static let failuresToSay = 2
    /// How long advertisements must come regularly before a silence counts as a new one.
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
