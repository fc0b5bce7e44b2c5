import Basics

// How identities are written on topics, in payloads and in the database. Transmitters:
//
//     ib-<32 hex: UUID>-<major>-<minor>    ib-<32 hex: UUID>-<major> (rolling minor)
//     ab-<40 hex>    eu-<20 hex: namespace>-<12 hex: instance>    mac-<12 hex>
//     irk-<8 hex>, eid-<8 hex>: the owner of private addresses or changing names, by `KeyName`
//
// Rules, which never stand on topics:
//
//     ib-<31 hex>x-<major>-<minor>: whatever the last digit of the UUID is
//     ib-<32 hex>    ibm-<32 hex>-<8 pairs of bits: major>-<8: minor>    eu-<20 hex>
//     irk-<label>, eid-<label>: the key of that name    nm-<2 ... 60 hex: a name or pattern>
//
// A pair of bits is 0 ... 3, or x for any, a for 0x, b for 1x, c for x0, d for x1. Digits are
// lower-case, numbers have no leading zeros: one identity, one text, always a slug.
extension Identity {
    /// Reads the one way an identity is written; `nil` for anything else.
    package init?(text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let read: Identity? =
            switch parts.first {
            case "ib": Self.iBeacon(parts)
            case "ibm": Self.region(parts)
            case "ab": Self.altBeacon(parts)
            case "eu": Self.eddystone(parts)
            case "mac":
                parts.count == 2 ? Hex.value(parts[1], count: 12).map { .address($0) } : nil
            case "irk": KeyName(text: text.dropFirst(4)).map { .irk($0) }
            case "eid": KeyName(text: text.dropFirst(4)).map { .eddystoneEID($0) }
            case "nm": parts.count == 2 ? Self.name(parts[1]) : nil
            default: nil
            }
        guard let read else { return nil }
        self = read
    }

    /// The identity as written: a slug of at most 63 characters.
    package var text: String {
        switch self {
        case .iBeacon(let uuid, let major, let minor): "ib-\(uuid.hex)-\(major)-\(minor)"
        case .iBeaconRolling(let uuid, let major): "ib-\(uuid.hex)-\(major)"
        case .iBeaconAnyDigit(let uuid, let major, let minor):
            "ib-\(uuid.hex.dropLast())x-\(major)-\(minor)"
        case .iBeaconRegion(let uuid, .any, .any): "ib-\(uuid.hex)"
        case .iBeaconRegion(let uuid, let major, let minor):
            "ibm-\(uuid.hex)-\(major.pairs)-\(minor.pairs)"
        case .altBeacon(let head, let tail): "ab-\(head.hex)\(Hex.text(UInt64(tail), count: 8))"
        case .eddystoneUID(let name): "eu-\(name.hex.prefix(20))-\(name.hex.suffix(12))"
        case .eddystoneNamespace(let name): "eu-\(name.hex.prefix(20))"
        case .eddystoneEID(let name): "eid-\(name.text)"
        case .address(let address): "mac-\(Hex.text(address, count: 12))"
        case .irk(let name): "irk-\(name.text)"
        case .name(let name):
            "nm-" + name.bytes.map { Hex.text(UInt64($0), count: 2) }.joined()
        }
    }

    private static func iBeacon(_ parts: [some StringProtocol]) -> Identity? {
        guard (2...4).contains(parts.count) else { return nil }
        if parts.count == 4, parts[1].last == "x" {
            guard let uuid = Bytes16(hex: "\(parts[1].dropLast())0"), let major = number(parts[2]),
                let minor = number(parts[3])
            else { return nil }
            return .anyDigit(uuid: uuid, major: major, minor: minor)
        }
        guard let uuid = Bytes16(hex: parts[1]) else { return nil }
        guard parts.count > 2 else { return .region(uuid: uuid, major: .any, minor: .any) }
        guard let major = number(parts[2]) else { return nil }
        guard parts.count > 3 else { return .iBeaconRolling(uuid: uuid, major: major) }
        return number(parts[3]).map { .iBeacon(uuid: uuid, major: major, minor: $0) }
    }

    private static func region(_ parts: [some StringProtocol]) -> Identity? {
        guard parts.count == 4, let uuid = Bytes16(hex: parts[1]),
            let major = Masked(pairs: parts[2]), let minor = Masked(pairs: parts[3])
        else { return nil }
        let region = Identity.region(uuid: uuid, major: major, minor: minor)
        // What has a shorter text is not written so.
        guard case .iBeaconRegion = region, (major, minor) != (.any, .any) else { return nil }
        return region
    }

    private static func altBeacon(_ parts: [some StringProtocol]) -> Identity? {
        guard parts.count == 2, parts[1].utf8.count == 40,
            let head = Bytes16(hex: parts[1].prefix(32)),
            let tail = Hex.value(parts[1].suffix(8), count: 8)
        else { return nil }
        return .altBeacon(head: head, tail: UInt32(tail))
    }

    private static func eddystone(_ parts: [some StringProtocol]) -> Identity? {
        guard (2...3).contains(parts.count), parts[1].utf8.count == 20 else { return nil }
        guard parts.count == 3 else {
            return Bytes16(hex: "\(parts[1])000000000000").map { .eddystoneNamespace($0) }
        }
        guard parts[2].utf8.count == 12 else { return nil }
        return Bytes16(hex: "\(parts[1])\(parts[2])").map { .eddystoneUID($0) }
    }

    private static func name(_ hex: some StringProtocol) -> Identity? {
        let digits = Array(hex.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[place..<place + 2], as: UTF8.self)
            guard let byte = Hex.value(pair, count: 2) else { return nil }
            bytes.append(UInt8(byte))
        }
        return ShortText(bytes).map { .name($0) }
    }

    /// A decimal number of 16 bits without sign or leading zeros.
    private static func number(_ text: some StringProtocol) -> UInt16? {
        guard let number = UInt16(text), String(number).utf8.elementsEqual(text.utf8) else {
            return nil
        }
        return number
    }
}

extension KeyName {
    package static let longestLabel = 28

    /// Eight lower-case hexadecimal digits are `digits`, any other slug of at most 28 is a label.
    package init?(text: some StringProtocol) {
        if let digits = Hex.value(text, count: 8) {
            self = .digits(UInt32(digits))
            return
        }
        guard text.utf8.count <= Self.longestLabel, text.isSlug,
            let label = ShortText(text.utf8)
        else { return nil }
        self = .label(label)
    }

    /// The digits or the label.
    package var text: String {
        switch self {
        case .digits(let digits): Hex.text(UInt64(digits), count: 8)
        case .label(let label): label.text
        }
    }
}

extension Identity.Masked {
    /// By mask, then by value.
    private static let alphabet: [[Character]] = [
        ["x", "x", "x", "x"], ["c", "d", "c", "d"], ["a", "a", "b", "b"], ["0", "1", "2", "3"],
    ]

    /// Eight pairs of bits, most significant first.
    fileprivate init?(pairs: some StringProtocol) {
        guard pairs.utf8.count == 8 else { return nil }
        var (value, mask): (UInt16, UInt16) = (0, 0)
        for character in pairs {
            guard let row = Self.alphabet.firstIndex(where: { $0.contains(character) }),
                let column = Self.alphabet[row].firstIndex(of: character)
            else { return nil }
            value = value << 2 | UInt16(column)
            mask = mask << 2 | UInt16(row)
        }
        self.init(value, mask: mask)
    }

    fileprivate var pairs: String {
        String(
            stride(from: 14, through: 0, by: -2).map { shift in
                Self.alphabet[Int(mask >> UInt16(shift)) & 3][Int(value >> UInt16(shift)) & 3]
            })
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

/// Keys, addresses and UUIDs as people write them.
package enum HexText {
    /// The bytes that pairs of digits in either case stand for, or `nil` if that is not all.
    package static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
        Hex.bytes(anyCase: text)
    }

    /// Sixteen bytes from 32 digits.
    package static func key(_ text: String) -> Identity.Bytes16? {
        guard text.utf8.count == 32, let high = Hex.number(text.utf8.prefix(16)),
            let low = Hex.number(text.utf8.suffix(16))
        else { return nil }
        return Identity.Bytes16(high: high, low: low)
    }

    /// The number that `count` bytes stand for, at most eight, with or without colons between them.
    package static func address(_ text: String, bytes count: Int = 6) -> UInt64? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: ":") }
        return digits.count == 2 * count ? Hex.number(digits) : nil
    }

    /// Two lower-case digits a byte.
    package static func text(_ bytes: some Sequence<UInt8>) -> String { Hex.text(bytes) }

    /// The lowest `count` bytes of a number, most significant first.
    package static func text(_ number: some FixedWidthInteger, bytes count: Int) -> String {
        Hex.text(UInt64(truncatingIfNeeded: number), count: 2 * count)
    }

    /// A device's address as people write it: lower case, colons.
    package static func text(address: UInt64) -> String { Hex.text(address: address) }

    /// Sixteen bytes as people write a UUID: 8-4-4-4-12 digits.
    package static func text(uuid: Identity.Bytes16) -> String {
        [
            text(uuid.high >> 32, bytes: 4), text(uuid.high >> 16, bytes: 2),
            text(uuid.high, bytes: 2), text(uuid.low >> 48, bytes: 2), text(uuid.low, bytes: 6),
        ].joined(separator: "-")
    }
}
