import Basics
import SiteModel

/// When to try the broker again: after each failure a random wait between half a second and a limit
/// that doubles from one second to thirty (“full jitter”), so that fifty nodes do not come back in
/// the same instant; to five on the broker's own machine, where few wait and nothing is on the way.
/// A connection that did not last as long as the longest wait counts as a failure.
package struct Reconnect: Equatable, Sendable {
    /// The shortest wait.
    package static let shortest = Timestamp.Span.seconds(0.5)
    /// The longest wait for a broker on another machine.
    package static let longest = Timestamp.Span.seconds(30)
    /// The longest wait for a broker on this one.
    package static let longestHere = Timestamp.Span.seconds(5)

    /// When to try next, or `nil` while a connection stands or is being made.
    package private(set) var deadline: Timestamp?
    /// Failures in a row.
    package private(set) var failures = 0
    private let longest: Timestamp.Span
    private var connectedAt: Timestamp?
    private var chance: SplitMix64

    /// Due at once. `seed` spreads the waits of different processes; the same seed gives the same
    /// waits. `host`: the broker's name or address.
    package init(seed: UInt64, host: String, at now: Timestamp) {
        chance = SplitMix64(seed: seed)
        longest = Loopback.isHost(host) ? Self.longestHere : Self.longest
        deadline = now
    }

    /// Begins an attempt if one is due; whether it did.
    package mutating func begin(at now: Timestamp) -> Bool {
        guard let deadline, now >= deadline else { return false }
        self.deadline = nil
        return true
    }

    /// The broker accepted us.
    package mutating func connected(at now: Timestamp) {
        deadline = nil
        connectedAt = now
    }

    /// An attempt failed, or a connection ended. Returns the wait before the next attempt.
    @discardableResult
    package mutating func failed(at now: Timestamp) -> Timestamp.Span {
        if let connectedAt, now - connectedAt >= longest { failures = 0 }
        connectedAt = nil
        failures += 1
        let doubled = Self.shortest.milliseconds << Int64(min(failures, 16))
        let limit = min(doubled, longest.milliseconds)
        let wait = Timestamp.Span.milliseconds(
            Self.shortest.milliseconds
                // The modulo's bias does not matter for a wait.
                + Int64(chance.next() % UInt64(limit - Self.shortest.milliseconds + 1)))
        deadline = now + wait
        return wait
    }
}
