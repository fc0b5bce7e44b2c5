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
