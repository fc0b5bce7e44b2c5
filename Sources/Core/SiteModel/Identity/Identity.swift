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

    /// Whether it is one transmitter's own name, and so stands on topics unregistered.
    package var isOwnName: Bool {
        switch self {
        case .iBeacon, .iBeaconRolling, .altBeacon, .eddystoneUID, .address,
            .eddystoneEID(.digits), .irk(.digits):
            true
        case .iBeaconRegion, .eddystoneNamespace, .name, .eddystoneEID(.label), .irk(.label):
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
