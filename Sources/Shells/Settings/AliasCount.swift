/// Counts what looks like a YAML alias before libyaml sees it.
///
/// Yams compares the keys of a mapping, and a key made of aliases of aliases takes for ever to
/// compare. This count errs on the side of counting too much, so it lets a few pass: the exact
/// check is the one for anchors, on the parsed document.
enum AliasCount {
    /// Sixteen aliases multiply to some hundreds at most.
    static let most = 16

    /// The line of the first of too many, or `nil`.
    static func lineOfTooMany(in text: String) -> Int? {
        var line = 1
        var count = 0
        var before: UInt8 = 0x0A
        var isPending = false
        for byte in text.utf8 {
            if isPending, isName(byte) {
                count += 1
                if count > most { return line }
            }
            // After `x*` no alias can begin, so names and arithmetic are not counted.
            isPending = byte == 0x2A && !isName(before)
            if byte == 0x0A { line += 1 }
            before = byte
        }
        return nil
    }

    private static func isName(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
            || (0x61...0x7A).contains(byte) || byte == 0x5F || byte == 0x2D
    }
}
