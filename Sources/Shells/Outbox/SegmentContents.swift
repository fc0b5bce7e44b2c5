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
