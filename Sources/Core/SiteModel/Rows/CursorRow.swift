import Basics

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

/// How far a coordinator has stored what a node's outbox sent.
package struct Acknowledgement: Hashable, Sendable {
    /// No acknowledgement goes further: half of what a payload's integers hold, so that a made-up
    /// one leaves numbers for what comes after it.
    package static let greatestSequence: Int64 = 1 << 52

    /// No epoch is obeyed or told that is greater: no site gets as far by itself.
    package static let greatestEpoch: Int64 = 1_000_000_000_000

    /// The coordinator's epoch; 0 before there was one. The highest is obeyed.
    package var epoch: Int64
    /// Everything up to this number is stored; 0 before anything is.
    package var sequence: Int64

    package init(epoch: Int64, sequence: Int64) {
        self.epoch = epoch
        self.sequence = sequence
    }

    /// Whether this says something new after `other`: more in the same epoch, or anything, also
    /// less, in a higher one.
    package func replaces(_ other: Acknowledgement) -> Bool {
        epoch > other.epoch || (epoch == other.epoch && sequence > other.sequence)
    }
}

/// How much louder than its fellows a node hears, or a beacon sends.
package struct OffsetRow: Equatable, Sendable, Codable {
    /// No offset is believed beyond this, in dB either way.
    package static let most = 12.0

    /// The node or the beacon.
    package var device: Ear
    /// Where it was when this was learned: at another place it is forgotten. `nil` for what people
    /// carry.
    package var place: Place?
    /// The point where it was, if that was measured: likewise.
    package var position: Position?
    /// What was measured, in dB above the median of its fellows.
    package var offset: Double
    /// What is taken off its levels, in dB: 0 until it is proven, and less than was measured where
    /// the measurement is doubtful.
    package var applied: Double
    /// The seconds it was learned from.
    package var weight: Int
    /// Since when it has been learned.
    package var since: Timestamp
    /// When this row was written.
    package var at: Timestamp
    /// Whether it made minutes agree from which it was not learned.
    package var isProven: Bool
    /// By how much it has moved all at once within the latest day, in dB, or `nil`: an antenna came
    /// off, or somebody hung it elsewhere.
    package var drift: Double?

    package init(
        device: Ear, place: Place?, position: Position?, offset: Double, applied: Double,
        weight: Int, since: Timestamp, at: Timestamp, isProven: Bool, drift: Double? = nil
    ) {
        self.device = device
        self.place = place
        self.position = position
        self.offset = offset
        self.applied = applied
        self.weight = weight
        self.since = since
        self.at = at
        self.isProven = isProven
        self.drift = drift
    }
}

extension Double {
    /// Rounded to tenths, as rows keep it.
    package var inTenths: Double { (self * 10).rounded() / 10 }
}

/// Whether a node listens.
package struct NodeState: Equatable, Sendable, Codable {
    package var node: NodeID
    /// Whether frames arrive.
    package var isListening: Bool
    package var since: Timestamp

    package init(node: NodeID, isListening: Bool, since: Timestamp) {
        self.node = node
        self.isListening = isListening
        self.since = since
    }
}

extension Array {
    /// The element with a key, in a list that is sorted by it.
    @inlinable package func first<Key: Comparable>(
        _ key: Key, by own: (Element) -> Key
    ) -> Element? {
        place(of: key, by: own).map { self[$0] }
    }

    /// Where the element with a key stands, in a list that is sorted by it.
    @inlinable package func place<Key: Comparable>(
        of key: Key, by own: (Element) -> Key
    ) -> Int? {
        let place = partitioningIndex { own($0) >= key }
        return place < count && own(self[place]) == key ? place : nil
    }

    /// Puts `row` in its place of a list sorted by `key`, replacing the row of the same key.
    @inlinable package mutating func put<Key: Comparable>(_ row: Element, by key: (Element) -> Key)
    {
        let new = key(row)
        let place = partitioningIndex { key($0) >= new }
        if place < count, key(self[place]) == new {
            self[place] = row
        } else {
            insert(row, at: place)
        }
    }
}
