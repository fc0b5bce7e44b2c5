/// What a transmitter is recognised by. A rolling minor or a rotating address does not change it.
///
/// Some cases are one transmitter's own name; it goes by that on topics even if nobody registered
/// it. Others are rules, which many may fit; only what is registered or allowed has them.
///
/// Fixed-size, so that a lookup per advertisement allocates nothing.
package enum Identity: Hashable, Sendable, Codable {
    case iBeacon(uuid: Bytes16, major: UInt16, minor: UInt16)
    /// An iBeacon whose minor changes with time and is no part of its name; or, which is the same,
    /// all iBeacons of a UUID and major.
    case iBeaconRolling(uuid: Bytes16, major: UInt16)
    /// An iBeacon whose UUID ends in a digit that says what it does, such as that it moves or that its button is
    /// pressed; that digit is no part of its name. Made by `anyDigit`.
    case iBeaconAnyDigit(uuid: Bytes16, major: UInt16, minor: UInt16)
    /// A rule: iBeacons of one UUID whose numbers fit masks. Made by `region`.
    case iBeaconRegion(uuid: Bytes16, major: Masked, minor: Masked)
    /// An AltBeacon: 20 bytes, the first 16 in `head`, the last 4 in `tail`.
    case altBeacon(head: Bytes16, tail: UInt32)
    /// An Eddystone UID: 10 bytes of namespace, then 6 of instance.
    case eddystoneUID(Bytes16)
    /// A rule: Eddystone UIDs of one namespace, the first 10 bytes; the rest is zero.
    case eddystoneNamespace(Bytes16)
    /// An Eddystone EID, by the key that makes its changing names.
    case eddystoneEID(KeyName)
    /// A public or static random address, most significant byte first, in the low 48 bits.
    case address(UInt64)
    /// The owner of private addresses, by the key that resolves them.
    case irk(KeyName)
    /// A rule: whatever calls itself so. `*` stands for any bytes, `?` for one character.
    case name(ShortText)

    /// Sixteen bytes, most significant first.
    package struct Bytes16: Hashable, Comparable, Sendable, Codable {
        /// Bytes 0...7.
        package var high: UInt64
        /// Bytes 8...15.
        package var low: UInt64

        /// Sixteen bytes from two big-endian halves.
        package init(high: UInt64, low: UInt64) {
            self.high = high
            self.low = low
        }

        /// Numerical order.
        package static func < (a: Bytes16, b: Bytes16) -> Bool { (a.high, a.low) < (b.high, b.low) }
    }

    /// A number of which only the bits of a mask count.
    package struct Masked: Hashable, Sendable, Codable {
        /// The bits that must be so; those outside the mask are zero.
        package let value: UInt16
        /// The bits that count.
        package let mask: UInt16

        /// A number; without a mask all bits count.
        package init(_ value: UInt16, mask: UInt16 = .max) {
            self.value = value & mask
            self.mask = mask
        }

        /// Every number.
        package static let any = Masked(0, mask: 0)

        /// Whether `number` is meant.
        package func holds(_ number: UInt16) -> Bool { number & mask == value }

        /// Whether every number that `other` means is meant.
        package func covers(_ other: Masked) -> Bool {
            mask & other.mask == mask && holds(other.value)
        }
    }
}

extension Identity {
    /// iBeacons of a UUID whose numbers fit masks, as the one case that says so: masks of ones are a
    /// single iBeacon, a mask of ones and one of zeros a rolling minor.
    package static func region(uuid: Bytes16, major: Masked, minor: Masked) -> Identity {
        guard major.mask == .max else {
            return .iBeaconRegion(uuid: uuid, major: major, minor: minor)
        }
        switch minor.mask {
        case .max: return .iBeacon(uuid: uuid, major: major.value, minor: minor.value)
        case 0: return .iBeaconRolling(uuid: uuid, major: major.value)
        default: return .iBeaconRegion(uuid: uuid, major: major, minor: minor)
        }
    }

    /// An iBeacon, whatever the last digit of its UUID is.
    package static func anyDigit(uuid: Bytes16, major: UInt16, minor: UInt16) -> Identity {
        let stem = Bytes16(high: uuid.high, low: uuid.low & ~0xF)
        return .iBeaconAnyDigit(uuid: stem, major: major, minor: minor)
    }

    /// Whether it is one transmitter's own name, and so stands on topics unregistered.
    package var isOwnName: Bool {
        switch self {
        case .iBeacon, .iBeaconRolling, .altBeacon, .eddystoneUID, .address,
            .eddystoneEID(.digits), .irk(.digits):
            true
        case .iBeaconAnyDigit, .iBeaconRegion, .eddystoneNamespace, .name, .eddystoneEID(.label),
            .irk(.label):
            false
        }
    }

    /// Whether it is one of the rules that are tried one after the other, the first that fits
    /// counting. The rest is looked up before them.
    package var isTriedInOrder: Bool {
        switch self {
        case .iBeaconRegion: true
        case .name(let text): text.hasWildcards
        default: false
        }
    }

    /// Whether nothing is left for `later` if this rule is tried before it. For name patterns that
    /// differ in more than wildcards, `false` may be too cautious.
    package func hides(_ later: Identity) -> Bool {
        switch (self, later) {
        case (
            .iBeaconRegion(let uuid, let major, let minor),
            .iBeaconRegion(let otherUUID, let otherMajor, let otherMinor)
        ):
            uuid == otherUUID && major.covers(otherMajor) && minor.covers(otherMinor)
        case (.name(let text), .name(let other)): text.covers(other)
        default: false
        }
    }

    /// Whether everything that is recognised by `other` fits this. For name patterns that differ in more than wildcards,
    /// `false` may be too cautious.
    package func covers(_ other: Identity) -> Bool {
        if self == other { return true }
        switch (self, other) {
        case (.iBeaconRolling(let uuid, let major), .iBeacon(let otherUUID, let otherMajor, _)):
            return (uuid, major) == (otherUUID, otherMajor)
        case (.iBeaconAnyDigit, .iBeacon(let uuid, let major, let minor)):
            return self == .anyDigit(uuid: uuid, major: major, minor: minor)
        case (.iBeaconRegion(let uuid, let major, let minor), .iBeacon(let otherUUID, let a, let b)):
            return uuid == otherUUID && major.holds(a) && minor.holds(b)
        case (.iBeaconRegion(let uuid, let major, let minor), .iBeaconRolling(let otherUUID, let a)):
            return uuid == otherUUID && major.holds(a) && minor == .any
        case (.eddystoneNamespace(let namespace), .eddystoneUID(let name)):
            return namespace == name.namespace
        default: return hides(other)
        }
    }

    /// The minor of an iBeacon that has one.
    package var minor: UInt16? {
        switch self {
        case .iBeacon(_, _, let minor), .iBeaconAnyDigit(_, _, let minor): minor
        default: nil
        }
    }

    /// The first of `identities` that nothing can ever be recognised by, because an earlier rule
    /// takes all of it, and that rule. Places in the list; `nil` if all is well.
    package static func hidden(in identities: [Identity]) -> (place: Int, by: Int)? {
        let rules = identities.indices.filter { identities[$0].isTriedInOrder }
        for (rank, place) in rules.enumerated() {
            for earlier in rules[..<rank] where identities[earlier].hides(identities[place]) {
                return (place, earlier)
            }
        }
        return nil
    }
}

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

/// The ciphers that decoding needs, done by a library outside the core.
package struct Cryptography: Sendable {
    /// A message that only the holder of a key can have made.
    package struct Sealed: Sendable {
        /// The encrypted bytes.
        package var ciphertext: [UInt8]
        /// The message integrity check, 4 bytes for BTHome.
        package var tag: [UInt8]
        /// What makes each message different, 13 bytes.
        package var nonce: [UInt8]

        package init(ciphertext: [UInt8], tag: [UInt8], nonce: [UInt8]) {
            self.ciphertext = ciphertext
            self.tag = tag
            self.nonce = nonce
        }
    }

    /// Encrypts one block with AES-128: the block, then the key.
    package var encrypt: @Sendable (Identity.Bytes16, Identity.Bytes16) -> Identity.Bytes16
    /// Opens a message with AES-128-CCM and a key; `nil` if the tag does not fit.
    package var open: @Sendable (Sealed, Identity.Bytes16) -> [UInt8]?

    package init(
        encrypt: @escaping @Sendable (Identity.Bytes16, Identity.Bytes16) -> Identity.Bytes16,
        open: @escaping @Sendable (Sealed, Identity.Bytes16) -> [UInt8]?
    ) {
        self.encrypt = encrypt
        self.open = open
    }
}
