import SiteModel

/// The bytes of a ring. Numbers are little-endian, and everything starts on a sector of its own: a
/// sector that was synced is not written again until its segment is used anew, so a power cut
/// destroys nothing that was synced, even if it garbles all sectors under way.
///
///     0            head: two copies, written in turn, at 0 and 4096
///     64 KiB × n   segment in slot n − 1; the segment of serial s is in slot s mod (number of slots)
enum RingFormat {
    /// What disks write as one piece, at least.
    static let sector = 512
    /// A segment, and what the heads take.
    static let segment = 64 * 1024
    /// The sectors of a segment; the first is its header.
    static let sectors = segment / sector
    /// Length, checksum and number of a record.
    static let recordHead = 16
    /// The most bytes of a record.
    static let longestRecord = segment - sector - recordHead

    /// The sectors that a record of `count` bytes takes.
    static func sectors(of count: Int) -> Int { (recordHead + count + sector - 1) / sector }

    /// Where the segment of a serial begins.
    static func offset(of serial: Int64, slots: Int) -> Int {
        (Int(serial % Int64(slots)) + 1) * segment
    }

    /// Where a copy of the head is.
    static func headOffset(_ generation: Int64) -> Int { generation % 2 == 0 ? 0 : 4096 }
}

/// What a ring must know first. Bytes: magic (8), log (8), generation (8), slots (8), serial (8),
/// newest (8), epoch (8), acknowledged (8), dropped (8), told (8), zeros, checksum (the last 4).
struct RingHead: Equatable {
    private static let magic = Array("BMRING 1".utf8)

    /// The outbox.
    var log: UInt64
    /// Grows with each head written; the greater copy counts.
    var generation: Int64
    /// The number of segments the file has room for.
    var slots: Int64
    /// The newest segment's serial.
    var serial: Int64
    /// The greatest number given to a record.
    var newest: Int64
    var acknowledged: Acknowledgement
    /// How many records were lost unacknowledged since the ring was made.
    var dropped: Int64
    /// How many of these were told.
    var told: Int64

    /// The sector.
    var bytes: [UInt8] {
        var writer = SectorWriter(Self.magic)
        writer.put(log)
        for number in [
            generation, slots, serial, newest, acknowledged.epoch, acknowledged.sequence, dropped,
            told,
        ] { writer.put(UInt64(bitPattern: number)) }
        return writer.sealed
    }
}

extension RingHead {
    /// Reads a sector; `nil` if it is no head, or damaged.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard var reader = SectorReader(bytes, magic: Self.magic) else { return nil }
        log = reader.take()
        generation = reader.number()
        slots = reader.number()
        serial = reader.number()
        newest = reader.number()
        acknowledged = Acknowledgement(epoch: reader.number(), sequence: reader.number())
        dropped = reader.number()
        told = reader.number()
        let numbers = [generation, serial, newest, acknowledged.epoch, acknowledged.sequence]
        // A checksum does not make a number sensible.
        guard (numbers + [dropped, told]).allSatisfy({ (0..<1 << 53).contains($0) }),
            (1...(1 << 20)).contains(slots)
        else { return nil }
    }
}

/// The first sector of a segment. Bytes: magic (8), log (8), serial (8), previous (8), zeros,
/// checksum (the last 4).
struct SegmentHead: Equatable {
    private static let magic = Array("BMSEGM 1".utf8)

    /// The outbox.
    var log: UInt64
    /// Counts the segments, from 0. The slot follows from it.
    var serial: Int64
    /// The number of the last record before this segment; 0 if there was none.
    var previous: Int64

    /// The sector.
    var bytes: [UInt8] {
        var writer = SectorWriter(Self.magic)
        writer.put(log)
        writer.put(UInt64(bitPattern: serial))
        writer.put(UInt64(bitPattern: previous))
        return writer.sealed
    }
}

extension SegmentHead {
    /// Reads a sector; `nil` if it is no segment's, or damaged.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard var reader = SectorReader(bytes, magic: Self.magic) else { return nil }
        log = reader.take()
        serial = reader.number()
        previous = reader.number()
        guard (0..<1 << 53).contains(serial), (0..<1 << 53).contains(previous) else { return nil }
    }
}

/// Puts numbers into a sector.
struct SectorWriter {
    private var bytes: [UInt8]

    init(_ magic: [UInt8]) { bytes = magic }

    /// Adds 8 bytes.
    mutating func put(_ number: UInt64) { bytes += number.littleEndianBytes }

    /// The sector with its checksum.
    var sealed: [UInt8] {
        let end = RingFormat.sector - 4
        let body = bytes + [UInt8](repeating: 0, count: end - bytes.count)
        return body + Checksum.of(body[...]).littleEndianBytes
    }
}

/// Takes numbers out of a sector.
struct SectorReader {
    private var rest: ArraySlice<UInt8>

    /// `nil` if the sector begins otherwise, or does not fit its checksum.
    init?(_ bytes: ArraySlice<UInt8>, magic: [UInt8]) {
        guard bytes.count == RingFormat.sector, bytes.starts(with: magic) else { return nil }
        let body = bytes.dropLast(4)
        guard bytes.suffix(4).elementsEqual(Checksum.of(body).littleEndianBytes) else { return nil }
        rest = body.dropFirst(magic.count)
    }

    /// Takes 8 bytes.
    mutating func take() -> UInt64 {
        defer { rest = rest.dropFirst(8) }
        return UInt64(littleEndian: rest.prefix(8))
    }

    /// Takes a number that is never negative when it is right.
    mutating func number() -> Int64 { Int64(bitPattern: take()) }
}

extension FixedWidthInteger {
    /// The bytes, the lowest first.
    var littleEndianBytes: [UInt8] {
        (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
    }

    /// The number of which these are the bytes, the lowest first.
    package init(littleEndian bytes: ArraySlice<UInt8>) {
        self = bytes.reversed().reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
    }
}

/// What can be read of a segment.
struct SegmentContents {
    /// Where a record's bytes are in the segment.
    struct Place {
        var sequence: Int64
        var bytes: Range<Int>
    }

    /// The segment as it is on the disk.
    let bytes: [UInt8]
    /// The records, numbers growing.
    private(set) var records: [Place] = []
    /// The first sector after the last record.
    private(set) var end = 1
    /// Whether there is something unreadable before a record.
    private(set) var hasHole = false

    /// Reads the records of a segment; `bytes` may be damaged in any way, or be of an earlier use of
    /// the slot. Records numbered above `last` were not stored when the next segment began, and
    /// do not count.
    init(_ bytes: [UInt8], log: UInt64, serial: Int64, last: Int64) {
        self.bytes = bytes
        let sectors = bytes.count / RingFormat.sector
        var sector = 1
        var isAfterGap = false
        while sector < sectors {
            let start = sector * RingFormat.sector
            guard let place = Self.record(bytes[start...], log: log, serial: serial),
                place.sequence > records.last?.sequence ?? 0, place.sequence <= last
            else {
                isAfterGap = true
                sector += 1
                continue
            }
            if isAfterGap { hasHole = true }
            records.append(place)
            sector += RingFormat.sectors(of: place.bytes.count)
            end = sector
        }
    }

    /// A record's bytes.
    subscript(place: Place) -> [UInt8] { Array(bytes[place.bytes]) }

    /// The record that begins here, if one does. Bytes: length (4), checksum (4), number (8), then
    /// the record.
    private static func record(
        _ bytes: ArraySlice<UInt8>, log: UInt64, serial: Int64
    ) -> Place? {
        let start = bytes.startIndex
        let length = Int(UInt32(littleEndian: bytes.prefix(4)))
        guard (1...RingFormat.longestRecord).contains(length),
            RingFormat.recordHead + length <= bytes.count
        else { return nil }
        let checksum = UInt32(littleEndian: bytes[(start + 4)..<(start + 8)])
        let sequence = Int64(bitPattern: UInt64(littleEndian: bytes[(start + 8)..<(start + 16)]))
        let body = start + RingFormat.recordHead..<start + RingFormat.recordHead + length
        guard (1..<1 << 53).contains(sequence),
            checksum == Self.checksum(bytes[body], log: log, serial: serial, sequence: sequence)
        else { return nil }
        return Place(sequence: sequence, bytes: body)
    }

    /// Covers what the record belongs to, so that it counts nowhere else, nor when the slot is used
    /// again.
    private static func checksum(
        _ body: ArraySlice<UInt8>, log: UInt64, serial: Int64, sequence: Int64
    ) -> UInt32 {
        let belonging =
            log.littleEndianBytes + serial.littleEndianBytes + sequence.littleEndianBytes
            + UInt32(body.count).littleEndianBytes
        return Checksum.of(body, after: Checksum.of(belonging[...]))
    }

    /// A record's sectors.
    static func sectors(_ body: [UInt8], log: UInt64, serial: Int64, sequence: Int64) -> [UInt8] {
        let sum = checksum(body[...], log: log, serial: serial, sequence: sequence)
        let bytes =
            UInt32(body.count).littleEndianBytes + sum.littleEndianBytes
            + sequence.littleEndianBytes + body
        let whole = RingFormat.sectors(of: body.count) * RingFormat.sector
        return bytes + [UInt8](repeating: 0, count: whole - bytes.count)
    }
}

/// CRC-32C: the polynomial of Castagnoli, 0x1EDC6F41, reflected, as in RFC 3720.
enum Checksum {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1
        }
    }

    /// The checksum of some bytes after others whose checksum is `start`.
    static func of(_ bytes: ArraySlice<UInt8>, after start: UInt32 = 0) -> UInt32 {
        var value = ~start
        let table = table.span
        let bytes = bytes.span
        // Plainly, because whole segments are checked with this, in debug builds, too.
        var index = 0
        while index < bytes.count {
            value = value >> 8 ^ table[Int((value ^ UInt32(bytes[index])) & 0xFF)]
            index += 1
        }
        return ~value
    }
}
