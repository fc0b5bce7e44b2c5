/// How far an outbox of a node is stored: every record up to `sequence`.
package struct CursorRow: Equatable, Sendable, Codable {
    /// How many outboxes of a node are remembered. A new one comes only with a new memory card; of
    /// two nodes with one id, which use two outboxes in turn, neither is forgotten.
    package static let mostLogs = 4

    package var node: NodeID
    /// The outbox.
    package var log: UInt64
    /// The last record before which nothing is missing; 0 before anything is stored.
    package var sequence: Int64
    /// Since when it is the node's present outbox: since a record of it came after those of another.
    /// Of a node each outbox has a moment of its own, and the latest is the present one's.
    package var since: Timestamp

    package init(node: NodeID, log: UInt64, sequence: Int64, since: Timestamp) {
        self.node = node
        self.log = log
        self.sequence = sequence
        self.since = since
    }
}

extension CursorRow {
    /// What tells one outbox from another.
    package struct Key: Comparable {
        package let node: NodeID
        package let log: UInt64

        package init(node: NodeID, log: UInt64) {
            self.node = node
            self.log = log
        }

        package static func < (a: Key, b: Key) -> Bool { (a.node, a.log) < (b.node, b.log) }
    }

    package var key: Key { Key(node: node, log: log) }
}

extension [CursorRow] {
    /// The cursor of a node's present outbox.
    package func current(of node: NodeID) -> CursorRow? {
        filter { $0.node == node }.max { ($0.since, $0.log) < ($1.since, $1.log) }
    }

    /// The cursor of one outbox.
    package func cursor(of node: NodeID, log: UInt64) -> CursorRow? {
        first { $0.node == node && $0.log == log }
    }

    /// Puts a cursor in its place, and forgets those outboxes of the node that were the present one
    /// longest ago.
    package mutating func keep(_ row: CursorRow) {
        put(row, by: \.key)
        let logs = filter { $0.node == row.node }
            .sorted { ($0.since, $0.log) > ($1.since, $1.log) }
        for old in logs.dropFirst(CursorRow.mostLogs) {
            removeAll { $0.node == old.node && $0.log == old.log }
        }
    }
}
