import MeshCore

// How identities are written on topics, in payloads and in configuration:
//
//     ib-<32 hex: UUID>-<major>-<minor>    ib-<32 hex: UUID>-<major> (rolling minor)
//     ab-<40 hex>    eu-<20 hex: namespace>-<12 hex: instance>    mac-<12 hex>
//
// Digits are lower-case, numbers have no leading zeros: one identity, one text, always a slug.
extension Identity {
    /// Reads the one way an identity is written; `nil` for anything else.
    public init?(text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        switch (parts.first, parts.count) {
        case ("ib", 3):
            guard let uuid = Bytes16(hex: parts[1]), let major = Self.number(parts[2]) else {
                return nil
            }
            self = .iBeaconRolling(uuid: uuid, major: major)
        case ("ib", 4):
            guard let uuid = Bytes16(hex: parts[1]), let major = Self.number(parts[2]),
                let minor = Self.number(parts[3])
            else { return nil }
            self = .iBeacon(uuid: uuid, major: major, minor: minor)
        case ("ab", 2):
            guard parts[1].utf8.count == 40, let head = Bytes16(hex: parts[1].prefix(32)),
                let tail = Hex.value(parts[1].suffix(8), count: 8)
            else { return nil }
            self = .altBeacon(head: head, tail: UInt32(tail))
        case ("eu", 3):
            guard parts[1].utf8.count == 20, parts[2].utf8.count == 12,
                let name = Bytes16(hex: "\(parts[1])\(parts[2])")
            else { return nil }
            self = .eddystoneUID(name)
        case ("mac", 2):
            guard let address = Hex.value(parts[1], count: 12) else { return nil }
            self = .address(address)
        default: return nil
        }
    }

    /// The identity as written on topics: a slug of at most 47 characters.
    public var text: String {
        switch self {
        case .iBeacon(let uuid, let major, let minor): "ib-\(uuid.hex)-\(major)-\(minor)"
        case .iBeaconRolling(let uuid, let major): "ib-\(uuid.hex)-\(major)"
        case .altBeacon(let head, let tail): "ab-\(head.hex)\(Hex.text(UInt64(tail), count: 8))"
        case .eddystoneUID(let name): "eu-\(name.hex.prefix(20))-\(name.hex.suffix(12))"
        case .address(let address): "mac-\(Hex.text(address, count: 12))"
        }
    }

    /// A decimal number of 16 bits without sign or leading zeros.
    private static func number(_ text: some StringProtocol) -> UInt16? {
        guard let number = UInt16(text), String(number).utf8.elementsEqual(text.utf8) else {
            return nil
        }
        return number
    }
}

extension Identity.Bytes16 {
    /// Reads 32 lower-case hexadecimal digits.
    fileprivate init?(hex: some StringProtocol) {
        guard hex.utf8.count == 32, let high = Hex.value(hex.prefix(16), count: 16),
            let low = Hex.value(hex.suffix(16), count: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    /// 32 lower-case hexadecimal digits.
    fileprivate var hex: String { Hex.text(high, count: 16) + Hex.text(low, count: 16) }
}
