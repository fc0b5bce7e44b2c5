import Platform
import SiteModel

/// The loop's time: an `AnchoredClock`, or a script of a test.
struct LoopClock {
    private let read: () -> Timestamp
    private let wall: () -> Timestamp
    /// Whether it began at a later moment than the wall clock showed.
    let isAhead: Bool

    init(_ clock: AnchoredClock) {
        self.init(now: { clock.now }, wall: { AnchoredClock.wallNow }, isAhead: clock.isAhead)
    }

    init(
        now: @escaping () -> Timestamp, wall: @escaping () -> Timestamp, isAhead: Bool = false
    ) {
        read = now
        self.wall = wall
        self.isAhead = isAhead
    }

    /// The present moment.
    var now: Timestamp { read() }

    /// How far the wall clock has been set forward since the start.
    var offset: Timestamp.Span { wall() - now }
}
