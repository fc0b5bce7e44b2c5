/// How a key is called outside the node that holds it. The key itself never leaves it.
package enum KeyName: Hashable, Sendable, Codable {
    /// Four bytes derived from the key: a holder of the key recognises it, nobody can compute the
    /// key from it.
    case digits(UInt32)
    /// The name its holder gave it: at most 28 of `a-z`, `0-9` and `-`, but not eight hexadecimal
    /// digits, which are the other case.
    case label(ShortText)

    /// What a key is for; keys for one thing are never called like those for another.
    package enum Purpose: Sendable {
        /// To resolve private addresses.
        case irk
        /// To make the changing names of Eddystone EID.
        case eid

        /// What is encrypted to derive the digits. No protocol that uses such keys ever encrypts
        /// it: theirs are mostly zeros, these are letters.
        fileprivate var block: Identity.Bytes16 {
            let bytes =
                switch self {
                case .irk: Array("beaconmesh irk 1".utf8)
                case .eid: Array("beaconmesh eid 1".utf8)
                }
            func half(_ range: Range<Int>) -> UInt64 {
                bytes[range].reduce(0) { $0 << 8 | UInt64($1) }
            }
            return Identity.Bytes16(high: half(0..<8), low: half(8..<16))
        }
    }

    /// The digits of a key: the first four bytes of a fixed text, encrypted with it by AES-128. A
    /// cipher that could be turned back from 32 of its 128 bits would be none.
    package static func digits(
        of key: Identity.Bytes16, for purpose: Purpose, _ cryptography: Cryptography
    ) -> UInt32 {
        UInt32(truncatingIfNeeded: cryptography.encrypt(purpose.block, key).high >> 32)
    }
}
