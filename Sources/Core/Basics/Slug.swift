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
