import Basics

@testable import Outbox
@testable import SiteEngine
@testable import SiteModel

/// Numbers for tests, so that a seed printed by a failing test brings the failure back.
typealias Dice = SplitMix64

/// A disk whose power can be cut. What was written since the last sync is then there or not, sector
/// by sector, or torn within a sector, or garbage in all of it.
struct FragileDisk: RingDisk {
    let size: Int
    /// What survives a power cut.
    private var durable: [UInt8]
    /// What a reader sees.
    private(set) var bytes: [UInt8]
    private var dirty: Set<Int> = []
    /// So many writes and syncs work; then each fails until this is set again.
    var budget = Int.max

    static let sector = 512

    init(segments: Int) {
        size = segments * RingFormat.segment
        durable = [UInt8](repeating: 0, count: size)
        bytes = durable
    }

    func read(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }

    mutating func write(_ new: [UInt8], at offset: Int) throws(OutboxError) {
        try spend("write")
        bytes.replaceSubrange(offset..<offset + new.count, with: new)
        dirty.formUnion(offset / Self.sector...(offset + new.count - 1) / Self.sector)
    }

    mutating func sync() throws(OutboxError) {
        try spend("sync")
        for sector in dirty { copy(sector, 0..<Self.sector) }
        dirty = []
    }

    private mutating func spend(_ call: String) throws(OutboxError) {
        guard budget > 0 else {
            throw .disk(call: call, path: "disk", reason: "Input/output error")
        }
        budget -= 1
    }

    private mutating func copy(_ sector: Int, _ part: Range<Int>) {
        let start = sector * Self.sector
        let range = start + part.lowerBound..<start + part.upperBound
        durable.replaceSubrange(range, with: bytes[range])
    }

    /// The disk after a power cut.
    func cut(using dice: inout Dice) -> FragileDisk {
        var after = self
        for sector in dirty.sorted() {
            switch Int.random(in: 0..<4, using: &dice) {
            case 0: break
            case 1: after.copy(sector, 0..<Self.sector)
            case 2: after.copy(sector, 0..<Int.random(in: 1..<Self.sector, using: &dice))
            default:
                for index in 0..<Self.sector {
                    after.durable[sector * Self.sector + index] = .random(in: 0...255, using: &dice)
                }
            }
        }
        after.bytes = after.durable
        after.dirty = []
        after.budget = .max
        return after
    }

    /// Damages bytes that were long on the disk.
    mutating func damage(_ range: Range<Int>, using dice: inout Dice) {
        for index in range {
            bytes[index] ^= .random(in: 1...255, using: &dice)
            durable[index] = bytes[index]
        }
    }

    /// Loses bytes that were long on the disk.
    mutating func erase(_ range: Range<Int>) {
        for index in range {
            bytes[index] = 0
            durable[index] = 0
        }
    }
}

/// An open ring, shared so that a test can look at it in the middle of an expectation.
final class OpenRing {
    private var ring: Ring<FragileDisk>

    init(_ disk: FragileDisk, path: String = "ring") throws(OutboxError) {
        ring = try Ring(opening: disk, path: path)
    }

    /// A new one.
    convenience init(segments: Int, log: UInt64 = 7) throws(OutboxError) {
        var disk = FragileDisk(segments: segments)
        try Ring.format(&disk, log: log)
        try self.init(disk)
    }

    var disk: FragileDisk {
        get { ring.disk }
        set { ring.disk = newValue }
    }
    var log: UInt64 { ring.log }
    var newest: Int64 { ring.newest }
    var acknowledged: Acknowledgement { ring.acknowledged }
    var dropped: Int64 { ring.dropped }
    var untold: Int64 { ring.untold }
    var waiting: Int64 { ring.waiting }

    func append(_ bytes: [UInt8]) throws(OutboxError) -> Int64 { try ring.append(bytes) }
    func acknowledge(epoch: Int64, _ sequence: Int64, evenLower: Bool = false) -> Bool {
        ring.acknowledge(
            Acknowledgement(epoch: epoch, sequence: sequence), evenLower: evenLower)
    }
    func toldDropped(_ count: Int64) { ring.toldDropped(count) }
    func record(after sequence: Int64) -> OutboxRecord? { ring.record(after: sequence) }
    func takeDamage() -> [Int64] { ring.takeDamage().map(\.serial) }

    /// All records numbered above `sequence`, in order.
    func records(after sequence: Int64 = 0) -> [OutboxRecord] {
        var records: [OutboxRecord] = []
        while let next = record(after: records.last?.sequence ?? sequence) { records.append(next) }
        return records
    }
}

extension OutboxRecord {
    /// A record's bytes by number: another number has others.
    static func sample(_ sequence: Int64, length: Int) -> [UInt8] {
        let pattern = (UInt64(sequence) &* 0x9E37_79B9_7F4A_7C15).littleEndianBytes
        return Array(pattern.prefix(length))
            + [UInt8](repeating: pattern[0], count: max(0, length - pattern.count))
    }
}
