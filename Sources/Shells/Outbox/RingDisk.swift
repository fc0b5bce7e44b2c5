/// What a ring lies on: the file of an outbox, or a disk that loses power in a test.
package protocol RingDisk {
    /// The size in bytes.
    var size: Int { get }
    /// The bytes of a range. What cannot be read, or was never written, is zeros: the ring checks
    /// every sector it uses.
    func read(_ range: Range<Int>) -> [UInt8]
    /// Writes bytes. They may be on the disk only after `sync`, in any order and in part.
    mutating func write(_ bytes: [UInt8], at offset: Int) throws(OutboxError)
    /// Returns when all that was written is on the disk.
    mutating func sync() throws(OutboxError)
}

/// Why an outbox cannot be opened, or did not take a record.
package enum OutboxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system refused a call on a file.
    case disk(call: String, path: String, reason: String)
    /// Another process has it open.
    case inUse(path: String)
    /// There is a file that is no outbox, or nothing of it can be read.
    case notAnOutbox(path: String)
    /// An outbox of another size, both in MiB.
    case otherSize(path: String, found: Int, wanted: Int)
    /// A record longer than a segment takes, or empty.
    case unfitRecord(bytes: Int)

    /// The fault, for people, and what to do about it.
    package var description: String {
        switch self {
        case .disk(let call, let path, let reason): "\(call) \(path): \(reason)"
        case .inUse(let path): "\(path) is used by another process"
        case .notAnOutbox(let path):
            "\(path) is no outbox, or nothing of it can be read: move it away"
        case .otherSize(let path, let found, let wanted):
            "\(path) has \(found) MiB, not \(wanted): set outbox.megabytes to \(found), or move it"
                + " away once it is empty"
        case .unfitRecord(let bytes): "a record of \(bytes) bytes does not fit the outbox"
        }
    }
}
