import Settings
import SiteModel

/// Reads what a beacon is recognised by, at the key `identity`: the text that the database uses, or
/// a section that says it in words.
enum SiteIdentity {
    /// `nil` if it is faulty, which has been reported.
    static func read(_ item: inout SettingsReader) -> Identity? {
        if item.holdsSection("identity") { return item.section("identity") { section(&$0) } }
        let text = item.word("identity")
        if text.isEmpty { return nil }
        let identity = Identity(text: text) ?? printed(text)
        if identity == nil {
            item.refuse(
                "identity",
                "expected an address such as C4:A7:F1:0B:33:21 or mac-<12 hex>,"
                    + " ib-<32 hex>-<major>-<minor>, ib-<32 hex>-<major>, ab-<40 hex>,"
                    + " eu-<20 hex>-<12 hex>, or a section with uuid, namespace, address, name, irk"
                    + " or eid")
        }
        return identity
    }

    /// What beacons of a group are recognised by: an identity as it is written, or a rule as people write it, with `*` and
    /// masks for numbers, or `name:` and a pattern. `nil` if it is none.
    static func rule(_ text: String) -> Identity? {
        if let prefix = text.prefixMatch(of: /(?i)name:\s*/) {
            return ShortText(text[prefix.range.upperBound...].utf8).map { .name($0) }
        }
        let numbers =
            /^(?:ib-)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})((?:[-, \/:]+(?:\*|[0-9]+(?:&[0-9]+)?)){0,2})$/
        let small = text.lowercased()
        guard let found = small.wholeMatch(of: numbers),
            found.2.contains("&") || found.2.contains("*")
        else { return Identity(text: text) ?? printed(text) }
        guard case .iBeaconRegion(let uuid, .any, .any)? = printed(String(found.1)) else {
            return nil
        }
        var masked: [Identity.Masked] = []
        for part in found.2.split(whereSeparator: { "-, /:".contains($0) }) {
            let pair = part.split(separator: "&")
            if pair[0] == "*" {
                masked.append(.any)
                continue
            }
            guard let number = UInt16(pair[0]) else { return nil }
            let mask = pair.count == 1 ? .max : UInt16(pair[1])
            guard let mask, mask > 0, number & mask == number else { return nil }
            masked.append(Identity.Masked(number, mask: mask))
        }
        return .region(
            uuid: uuid, major: masked.first ?? .any, minor: masked.dropFirst().first ?? .any)
    }

    /// An identity as makers print it and other programs show it: an address in pairs of digits, a UUID with its
    /// hyphens, digits in upper case, major and minor behind a space, comma or slash.
    private static func printed(_ text: String) -> Identity? {
        let small = text.lowercased()
        let pairs = small.split(whereSeparator: { ":-".contains($0) })
        if pairs.count == 6, pairs.allSatisfy({ $0.utf8.count == 2 }) {
            return Identity(text: "mac-\(pairs.joined())")
        }
        if let address = Identity(text: "mac-\(small)") { return address }
        let uuid =
            /^(?:(ib|ab)-)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{11}[0-9a-fx]|[0-9a-f]{32})(.*)$/
        guard let found = small.wholeMatch(of: uuid) else { return Identity(text: small) }
        let rest = found.3.split(whereSeparator: { "-, /:".contains($0) }).map { "-\($0)" }.joined()
        return Identity(text: "\(found.1 ?? "ib")-\(found.2.filter { $0 != "-" })\(rest)")
    }

    private static func section(_ identity: inout SettingsReader) -> Identity? {
        if identity.holds("name") { return name(&identity) }
        if identity.holds("irk") { return key("irk", &identity).map { .irk($0) } }
        if identity.holds("eid") { return key("eid", &identity).map { .eddystoneEID($0) } }
        if identity.holds("namespace") { return eddystone(&identity) }
        if identity.holds("address") { return address(&identity) }
        return iBeacon(&identity)
    }

    private static func name(_ identity: inout SettingsReader) -> Identity? {
        let text = identity.string("name")
        if text.isEmpty { return nil }
        let name = ShortText(text.utf8)
        if name == nil {
            identity.refuse(
                "name", "\(text.utf8.count) bytes, expected at most \(ShortText.longest)")
        }
        return name.map { .name($0) }
    }

    private static func key(_ key: String, _ identity: inout SettingsReader) -> KeyName? {
        let text = identity.word(key)
        if text.isEmpty { return nil }
        let name = KeyName(text: text)
        if name == nil {
            identity.refuse(
                key,
                "expected the id of a key of the nodes: 1 to \(KeyName.longestLabel) of a-z, 0-9"
                    + " and -, or its eight digits")
        }
        return name
    }

    private static func eddystone(_ identity: inout SettingsReader) -> Identity? {
        let namespace = identity.word("namespace").lowercased()
        let instance = identity.holds("instance") ? identity.word("instance").lowercased() : nil
        if namespace.isEmpty { return nil }
        let read = Identity(text: "eu-\(namespace)" + (instance.map { "-\($0)" } ?? ""))
        if read == nil {
            identity.refuse(
                "namespace", "expected 20 hexadecimal digits, and 12 of instance if there is one")
        }
        return read
    }

    private static func address(_ identity: inout SettingsReader) -> Identity? {
        let word = identity.word("address")
        if word.isEmpty { return nil }
        let read = Identity(text: "mac-\(word.lowercased().filter { $0 != ":" })")
        if read == nil { identity.refuse("address", "expected 12 hexadecimal digits") }
        return read
    }

    private static func iBeacon(_ identity: inout SettingsReader) -> Identity? {
        let word = identity.word("uuid")
        let major = number("major", &identity)
        let isRolling = identity.bool("rolling", default: false)
        // Of a rolling minor nothing can be said, so the key is not even known then.
        let minor = isRolling ? .any : number("minor", &identity)
        if isRolling, major == .any { identity.refuse("major", "missing, rolling is given") }
        guard let major, let minor, !identity.hasFaults else { return nil }
        let hex = word.lowercased().filter { $0 != "-" }
        if hex.hasSuffix("x") { return anyDigit(hex, major, minor, &identity) }
        guard case .iBeaconRegion(let uuid, .any, .any)? = Identity(text: "ib-\(hex)") else {
            identity.refuse("uuid", "expected 32 hexadecimal digits")
            return nil
        }
        return .region(uuid: uuid, major: major, minor: minor)
    }

    /// A UUID of 31 digits and an x.
    private static func anyDigit(
        _ hex: String, _ major: Identity.Masked, _ minor: Identity.Masked,
        _ identity: inout SettingsReader
    ) -> Identity? {
        guard major.mask == .max, minor.mask == .max else {
            identity.refuse("uuid", "ends in x, which needs a major and a minor without masks")
            return nil
        }
        let read = Identity(text: "ib-\(hex)-\(major.value)-\(minor.value)")
        if read == nil {
            identity.refuse("uuid", "expected 32 hexadecimal digits, or 31 and an x")
        }
        return read
    }

    /// A number and its mask; without a number any will do. `nil` if they are faulty.
    private static func number(
        _ key: String, _ identity: inout SettingsReader
    ) -> Identity.Masked? {
        let number = identity.intIfPresent(key, in: 0...65535)
        let mask = identity.intIfPresent("\(key)_mask", in: 1...65535)
        if mask != nil, number == nil { identity.refuse(key, "missing, \(key)_mask is given") }
        if let number, let mask, number & mask != number {
            identity.refuse(key, "has bits that \(key)_mask leaves out")
        }
        guard !identity.hasFaults else { return nil }
        guard let number else { return .any }
        return Identity.Masked(UInt16(number), mask: UInt16(mask ?? 65535))
    }
}
