import Basics
import JSON
import SiteModel
import Wire

/// Reads what Theengs Gateway and OpenMQTTGateway publish.
///
/// `{gateway}/BTtoMQTT/{address}` carries one advertisement, decoded where the gateway knows the
/// format: `id` (an address with colons, or an iBeacon's UUID), `rssi`, and of an iBeacon `uuid`,
/// `major`, `minor` (old decoders write the two as four hexadecimal digits). `…/undecoded` carries
/// the bytes instead. There is no time and no number, and `distance` is a guess from `rssi`.
enum Theengs {
    /// Reads a message by the levels of its topic below the root.
    static func read(
        _ levels: [String], _ payload: Span<UInt8>, isRetained: Bool
    ) throws(ForeignRefusal) -> ForeignReport? {
        guard levels.count >= 2, levels.allSatisfy({ !$0.isEmpty }) else { return nil }
        let gateway = levels[0]
        switch (levels[1], levels.count) {
        case ("LWT", 2):
            let isOnline = try ForeignRefusal.isOnline(payload)
            return ForeignReport(
                node: gateway, content: isOnline ? (isRetained ? .known : .alive) : .gone)
        case ("SYStoMQTT", 2), ("BTtoMQTT", 2):
            // The state of the gateway, not of a device.
            guard !isRetained else { throw .retained }
            try ForeignRefusal.object(payload) { _ in }
            return ForeignReport(node: gateway, content: .alive)
        case ("BTtoMQTT", 3), ("BTtoMQTT", 4):
            guard levels.count == 3 || levels[2] == "undecoded" else { return nil }
            guard !isRetained else { throw .retained }
            let content = try ForeignRefusal.object(payload) {
                (object) throws(PayloadError) in try device(object, payload)
            }
            return ForeignReport(node: gateway, content: content)
        default: return nil
        }
    }

    private static func device(
        _ object: JSONObject, _ json: Span<UInt8>
    ) throws(PayloadError) -> ForeignReport.Content {
        // That a tracker was not heard for two minutes is the gateway's opinion; we have our own.
        if try object.optional("presence", json)?.text(json, limit: 64) == "absent" {
            return .alive
        }
        let id = try object.required("id", json).text(json, limit: 128)
        let level = try object.required("rssi", json).level(json)
        var identities: [Identity] = []
        if let uuid = try text("uuid", of: object, json),
            let major = try number("major", of: object, json),
            let minor = try number("minor", of: object, json)
        {
            let hex = uuid.filter { $0 != "-" }
            identities += [Identity(text: "ib-\(hex)-\(major)-\(minor)")].compactMap(\.self)
        }
        if let data = try text("manufacturerdata", of: object, json) {
            identities += [manufacturer(data)].compactMap(\.self)
        }
        if let data = try text("servicedata", of: object, json),
            try text("servicedatauuid", of: object, json)?.hasSuffix("feaa") == true
        {
            identities += [eddystone(data)].compactMap(\.self)
        }
        let type = try object.optional("mac_type", json)?.integer(json)
        let address = try object.optional("mac", json)?.text(json, limit: 64) ?? id
        identities += [Self.address(address, isRandom: type == 1)].compactMap(\.self)
        // What is no name is none: the level counts all the same.
        let shown = try? object.optional("name", json)?.text(json, limit: 1024)
        return .heard(
            ForeignName(name: id, identities: identities, shown: shown), RSSI(dBm: level))
    }

    /// A text in lower case, or `nil` if it is not there. What some decoder means by the key must be
    /// a text all the same.
    private static func text(
        _ key: String, of object: JSONObject, _ json: Span<UInt8>
    ) throws(PayloadError) -> String? {
        try object.optional(key, json)?.text(json, limit: 1024).lowercased()
    }

    /// Sixteen bits as a number, or as four hexadecimal digits; `nil` for anything else.
    private static func number(
        _ key: String, of object: JSONObject, _ json: Span<UInt8>
    ) throws(PayloadError) -> UInt16? {
        guard let value = try object.optional(key, json) else { return nil }
        if try value.kind(json) == .string {
            return Hex.value(try value.text(json, limit: 64).lowercased(), count: 4)
                .map { UInt16(truncatingIfNeeded: $0) }
        }
        return UInt16(exactly: try value.integer(json, through: 65535))
    }

    /// An iBeacon or AltBeacon in a manufacturer's structure, written as hexadecimal digits from
    /// the company on.
    private static func manufacturer(_ hex: String) -> Identity? {
        let digits = Array(hex.utf8)
        func part(_ range: Range<Int>) -> String { String(decoding: digits[range], as: UTF8.self) }
        if digits.count >= 50, part(0..<8) == "4c000215" {
            guard let major = Hex.value(part(40..<44), count: 4),
                let minor = Hex.value(part(44..<48), count: 4)
            else { return nil }
            return Identity(text: "ib-\(part(8..<40))-\(major)-\(minor)")
        }
        guard digits.count >= 52, part(4..<8) == "beac" else { return nil }
        return Identity(text: "ab-\(part(8..<48))")
    }

    /// The name in an Eddystone frame, written as hexadecimal digits without the service's number.
    private static func eddystone(_ hex: String) -> Identity? {
        let digits = Array(hex.utf8)
        func part(_ range: Range<Int>) -> String { String(decoding: digits[range], as: UTF8.self) }
        guard digits.count >= 36, part(0..<2) == "00" else { return nil }
        return Identity(text: "eu-\(part(4..<24))-\(part(24..<36))")
    }

    /// An address with or without colons. Of random ones only static ones (two leading ones) last.
    private static func address(_ text: String, isRandom: Bool) -> Identity? {
        let digits = text.lowercased().filter { $0 != ":" }
        guard let address = Hex.value(digits, count: 12), !isRandom || address >> 46 == 3 else {
            return nil
        }
        return .address(address)
    }
}
