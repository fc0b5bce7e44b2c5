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
