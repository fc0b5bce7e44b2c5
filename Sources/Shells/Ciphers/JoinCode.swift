import SiteModel

/// Letters and digits that people type: none looks like another.
package enum TypedLetters {
    /// 32 of them, 5 bits each.
    package static let all = Array("abcdefghijkmnpqrstuvwxyz23456789")

    /// So many, from the system's generator.
    package static func random(_ count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return String((0..<count).map { _ in all[Int.random(in: 0..<32, using: &generator)] })
    }
}

/// The code by which a machine becomes a node: `ab3k-9mpq-w2xy-hj7r`. Its first group is its name, which is said in the
/// clear; the others are the secret, 60 bits.
package struct JoinCode: Equatable, Sendable, CustomStringConvertible {
    private static let length = 16
    private static let nameLength = 4

    private let letters: String

    private init(letters: String) { self.letters = letters }

    package static func random() -> JoinCode { JoinCode(letters: TypedLetters.random(length)) }

    /// Reads one, however it is written; `nil` for what is none.
    package init?(_ text: String) {
        let letters = text.lowercased().filter { $0 != "-" && !$0.isWhitespace }
        guard letters.count == Self.length, letters.allSatisfy(TypedLetters.all.contains) else {
            return nil
        }
        self.letters = letters
    }

    /// What it is called in the clear.
    package var name: String { String(letters.prefix(Self.nameLength)) }

    package var description: String {
        let all = Array(letters)
        return stride(from: 0, to: all.count, by: 4).map { String(all[$0..<$0 + 4]) }
            .joined(separator: "-")
    }

    /// The keys of both directions. Takes a twentieth of a second or more, and 16 MiB: call it on a thread of its own.
    package var keys: JoinKeys {
        let secret = String(letters.dropFirst(Self.nameLength))
        let bytes = Password.derive(
            secret, Array("beaconmesh join 1 \(name)".utf8), Self.cost)
        func half(_ start: Int) -> UInt64 {
            bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
        return JoinKeys(
            toCoordinator: Identity.Bytes16(high: half(0), low: half(8)),
            toNode: Identity.Bytes16(high: half(16), low: half(24)))
    }

    /// 16 MiB for each guess: whoever listened to a joining has 2^60 of them to make.
    private static let cost = Password.Cost(ln: 14, r: 8, p: 1)
}

/// What the two who know a code seal for each other, by AES-128-CCM.
package struct JoinKeys: Equatable, Sendable {
    package enum Direction: Sendable {
        case toCoordinator
        case toNode
    }

    private static let nonceLength = 13
    private static let tagLength = 16

    private let toCoordinator: Identity.Bytes16
    private let toNode: Identity.Bytes16

    fileprivate init(toCoordinator: Identity.Bytes16, toNode: Identity.Bytes16) {
        self.toCoordinator = toCoordinator
        self.toNode = toNode
    }

    /// A nonce, the message, and its tag.
    package func seal(_ message: [UInt8], _ direction: Direction) -> [UInt8] {
        let nonce = (0..<Self.nonceLength).map { _ in UInt8.random(in: 0...255) }
        let sealed = LibCrypto.seal(message, nonce: nonce, key(direction))
        return nonce + sealed.ciphertext + sealed.tag
    }

    /// What was sealed; `nil` if not by who knows the code, or for the other direction.
    package func open(_ sealed: [UInt8], _ direction: Direction) -> [UInt8]? {
        let more = Self.nonceLength + Self.tagLength
        guard sealed.count > more, sealed.count - more < 1 << 16 else { return nil }
        return LibCrypto.cryptography.open(
            Cryptography.Sealed(
                ciphertext: Array(sealed[Self.nonceLength..<(sealed.count - Self.tagLength)]),
                tag: Array(sealed.suffix(Self.tagLength)),
                nonce: Array(sealed.prefix(Self.nonceLength))), key(direction))
    }

    private func key(_ direction: Direction) -> Identity.Bytes16 {
        switch direction {
        case .toCoordinator: toCoordinator
        case .toNode: toNode
        }
    }
}
