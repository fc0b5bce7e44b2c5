import Basics
import SiteModel

/// Decides which record of an outbox is sent next, and when.
///
/// After connecting it waits a moment drawn from the boot, so that fifty nodes do not answer a
/// returning broker at once, and for the retained cursor. Then records go out in order, slowly
/// enough for everybody else; those of the present minute simply come last. What was sent is sent
/// again when no cursor moves for long, and after each connecting: a coordinator ignores what it
/// has.
package struct Replay: Sendable {
    /// Between two records: at most 50 a second.
    package static let spacing = Timestamp.Span.milliseconds(20)
    /// The most records sent and not acknowledged: a coordinator that is dead is not flooded.
    package static let window = 200
    /// The moment drawn after connecting, in milliseconds.
    package static let jitter: ClosedRange<Int64> = 1000...5000
    /// How long the outbox waits for a cursor.
    package static let cursorWait = Timestamp.Span.seconds(5)
    /// The time without progress after which everything is sent again; it doubles each time.
    package static let patience = Timestamp.Span.seconds(60)
    /// No longer than this.
    package static let longestPatience = Timestamp.Span.seconds(960)
    /// Cursors of a lower epoch for this long, and none of the obeyed one, prove that no
    /// coordinator has that epoch: somebody else sent it.
    package static let confirmation = Timestamp.Span.seconds(600)

    private enum State {
        case offline
        /// Connected; not before `from`, and not before a cursor came, or `until`.
        case waiting(from: Timestamp, until: Timestamp, hasCursor: Bool)
        case sending
    }

    /// How far the records are stored.
    package private(set) var acknowledged: Acknowledgement
    private let log: UInt64
    private let boot: UInt64
    private var connections: UInt64 = 0
    private var state = State.offline
    /// The greatest number in the outbox.
    private var newest: Int64
    /// The last record sent, or found not to be there.
    private var position: Int64
    /// What was sent and not acknowledged, numbers growing.
    private var outstanding: [Int64] = []
    private var nextAt: Timestamp
    /// Since when nothing was acknowledged although something is outstanding.
    private var stalledSince: Timestamp
    private var patience = Replay.patience
    /// Since when, and when last, cursors of a lower epoch came, and none of ours.
    private var lower: (since: Timestamp, newest: Timestamp)?

    package init(
        log: UInt64, boot: UInt64, newest: Int64, acknowledged: Acknowledgement, at now: Timestamp
    ) {
        self.log = log
        self.boot = boot
        self.newest = newest
        self.acknowledged = acknowledged
        position = acknowledged.sequence
        nextAt = now
        stalledSince = now
    }

    /// A record was appended.
    package mutating func appended(_ sequence: Int64) { newest = max(newest, sequence) }

    /// The broker accepted us, and was asked for the cursor.
    package mutating func connected(at now: Timestamp) {
        connections += 1
        state = .waiting(
            from: now + .milliseconds(draw), until: now + Self.cursorWait, hasCursor: false)
    }

    /// The connection is gone, and with it perhaps what was sent last.
    package mutating func disconnected() {
        state = .offline
        rewind()
    }

    /// A cursor arrived. Returns what it acknowledges, if that is news to be kept: of a lower epoch
    /// than the last one only where no coordinator confirms that.
    package mutating func heard(
        _ acknowledgement: Acknowledgement, log: UInt64, at now: Timestamp
    ) -> Acknowledgement? {
        guard log == self.log else {
            // A coordinator that knows another outbox of ours has nothing of this one.
            noteCursor()
            return nil
        }
        guard (1...Acknowledgement.greatestEpoch).contains(acknowledgement.epoch),
            acknowledgement.sequence <= Acknowledgement.greatestSequence
        else { return nil }
        guard acknowledgement.epoch >= acknowledged.epoch else {
            return fallBack(to: acknowledgement, at: now)
        }
        lower = nil
        noteCursor()
        guard acknowledgement.replaces(acknowledged) else { return nil }
        let isHigher = acknowledgement.epoch > acknowledged.epoch
        acknowledged = acknowledgement
        patience = Self.patience
        stalledSince = now
        if isHigher {
            rewind()
        } else {
            outstanding.removeAll { $0 <= acknowledgement.sequence }
            position = max(position, acknowledgement.sequence)
        }
        return acknowledgement
    }

    /// The epoch obeyed may be a forged or mistaken one. A coordinator that keeps answering by a lower
    /// one is obeyed in the end, and gets all again from there.
    private mutating func fallBack(
        to acknowledgement: Acknowledgement, at now: Timestamp
    ) -> Acknowledgement? {
        var told = lower ?? (now, now)
        // All is sent again, and answered, at least that often.
        if now - told.newest > Self.longestPatience + Self.patience { told = (now, now) }
        lower = (told.since, now)
        guard now - told.since >= Self.confirmation else { return nil }
        lower = nil
        noteCursor()
        acknowledged = acknowledgement
        patience = Self.patience
        stalledSince = now
        rewind()
        return acknowledgement
    }

    /// After which number the next record is to be sent now; `nil` if none is. Call `sent` or
    /// `exhausted` before asking again.
    package mutating func due(at now: Timestamp) -> Int64? {
        switch state {
        case .offline: return nil
        case .waiting:
            guard let deadline, now >= deadline else { return nil }
            state = .sending
        case .sending: break
        }
        if !outstanding.isEmpty, now >= stalledSince + patience {
            rewind()
            stalledSince = now
            patience = min(patience + patience, Self.longestPatience)
        }
        return canSend && now >= nextAt ? position : nil
    }

    /// A record was handed to the broker.
    package mutating func sent(_ sequence: Int64, at now: Timestamp) {
        if outstanding.isEmpty { stalledSince = now }
        outstanding.append(sequence)
        position = sequence
        nextAt = now + Self.spacing
    }

    /// The outbox has no record after the number asked for.
    package mutating func exhausted() { position = max(position, newest) }

    /// When `due` will next have something to say; `nil` if nothing is pending.
    package var deadline: Timestamp? {
        switch state {
        case .offline: nil
        case .waiting(let from, let until, let hasCursor): hasCursor ? from : max(from, until)
        case .sending:
            if canSend {
                nextAt
            } else if outstanding.isEmpty {
                nil
            } else {
                stalledSince + patience
            }
        }
    }

    private var canSend: Bool { position < newest && outstanding.count < Self.window }

    private mutating func rewind() {
        outstanding = []
        position = acknowledged.sequence
    }

    private mutating func noteCursor() {
        guard case .waiting(let from, let until, _) = state else { return }
        state = .waiting(from: from, until: until, hasCursor: true)
    }

    /// A moment that differs from node to node and from connection to connection.
    private var draw: Int64 {
        let mixed = SplitMix64.mixed(boot &+ connections &* 0x9E37_79B9_7F4A_7C15)
        let width = UInt64(Self.jitter.upperBound - Self.jitter.lowerBound + 1)
        return Self.jitter.lowerBound + Int64(mixed % width)
    }
}
