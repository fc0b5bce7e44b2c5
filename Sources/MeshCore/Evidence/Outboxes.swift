/// How far the outbox of each node is stored. Decides what is news, what was told before, and what
/// is missing; collects what is to be stored until the next whole second, so that a minute that all
/// nodes report at once is one transaction.
struct Outboxes: Sendable {
    /// A gap that stays open so long is none of the line: a node believes that we have what we have
    /// not, because our database is an old one. The next epoch tells it otherwise.
    static let patience = Timestamp.Span.seconds(300)
    /// Between two epochs raised on such a suspicion.
    static let rest = Timestamp.Span.seconds(3600)
    /// Evidence of a process nobody has heard waits so long for the clock of its node.
    static let clockless = Timestamp.Span.seconds(150)

    /// Grows when the stored state is another one than the nodes have seen.
    private(set) var epoch: Int64
    private var cursors: [CursorRow]
    private var changed: [CursorRow.Key] = []
    private var facts: [Fact] = []
    private var again: [NodeID] = []
    private var isRaised = false
    private var raised: Timestamp?
    private var gaps: [(node: NodeID, since: Timestamp)] = []
    private var waits: [(node: NodeID, since: Timestamp)] = []

    init(saved: Saved) {
        epoch = saved.site.epoch
        cursors = saved.cursors
    }

    /// Whether there is something to be stored.
    var hasNews: Bool { isRaised || !facts.isEmpty || !changed.isEmpty }

    /// Whether the record was taken in before; then its node is told again how far we are.
    mutating func isDuplicate(_ record: Record, from node: NodeID) -> Bool {
        guard let cursor = cursors.cursor(of: node, log: record.log),
            record.sequence <= cursor.sequence
        else { return false }
        repeatCursor(of: node)
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
            ?? CursorRow(node: node, log: record.log, sequence: 0, since: now)
        let follows = record.after <= cursor.sequence
        if follows {
            cursor.sequence = max(cursor.sequence, record.sequence)
            gaps.removeAll { $0.node == node }
        } else {
            missed(by: node, at: now)
        }
        if cursors.cursor(of: node, log: record.log) != cursor {
            cursors.keep(cursor)
            if !changed.contains(cursor.key) { changed.append(cursor.key) }
        }
        return follows
    }

    /// Stores something beside the records themselves.
    mutating func put(_ fact: Fact) { facts.append(fact) }

    /// Makes the epoch at least `least`; the nodes go back to what is stored here.
    mutating func raise(to least: Int64) {
        guard least > epoch else { return }
        epoch = least
        isRaised = true
    }

    /// What is to be stored now, in the order it came; cursors last.
    mutating func takeFacts() -> [Fact] {
        defer {
            facts = []
            changed = []
            isRaised = false
        }
        return facts
            + changed.sorted().compactMap { key in
                cursors.cursor(of: key.node, log: key.log).map { .cursor($0) }
            }
    }

    /// The nodes that are to be told their cursor again, sorted.
    mutating func takeRepeats() -> [NodeID] {
        defer { again = [] }
        return again.sorted()
    }

    private mutating func repeatCursor(of node: NodeID) {
        if !again.contains(node) { again.append(node) }
    }

    private mutating func missed(by node: NodeID, at now: Timestamp) {
        repeatCursor(of: node)
        guard let gap = gaps.first(where: { $0.node == node }) else {
            gaps.append((node, now))
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
