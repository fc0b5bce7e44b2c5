import Basics
import Testing

@testable import Ciphers

/// What is no code, and what the keys of one are good for.
struct JoinKeysTests {
    private static let text = "ab3k-9mpq-w2xy-hj7r"
    private static let message = Array(#"{"request":"1","machine":"pi"}"#.utf8)

    private static func keys(_ text: String = text) throws -> JoinKeys {
        try #require(JoinCode(text), "\(text)").keys
    }

    // MARK: Codes

    @Test(arguments: [
        "  ab3k-9mpq\tw2xy-hj7r\n", "a-b-3-k-9mpqw2xyhj7r", "-Ab3k--9mPq  w2xY-hJ7r-",
        "AB3K 9MPQ W2XY HJ7R", "ab3k\u{A0}9mpq\u{2003}w2xy\r\nhj7r",
    ])
    func `blanks and hyphens stand anywhere in a code`(text: String) throws {
        let code = try #require(JoinCode(text))
        #expect(code == JoinCode(Self.text))
        #expect(code.description == Self.text)
    }

    @Test(arguments: [
        " ", "-", "ab3k-9mpq-w2xy-hj7rr", "ab3k-9mpq-w2xy-hj7r-ab3k",
        // Letters and digits that look like others.
        "ab3k-9mpq-w2xy-hj7l", "ab3k-9mpq-w2xy-hj71", "ab3k-9mpq-w2xy-hj7o", "ab3k-9mpq-w2xy-hj70",
        "AB3K-9MPQ-W2XY-HJ7L", "AB3K-9MPQ-W2XY-HJ7O",
        // Cyrillic, wide, with a mark, beside one without a width, a Turkish capital.
        "\u{430}b3k-9mpq-w2xy-hj7r", "\u{FF41}b3k-9mpq-w2xy-hj7r", "a\u{301}b3k-9mpq-w2xy-hj7r",
        "ab3k-9mpq-w2xy-hj7r\u{200B}", "\u{130}b3k-9mpq-w2xy-hj7r",
        "ab3k.9mpq.w2xy.hj7r", "ab3k_9mpq_w2xy_hj7r", "ab3k–9mpq–w2xy–hj7r", "ab3k-9mpq-w2xy-hj7\0",
    ])
    func `what only looks like a code is none`(text: String) { #expect(JoinCode(text) == nil) }

    @Test func `codes that are made can be typed, and none is made twice`() {
        let codes = (0..<500).map { _ in JoinCode.random() }
        #expect(Set(codes.map(\.description)).count == codes.count)
        for code in codes {
            let text = code.description
            #expect(text.wholeMatch(of: /([a-kmnp-z2-9]{4}-){3}[a-kmnp-z2-9]{4}/) != nil, "\(text)")
            #expect(JoinCode(text) == code)
            #expect(code.name == String(text.prefix(4)))
        }
    }

    // MARK: Keys

    @Test(arguments: [JoinKeys.Direction.toCoordinator, .toNode])
    func `a message opens in its direction only, however the code is typed`(
        direction: JoinKeys.Direction
    ) throws {
        let keys = try Self.keys()
        let sealed = keys.seal(Self.message, direction)
        #expect(try Self.keys("AB3K 9MPQ W2XY HJ7R").open(sealed, direction) == Self.message)
        let other: JoinKeys.Direction = direction == .toNode ? .toCoordinator : .toNode
        #expect(keys.open(sealed, other) == nil, "what was sent comes back")
    }

    @Test func `codes with one name, and codes with one secret, have other keys`() throws {
        let keys = try Self.keys()
        for text in ["ab3k-9mpq-w2xy-hj7s", "ab3k-8mpq-w2xy-hj7r", "ab3m-9mpq-w2xy-hj7r"] {
            let other = try Self.keys(text)
            #expect(other != keys, "\(text)")
            let sealed = other.seal(Self.message, .toCoordinator)
            #expect(keys.open(sealed, .toCoordinator) == nil, "\(text)")
        }
        #expect(try Self.keys() == keys)
    }

    @Test func `no nonce is used twice`() throws {
        let keys = try Self.keys()
        let nonces = Set((0..<200).map { _ in Array(keys.seal(Self.message, .toNode).prefix(13)) })
        #expect(nonces.count == 200)
    }

    @Test func `a message of which one bit is changed, or one end is missing, is refused`() throws {
        let keys = try Self.keys()
        let sealed = keys.seal(Self.message, .toNode)
        for bit in 0..<8 * sealed.count {
            var changed = sealed
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(keys.open(changed, .toNode) == nil, "bit \(bit)")
        }
        for count in sealed.indices {
            #expect(keys.open(Array(sealed.suffix(count)), .toNode) == nil, "the last \(count)")
        }
        #expect(keys.open(sealed + [0], .toNode) == nil)
        for count in [0, 1, 28, 29, 30, 65_535, 65_536, 200_000] {
            let zeros = [UInt8](repeating: 0, count: count)
            #expect(keys.open(zeros, .toNode) == nil, "\(count) zeros")
        }
    }

    /// The longest is what still opens.
    @Test(arguments: [1, 15, 16, 17, 50_000, 65_506])
    func `a message of any length survives`(count: Int) throws {
        let keys = try Self.keys()
        let message = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        #expect(keys.open(keys.seal(message, .toNode), .toNode) == message)
    }

    /// As hashlib.scrypt and AESCCM of Python's cryptography have it. With other keys, nodes of one
    /// release could not join at a coordinator of another.
    @Test(arguments: [
        (JoinKeys.Direction.toCoordinator, "94a02e69294083b54cbfbb1b5435bddd94ed8aee7e"),
        (.toNode, "5d583713d308ae219d89e6b84c1f42104555c0e086"),
    ])
    func `the keys of a code stay what they are`(
        direction: JoinKeys.Direction, sealed: String
    ) throws {
        let bytes = try #require(Hex.bytes("000102030405060708090a0b0c" + sealed))
        #expect(try Self.keys().open(bytes, direction) == Array("hello".utf8))
    }
}
