extension StringProtocol {
    /// Whether it may stand on a topic as one level, as the id of something: 1 to 64 of `a-z`, `0-9` and `-`.
    @inlinable package var isSlug: Bool {
        let bytes = utf8
        return (1...64).contains(bytes.count)
            && bytes.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
            }
    }
}

extension String {
    /// A UUID as RFC 9562 writes it, of a version from 1 to 15: of the bits of two numbers all but the six that say
    /// version and variant.
    package init(uuid high: UInt64, _ low: UInt64, version: UInt64) {
        let first = Hex.text(high & 0xFFFF_FFFF_FFFF_0FFF | version << 12, count: 16)
        let second = Hex.text(low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000, count: 16)
        self = [
            first.prefix(8), first.dropFirst(8).prefix(4), first.suffix(4), second.prefix(4),
            second.dropFirst(4),
        ].joined(separator: "-")
    }
}

extension StringProtocol {
    /// Whether it is a UUID as RFC 9562 writes them: 8, 4, 4, 4 and 12 hexadecimal digits.
    package var isUUID: Bool {
        let parts = utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12]
            && parts.joined().allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
            }
    }
}
