import SiteModel

/// Tells two nodes that go by one id from one node that was restarted.
///
/// A process draws its number anew, and so does an outbox when it is made: one that was replaced by
/// another comes back once when a card is swapped back, and again and again only where two nodes
/// send in turn (the broker throws one of them off whenever the other one connects).
struct DuplicateWatch: Sendable {
    /// So many returns make two nodes of one,
    static let returns = 3
    /// within this time. When the last of them is as long ago, it is over.
    static let memory = Timestamp.Span.seconds(600)
    /// How many earlier boot numbers of a node are remembered.
    private static let most = 8

    /// The numbers of one kind that a node went by.
    private struct Trail: Sendable {
        private var present: UInt64?
        private var earlier: [UInt64] = []
        private var returned: [Timestamp] = []

        mutating func saw(_ number: UInt64, at now: Timestamp) {
            guard number != present else { return }
            if earlier.contains(number) {
                returned = returned.suffix(DuplicateWatch.returns - 1) + [now]
            }
            if let present {
                earlier.removeAll { $0 == number || $0 == present }
                earlier = earlier.suffix(DuplicateWatch.most - 1) + [present]
            }
            present = number
        }

        /// Since when there are two of them; `nil` if there is one.
        func doubled(at now: Timestamp) -> Timestamp? {
            guard returned.count == DuplicateWatch.returns, let first = returned.first,
                let last = returned.last, last - first <= DuplicateWatch.memory,
                now - last <= DuplicateWatch.memory
            else { return nil }
            return first
        }
    }

    private var boots: [NodeID: Trail] = [:]
    private var logs: [NodeID: Trail] = [:]
    private var since: [NodeID: Timestamp] = [:]

    /// A process of a node is alive.
    mutating func saw(boot: UInt64, of node: NodeID, at now: Timestamp) {
        boots[node, default: Trail()].saw(boot, at: now)
        note(node, at: now)
    }

    /// An outbox of a node sends.
    mutating func saw(log: UInt64, of node: NodeID, at now: Timestamp) {
        logs[node, default: Trail()].saw(log, at: now)
        note(node, at: now)
    }

    /// The nodes that are two, by node.
    func raised(at now: Timestamp) -> [RaisedSiteAlert] {
        since.sorted { $0.key < $1.key }.compactMap { node, since in
            doubled(node, at: now) == nil
                ? nil : RaisedSiteAlert(.duplicateID, node: node, since: since)
        }
    }

    /// An alert keeps the moment it began, however long it lasts.
    private mutating func note(_ node: NodeID, at now: Timestamp) {
        let doubled = doubled(node, at: now)
        since[node] = doubled.map { since[node] ?? $0 }
    }

    private func doubled(_ node: NodeID, at now: Timestamp) -> Timestamp? {
        [boots[node], logs[node]].compactMap { $0?.doubled(at: now) }.min()
    }
}
