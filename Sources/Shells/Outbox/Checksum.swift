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
