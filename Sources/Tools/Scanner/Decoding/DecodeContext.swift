import BeaconDecoding
import Ciphers
import Foundation
import JSON
import Platform
import Registry
import SiteModel
import Wire

/// What a line for the decoder knows beside the bytes: who sent them, keys, rules. A part that
/// cannot be read counts as absent.
struct DecodeContext {
    /// Who sent bare data.
    var sender: DecodedReport.Sender?
    /// Keys and ciphers.
    var keys = DecodingKeys(cryptography: LibCrypto.cryptography)
    /// Rules that tell what sort of device it is, or `nil` if nobody wants to know.
    var rules: [DeviceRule]?

    init() {}

    /// Reads the `context` of a line.
    init(_ object: JSONObject, _ json: Span<UInt8>) throws(PayloadError) {
        let address = Self.text("address", of: object, json).flatMap { HexText.address($0) }
        let kind = Self.text("address_type", of: object, json).flatMap { Self.kind($0) }
        if address != nil || kind != nil {
            sender = DecodedReport.Sender(address: address, kind: kind)
        }
        try Self.forEachKey("irks", of: object, json) { label, key in
            keys.resolving.append(DecodingKeys.Resolving(label: label, key: key))
        }
        try Self.forEachKey("bthome_keys", of: object, json) { address, key in
            if let address = HexText.address(address) { keys.sensors[address] = key }
        }
        for entry in try Self.objects("eid_keys", of: object, json) {
            if let key = Self.identityKey(entry, json) { keys.identities.append(key) }
        }
        guard try object.optional("rules", json) != nil else { return }
        rules = try Self.objects("rules", of: object, json).compactMap { Self.rule($0, json) }
    }

    private static func kind(_ text: String) -> AdvertisingReport.AddressKind? {
        let kinds: [AdvertisingReport.AddressKind] = [
            .public, .random, .publicIdentity, .randomIdentity, .anonymous,
        ]
        return kinds.first { $0.text == text }
    }

    /// The labels and keys of an object, in order.
    private static func forEachKey(
        _ name: String, of object: JSONObject, _ json: Span<UInt8>,
        _ body: (String, Identity.Bytes16) -> Void
    ) throws(PayloadError) {
        guard let value = try object.optional(name, json), try value.kind(json) == .object else {
            return
        }
        // Straight through, because there may be very many.
        var reader = JSONReader(at: value.offset)
        try reader.openObject(in: json)
        var isFirst = true
        while let label = try reader.nextKey(isFirst: isFirst, in: json) {
            isFirst = false
            guard try reader.kind(in: json) == .string else {
                try reader.skip(in: json, depth: 0)
                continue
            }
            let text = try reader.string(in: json).text(in: json)
            if let key = HexText.key(text) { body(try label.text(in: json), key) }
        }
    }

    /// The objects of a list; whatever else is in it is passed over.
    private static func objects(
        _ name: String, of object: JSONObject, _ json: Span<UInt8>
    ) throws(PayloadError) -> [JSONObject] {
        guard let value = try object.optional(name, json), try value.kind(json) == .array else {
            return []
        }
        return try value.list(json) { (entry, json) throws(PayloadError) -> JSONObject? in
            try entry.kind(json) == .object ? try entry.object(json) : nil
        }.compactMap { $0 }
    }

    private static func identityKey(
        _ entry: JSONObject, _ json: Span<UInt8>
    ) -> EddystoneIdentityKey? {
        guard let label = text("label", of: entry, json),
            let key = text("identity_key", of: entry, json).flatMap({ HexText.key($0) }),
            let exponent = integer("k", of: entry, json).flatMap({ UInt8(exactly: $0) }),
            let time = integer("time", of: entry, json)
        else { return nil }
        let window = integer("window", of: entry, json) ?? 0
        return EddystoneIdentityKey(
            label: label, key: key, exponent: exponent, time: UInt32(clamping: time),
            window: UInt32(clamping: window))
    }

    /// A rule; `nil` if it, or one of its conditions, cannot be understood: it must not hold more
    /// often than it was meant to.
    private static func rule(_ entry: JSONObject, _ json: Span<UInt8>) -> DeviceRule? {
        guard let id = text("id", of: entry, json),
            let deviceClass = text("class", of: entry, json),
            let values = try? entry.all(json)
        else { return nil }
        var rule = DeviceRule(
            id: id, deviceClass: deviceClass,
            confidence: number("confidence", of: entry, json) ?? 0, conditions: [])
        for value in values {
            switch value.name {
            case "company", "data_prefix", "name_prefix", "name_contains", "service_uuid", "oui",
                "appearance_category":
                if (try? value.kind(json)) == .null { continue }
                guard let condition = condition(value.name, of: entry, json) else { return nil }
                rule.conditions.append(condition)
            default: continue
            }
        }
        return rule
    }

    private static func condition(
        _ name: String, of entry: JSONObject, _ json: Span<UInt8>
    ) -> DeviceRule.Condition? {
        let text = text(name, of: entry, json)
        switch name {
        case "company", "data_prefix":
            let prefix = self.text("data_prefix", of: entry, json) ?? ""
            guard
                let company = integer("company", of: entry, json).flatMap({
                    UInt16(exactly: $0)
                }), let bytes = HexText.bytes(prefix.utf8)
            else { return nil }
            return .company(company, prefix: bytes)
        case "name_prefix": return text.map { .namePrefix($0) }
        case "name_contains": return text.map { .nameContains($0) }
        case "service_uuid":
            return text.flatMap { ServiceUUID(text: $0) }.map { .service($0) }
        case "oui":
            return text.flatMap { HexText.address($0, bytes: 3) }.map { .vendor(UInt32($0)) }
        default:
            return integer(name, of: entry, json).flatMap { UInt16(exactly: $0) }
                .map { .appearanceCategory($0) }
        }
    }

    private static func text(
        _ name: String, of object: JSONObject, _ json: Span<UInt8>
    ) -> String? { try? object.optional(name, json)?.text(json) }

    private static func integer(
        _ name: String, of object: JSONObject, _ json: Span<UInt8>
    ) -> Int64? { number(name, of: object, json).flatMap { Int64(exactly: $0.rounded(.down)) } }

    private static func number(
        _ name: String, of object: JSONObject, _ json: Span<UInt8>
    ) -> Double? {
        let all = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        return try? object.optional(name, json)?.number(json, in: all)
    }
}

/// The rules that tell what sort of device sends: data, in the form that `beaconmesh decode` takes.
package enum DeviceRules {
    /// The largest file, in bytes.
    private static let limit = 1 << 20

    /// The rules that come with the program. A rule says what is likely, and how sure that is.
    ///
    /// - Throws: An `Exit` with 65: a bug in the rules that are built in.
    package static func starter() throws -> [DeviceRule] {
        try read(StarterDevices.json, named: "devices.json")
    }

    /// - Throws: An `Exit` with 66 if the file cannot be read, with 65 if a rule cannot be
    ///   understood.
    package static func read(file: String) throws -> [DeviceRule] {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw Exit(code: 66, text: "\(file): cannot be read")
        }
        return try read(Array(data), named: file)
    }

    /// Reads `{"rules": [{"id", "class", "confidence", condition…}…]}`. A rule that cannot be
    /// understood is a fault here: it would silently never hold.
    ///
    /// - Throws: An `Exit` with 65 that names the file and how many rules cannot be understood.
    package static func read(_ json: [UInt8], named name: String) throws -> [DeviceRule] {
        let wanted: (rules: [DeviceRule], count: Int)
        do {
            wanted = try rules(in: json.span)
        } catch {
            throw Exit(code: 65, text: "\(name): \(error)")
        }
        guard wanted.rules.count == wanted.count else {
            throw Exit(
                code: 65,
                text: """
                    \(name): \(wanted.count - wanted.rules.count) of \(wanted.count) rules cannot \
                    be understood; each needs id, class, confidence and a condition
                    """)
        }
        return wanted.rules
    }

    private static func rules(
        in json: Span<UInt8>
    ) throws(PayloadError) -> (rules: [DeviceRule], count: Int) {
        let object = try JSONObject(document: json, limit: limit)
        let count = try object.required("rules", json).list(json) {
            (entry, json) throws(PayloadError) -> Bool in try entry.kind(json) == .object
        }.count
        let rules = try DecodeContext(object, json).rules ?? []
        return (rules.filter { !$0.conditions.isEmpty }, count)
    }
}
