import SiteModel

extension Span where Element == UInt8 {
    /// Two bytes, least significant first, as HCI writes numbers. Both must be inside.
    func littleEndian16(at offset: Int) -> UInt16 {
        UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
    }

    /// Two bytes, most significant first, as beacons write numbers. Both must be inside.
    func bigEndian16(at offset: Int) -> UInt16 {
        UInt16(self[offset]) << 8 | UInt16(self[offset + 1])
    }

    /// Four bytes, most significant first. All must be inside.
    func bigEndian32(at offset: Int) -> UInt32 {
        UInt32(bigEndian16(at: offset)) << 16 | UInt32(bigEndian16(at: offset + 2))
    }

    /// Four bytes, least significant first. All must be inside.
    func littleEndian32(at offset: Int) -> UInt32 {
        UInt32(littleEndian16(at: offset)) | UInt32(littleEndian16(at: offset + 2)) << 16
    }

    /// A signed number of two bytes, most significant first. Both must be inside.
    func signed16(at offset: Int) -> Int16 { Int16(bitPattern: bigEndian16(at: offset)) }

    /// A signed level or power, in dBm. It must be inside.
    package func level(at offset: Int) -> RSSI { RSSI(dBm: Double(Int8(bitPattern: self[offset]))) }

    /// A copy of some bytes, which must be inside.
    package func bytes(_ range: Range<Int>) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(range.count)
        for index in range { copy.append(self[index]) }
        return copy
    }

    /// A copy of all bytes.
    package var bytes: [UInt8] { bytes(0..<count) }

    /// Sixteen bytes, most significant first. All must be inside.
    package func bytes16(at offset: Int) -> Identity.Bytes16 {
        Identity.Bytes16(high: bigEndian64(at: offset), low: bigEndian64(at: offset + 8))
    }

    /// A 48-bit device address, which HCI sends least significant byte first. All six bytes must be
    /// inside.
    package func address(at offset: Int) -> UInt64 {
        var address: UInt64 = 0
        for index in 0..<6 { address |= UInt64(self[offset + index]) << UInt64(8 * index) }
        return address
    }

    /// Eight bytes, most significant first. All must be inside.
    func bigEndian64(at offset: Int) -> UInt64 {
        UInt64(bigEndian32(at: offset)) << 32 | UInt64(bigEndian32(at: offset + 4))
    }
}
