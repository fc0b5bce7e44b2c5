/// The position of a record in a node's outbox.
package struct Record: Hashable, Sendable, Codable {
    /// The outbox: a random number drawn when it was made.
    package var log: UInt64
    /// Counts the records of a log, from 1, over all restarts of the node.
    package var sequence: Int64
    /// No record numbered between this and `sequence` exists, or exists any more; less than
    /// `sequence`.
    package var after: Int64

    package init(log: UInt64, sequence: Int64, after: Int64) {
        self.log = log
        self.sequence = sequence
        self.after = after
    }
}

/// What became of a record that a node sent.
package enum RecordVerdict: String, Sendable, Codable, CaseIterable {
    case taken
    /// It is stored already, or waits to be.
    case duplicate
    /// Taken in, but something before it has not come yet: it will have to come again.
    case gap
    /// Left for later: nothing is known yet of the node's clock, and soon will be.
    case clockless = "clock-unknown"
    /// Stored, and without effect: it is older than what may still change.
    case late
    /// Stored, and without effect: nobody can say when it was.
    case uncertain
    /// Stored, and without effect: it claims to be of a time to come.
    case future
    /// Not stored, because it cannot be read, but acknowledged: sent again it would be no better.
    case unreadable
}
