import SiteModel

/// A node's outbox: a file that holds what the node has to say for good until a coordinator has
/// stored it, and after that until the room is needed.
package final class Outbox {
    /// The most files, of a segment each, in which damaged parts are put aside.
    package static let mostAside = 16
    /// Sizes an outbox may have, in MiB.
    package static let megabytes = 1...1024

    private let path: String
    private var ring: Ring<RingFile>
    /// Damaged parts met by this process.
    private var kept = 0

    /// Opens an outbox, or makes one that is called `log`, a random number.
    ///
    /// - Throws: `.inUse`, `.notAnOutbox`, `.otherSize` or `.disk`. Its text says what to do; a
    ///   file that was there is as it was.
    package init(path: String, megabytes: Int, log: UInt64) throws(OutboxError) {
        precondition(Self.megabytes.contains(megabytes), "an outbox of \(megabytes) MiB")
        self.path = path
        let size = megabytes << 20
        let existing = try RingFile.existing(path, size: size)
        let file: RingFile
        if let existing {
            file = existing
        } else {
            file = try RingFile.make(path, size: size) { (file) throws(OutboxError) in
                try Ring.format(&file, log: log)
            }
        }
        ring = try Ring(opening: file, path: path)
        // A truncated file gets its size back; what was in the lost part is gone.
        if existing != nil { try file.allocate() }
    }

    /// The random number that names it.
    package var log: UInt64 { ring.log }
    /// The greatest number given to a record.
    package var newest: Int64 { ring.newest }
    /// How far a coordinator has stored the records.
    package var acknowledged: Acknowledgement { ring.acknowledged }
    /// How many records wait for an acknowledgement, at most.
    package var waiting: Int64 { ring.waiting }
    /// How many records were lost unacknowledged since the outbox was made.
    package var dropped: Int64 { ring.dropped }
    /// How many of these were not told yet.
    package var untold: Int64 { ring.untold }

    /// Keeps a record and returns its number. When it returns, the record survives a power cut.
    ///
    /// - Throws: `.unfitRecord` for a record of the wrong size, a bug of the caller; `.disk` if the
    ///   disk refused: the record is lost and counted as dropped.
    package func append(_ bytes: [UInt8]) throws(OutboxError) -> Int64 { try ring.append(bytes) }

    /// A coordinator has stored the records up to a number, or wants them again from there. Returns
    /// whether that is news. `evenLower`: also of a lower epoch, because nobody confirms the one kept.
    package func acknowledge(
        _ acknowledgement: Acknowledgement, evenLower: Bool = false
    ) -> Bool {
        ring.acknowledge(acknowledgement, evenLower: evenLower)
    }

    /// `count` lost records were reported.
    package func toldDropped(_ count: Int64) { ring.toldDropped(count) }

    /// The first record numbered above `sequence`; `nil` if there is none.
    package func record(after sequence: Int64) -> OutboxRecord? { ring.record(after: sequence) }

    /// Puts the acknowledgement on the disk, which otherwise goes with the next record.
    ///
    /// - Throws: `.disk`: the acknowledgement is only in memory; after a restart records are sent
    ///   again.
    package func flush() throws(OutboxError) { try ring.flush() }

    /// Puts aside what was found damaged since the last call, beside the outbox, as
    /// `….damaged-<number>`, and returns a line for each part found for the first time.
    package func quarantine() -> [String] {
        ring.takeDamage().compactMap { damage in
            let stem = path.hasSuffix(".ring") ? String(path.dropLast(5)) : path
            let name = damage.serial < 0 ? "head" : "\(damage.serial)"
            let aside = "\(stem).damaged-\(name)"
            kept += 1
            guard kept <= Self.mostAside else { return "segment \(name) is damaged, not put aside" }
            do throws(OutboxError) {
                guard try RingFile.keep(damage.bytes, as: aside) else { return nil }
                return "segment \(name) is damaged, put aside as \(aside)"
            } catch {
                return "segment \(name) is damaged, and could not be put aside: \(error)"
            }
        }
    }
}
