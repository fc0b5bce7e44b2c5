import SiteModel

/// Tracks how far the outbox of each node is stored. Decides which records are new, which are
/// repeats, and which are missing; collects what is to be stored until the next whole second, so
/// that a minute that all nodes report at once is one transaction.
package struct Outboxes: Sendable {
    /// How long a gap may stay open before it is not a fault of the transport: the node assumes
    /// that we stored records which our restored database does not hold. A new epoch makes it send
    /// them again.
    static let patience = Timestamp.Span.seconds(300)
    /// How many such gaps are remembered, the newest ones.
    static let mostGaps = 256
    /// Between two epochs raised on such a suspicion.
    static let rest = Timestamp.Span.seconds(3600)
    /// How long evidence of a process that sent no frame waits for the clock of its node.
    static let clockless = Timestamp.Span.seconds(150)

    /// Grows when the stored state is another one than the nodes have seen.
    private(set) var epoch: Int64
    private var cursors: [CursorRow]
    private var changed: [CursorRow.Key] = []
    private var facts: [Fact] = []
    private var again: [CursorRow.Key] = []
    private var isRaised = false
    private var raised: Timestamp?
    private var gaps: [(key: CursorRow.Key, since: Timestamp)] = []
    private var waits: [(node: NodeID, since: Timestamp)] = []

    init(saved: Saved) {
        epoch = saved.site.epoch
        cursors = saved.cursors
    }

    /// Whether there is something to be stored.
    var hasNews: Bool { isRaised || !facts.isEmpty || !changed.isEmpty }

    /// Whether the record was taken in before; then its node is told again how far its outbox is
    /// stored, which is the present one from now on.
    mutating func isDuplicate(_ record: Record, from node: NodeID, at now: Timestamp) -> Bool {
        guard let cursor = cursors.cursor(of: node, log: record.log),
            record.sequence <= cursor.sequence
        else { return false }
        keep(cursor, at: now)
        repeatCursor(cursor.key)
        return true
    }

    /// Whether a record whose time cannot be told yet is to wait, to be sent again: as long as
    /// nothing is heard of its node's clock.
    mutating func isWaiting(_ node: NodeID, isHeard: Bool, at now: Timestamp) -> Bool {
        guard !isHeard else {
            waits.removeAll { $0.node == node }
            return false
        }
        if let wait = waits.first(where: { $0.node == node }) {
            return now - wait.since < Self.clockless
        }
        waits.append((node, now))
        return true
    }

    /// Takes a record in, with what is to be stored of it. Returns `false` if something before it
    /// is missing: then it is stored, but not acknowledged.
    mutating func take(_ record: Record, from node: NodeID, at now: Timestamp, _ fact: Fact?)
        -> Bool
    {
        if let fact { facts.append(fact) }
        var cursor =
            cursors.cursor(of: node, log: record.log)
            ?? CursorRow(
                node: node, log: record.log, sequence: 0, since: Timestamp(milliseconds: .min))
        let follows = record.after <= cursor.sequence
        if follows {
            cursor.sequence = max(cursor.sequence, record.sequence)
            gaps.removeAll { $0.key == cursor.key }
        } else {
            missed(in: cursor.key, at: now)
        }
        keep(cursor, at: now)
        return follows
    }

    /// Puts the cursor of the outbox that a record just came from in its place: it is the present
    /// one, whichever was before.
    private mutating func keep(_ new: CursorRow, at now: Timestamp) {
        var cursor = new
        if let present = cursors.current(of: cursor.node) {
            if present.log != cursor.log {
                cursor.since = max(now, present.since + .milliseconds(1))
            }
        } else {
            cursor.since = now
        }
        guard cursors.cursor(of: cursor.node, log: cursor.log) != cursor else { return }
        cursors.keep(cursor)
        if !changed.contains(cursor.key) { changed.append(cursor.key) }
    }

    /// Stores something beside the records themselves.
    mutating func put(_ fact: Fact) { facts.append(fact) }

    /// Makes the epoch at least `least`; the nodes go back to what is stored here.
    mutating func raise(to least: Int64) {
        guard least > epoch else { return }
        epoch = least
        isRaised = true
    }

    /// What is to be stored now, in the order it came; cursors last, of a node the present one's.
    mutating func takeFacts() -> [Fact] {
        defer {
            facts = []
            changed = []
            isRaised = false
        }
        return facts
            + changed.compactMap { cursors.cursor(of: $0.node, log: $0.log) }
            .sorted { ($0.node, $0.since) < ($1.node, $1.since) }.map { .cursor($0) }
    }

    /// The outboxes whose cursors are to be told again, sorted.
    mutating func takeRepeats() -> [CursorRow.Key] {
        defer { again = [] }
        return again.sorted()
    }

    private mutating func repeatCursor(_ key: CursorRow.Key) {
        if !again.contains(key) { again.append(key) }
    }

    private mutating func missed(in key: CursorRow.Key, at now: Timestamp) {
        repeatCursor(key)
        guard let gap = gaps.first(where: { $0.key == key }) else {
            gaps.append((key, now))
            // Outboxes that are heard of once, by mistake or malice, must not pile up.
            gaps.removeFirst(max(0, gaps.count - Self.mostGaps))
            return
        }
        guard now - gap.since >= Self.patience,
            raised.map({ now - $0 >= Self.rest }) ?? true
        else { return }
        raised = now
        gaps = []
        raise(to: epoch + 1)
    }
}
