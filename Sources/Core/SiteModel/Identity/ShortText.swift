/// At most 30 bytes of text in a fixed size: as much name as an advertisement of Bluetooth 4 holds.
package struct ShortText: Hashable, Sendable, Codable {
    /// The most bytes.
    package static let longest = 30

    /// Filled up with zeros, which are no part of the text.
    private var head: Identity.Bytes16
    private var tail: Identity.Bytes16

    /// `nil` if there are no bytes, too many, or one of them is zero.
    package init?(_ bytes: some Collection<UInt8>) {
        guard (1...Self.longest).contains(bytes.count), !bytes.contains(0) else { return nil }
        self.init(head: Identity.Bytes16(high: 0, low: 0), tail: Identity.Bytes16(high: 0, low: 0))
        for (place, byte) in bytes.enumerated() { set(byte, at: place) }
    }

    /// The same, from bytes of an advertisement.
    package init?(_ bytes: Span<UInt8>) {
        guard (1...Self.longest).contains(bytes.count) else { return nil }
        self.init(head: Identity.Bytes16(high: 0, low: 0), tail: Identity.Bytes16(high: 0, low: 0))
        for place in bytes.indices {
            guard bytes[place] != 0 else { return nil }
            set(bytes[place], at: place)
        }
    }

    private init(head: Identity.Bytes16, tail: Identity.Bytes16) {
        self.head = head
        self.tail = tail
    }

    package var bytes: [UInt8] { (0..<count).map { byte(at: $0) } }

    /// As text; what is no UTF-8 is replaced.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// An order that is the same in every run.
    package static func precedes(_ a: ShortText, _ b: ShortText) -> Bool {
        (a.head, a.tail) < (b.head, b.tail)
    }

    private var count: Int {
        (0..<Self.longest).first { byte(at: $0) == 0 } ?? Self.longest
    }

    private func byte(at place: Int) -> UInt8 {
        let shift = UInt64(56 - place % 8 * 8)
        let word =
            switch place / 8 {
            case 0: head.high
            case 1: head.low
            case 2: tail.high
            default: tail.low
            }
        return UInt8(truncatingIfNeeded: word >> shift)
    }

    private mutating func set(_ byte: UInt8, at place: Int) {
        let bits = UInt64(byte) << UInt64(56 - place % 8 * 8)
        switch place / 8 {
        case 0: head.high |= bits
        case 1: head.low |= bits
        case 2: tail.high |= bits
        default: tail.low |= bits
        }
    }
}

/// As a pattern of names: `*` stands for any bytes, also none, `?` for one character. Everything
/// else stands for itself, byte by byte; there is no way to write an asterisk that is meant.
extension ShortText {
    private static let star = UInt8(ascii: "*")
    private static let question = UInt8(ascii: "?")

    /// Whether more than one name can fit.
    package var hasWildcards: Bool {
        bytes.contains { $0 == Self.star || $0 == Self.question }
    }

    /// Whether a name fits. One that was cut off fits only if all that begin so would.
    package func fits(_ name: Span<UInt8>, isComplete: Bool) -> Bool {
        guard isComplete || byte(at: count - 1) == Self.star else { return false }
        return fits(name, isPattern: false)
    }

    /// Whether every name that fits `other` fits this. `false` may be too cautious.
    package func covers(_ other: ShortText) -> Bool { fits(other.bytes.span, isPattern: true) }

    /// Each step back goes to the last asterisk only, so the work is at most the product of the two
    /// lengths. If `isPattern`, wildcards in `name` are fitted by wildcards at least as wide.
    private func fits(_ name: Span<UInt8>, isPattern: Bool) -> Bool {
        let count = count
        var (own, other) = (0, 0)
        var retry: (own: Int, other: Int)?
        while other < name.count {
            if own < count, byte(at: own) == Self.star {
                own += 1
                retry = (own, other)
            } else if own < count,
                let step = step(byte(at: own), over: name, at: other, isPattern: isPattern)
            {
                own += 1
                other += step
            } else if let last = retry {
                retry = (last.own, last.other + 1)
                (own, other) = (last.own, last.other + 1)
            } else {
                return false
            }
        }
        while own < count, byte(at: own) == Self.star { own += 1 }
        return own == count
    }

    /// How many bytes of `name` one of ours takes, no asterisk; `nil` if it does not fit.
    private func step(
        _ own: UInt8, over name: Span<UInt8>, at place: Int, isPattern: Bool
    ) -> Int? {
        guard own == Self.question else { return own == name[place] ? 1 : nil }
        if isPattern, name[place] == Self.star { return nil }
        // One character of UTF-8: a byte and those that continue it.
        var end = place + 1
        while end < name.count, name[end] & 0xC0 == 0x80 { end += 1 }
        return end - place
    }
}
