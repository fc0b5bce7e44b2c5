import MeshCore

/// When to start the scan of an adapter, and again. It holds no clock and touches no adapter.
struct ScanSchedule: Equatable, Sendable {
    /// Others are left so long in peace after their last command before the scan is started again.
    static let settling = Timestamp.Span.milliseconds(300)
    /// But no longer than this in all.
    static let patience = Timestamp.Span.milliseconds(15_000)
    /// So many starts in `window`; two who fight for an adapter both lose.
    static let limit = 6
    static let window = Timestamp.Span.milliseconds(60_000)
    /// An adapter that went down is switched on again after this.
    static let afterDown = Timestamp.Span.milliseconds(1_000)
    /// An adapter that is not there is looked for so often, in case nobody tells of it.
    static let whileAbsent = Timestamp.Span.milliseconds(5_000)
    /// The wait after a failed start doubles up to this.
    static let longestWait = Timestamp.Span.milliseconds(30_000)

    /// What the adapter does; `nil` before the first attempt.
    private(set) var state: AdapterState?
    /// When to start the scan next, or `nil` while it runs undisturbed. The first start is due at
    /// once.
    private(set) var deadline: Timestamp? = Timestamp(milliseconds: 0)

    /// The last starts, oldest first, at most `limit`.
    private var starts: [Timestamp] = []
    private var failures = 0
    private var disturbedSince: Timestamp?

    /// The scan was started.
    mutating func started(at now: Timestamp) {
        state = .up
        deadline = nil
        failures = 0
        disturbedSince = nil
        starts.append(now)
        if starts.count > Self.limit { starts.removeFirst() }
    }

    /// The scan could not be started.
    mutating func failed(at now: Timestamp) {
        state = .down
        disturbedSince = nil
        let wait = Timestamp.Span.milliseconds(1_000 << min(failures, 5))
        failures += 1
        deadline = now + min(wait, Self.longestWait)
    }

    /// Something happened after which the scan may be off or not as it should be: a foreign command,
    /// a hardware error, the adapter appearing or coming up.
    mutating func disturbed(at now: Timestamp) {
        let since = disturbedSince ?? now
        disturbedSince = since
        var next = min(now + Self.settling, since + Self.patience)
        if starts.count == Self.limit, let oldest = starts.first {
            next = max(next, oldest + Self.window)
        }
        // With the scan off for longer, what is not heard is not silence.
        if state == .up, (next - now).seconds > 1 { state = .down }
        deadline = next
    }

    /// The adapter went down.
    mutating func wentDown(at now: Timestamp) {
        state = .down
        disturbedSince = nil
        deadline = now + Self.afterDown
    }

    /// The adapter is not there.
    mutating func vanished(at now: Timestamp) {
        state = .absent
        disturbedSince = nil
        failures = 0
        deadline = now + Self.whileAbsent
    }

    /// Nothing more is to be done.
    mutating func stopped() { deadline = nil }
}
