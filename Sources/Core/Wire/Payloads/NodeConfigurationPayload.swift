import Basics
import JSON
import SiteModel

/// `node/{n}/config/desired`, retained: the configuration a node is to apply.
package struct NodeConfigurationPayload: Payload {
    /// What a node is to send.
    package enum Profile: String, Sendable, CaseIterable {
        /// A frame every second.
        case ranging
        /// A reading of each beacon every 30 s, no frames.
        case sparse
    }

    /// A registered beacon.
    package struct Beacon: Equatable, Sendable {
        package var id: String
        /// What it is recognised by.
        package var identity: Identity
        /// From which level on it is near, in dBm; absent is `NodeConfiguration.nearThreshold`.
        package var thresholdDBm: Double?

        package init(id: String, identity: Identity, thresholdDBm: Double? = nil) {
            self.id = id
            self.identity = identity
            self.thresholdDBm = thresholdDBm
        }
    }

    /// How a sort of device is recognised: all of what it says holds.
    package struct Rule: Equatable, Sendable, Codable {
        /// The slug of the device type.
        package var type: String
        /// How sure it is, 0 ... 1.
        package var confidence: Double
        /// Whose data are advertised, and how they begin.
        package var company: UInt16?
        package var companyData: [UInt8] = []
        /// How its name begins, and what is in it, in either case.
        package var namePrefix: String?
        package var nameContains: String?
        /// 4 or 32 hexadecimal digits.
        package var service: String?
        /// The first half of an address that is not random.
        package var vendor: UInt32?
        /// A category of appearances, 0 ... 1,023.
        package var appearance: UInt16?

        package init(type: String, confidence: Double) {
            self.type = type
            self.confidence = confidence
        }
    }

    /// The most rules of devices, and the longest text in one.
    package static let (mostRules, longestText) = (256, 30)

    /// 1 MiB: `mostBeacons` beacons whatever they are called.
    package static let limit = 1024 * 1024
    /// The most beacons a configuration names.
    package static let mostBeacons = 4096
    /// The most rules of what is regarded: those of the policy, and of 64 groups.
    package static let mostAllowed = NodePolicy.mostRules + 64

    /// Grows by one with each configuration, from 1.
    package var rev: Int64
    /// What to send.
    package var profile: Profile
    /// Whether to publish what is not registered: fixed addresses and decoded beacons.
    package var publishUnregistered: Bool
    /// Readings that seem to come from farther away are left out. In metres, above 0, up to 1000.
    package var maxRangeM: Double
    /// Of registered beacons, seconds whose strongest level is less are no evidence. In dBm,
    /// −127 ... 20; −95 where it is not said.
    package var floorDbm: Double
    /// The registered beacons, at most `mostBeacons`.
    package var beacons: [Beacon]
    /// What is regarded beside them, 1 to `mostAllowed`; absent for everything.
    package var allow: [Identity]?
    /// What sorts of strangers' devices are told of, at most `mostRules`; absent: none.
    package var detect: [Rule]?

    package init(
        rev: Int64, profile: Profile, publishUnregistered: Bool, maxRangeM: Double,
        floorDbm: Double = NodePolicy.presetFloor.dBm, beacons: [Beacon],
        allow: [Identity]? = nil, detect: [Rule]? = nil
    ) {
        self.detect = detect
        self.rev = rev
        self.profile = profile
        self.publishUnregistered = publishUnregistered
        self.maxRangeM = maxRangeM
        self.floorDbm = floorDbm
        self.beacons = beacons
        self.allow = allow
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        rev = try object.required("rev", json).integer(json, from: 1)
        profile = try object.required("profile", json).choice(json, of: Profile.self)
        publishUnregistered = try object.required("publish_unregistered", json).flag(json)
        maxRangeM = try object.required("max_range_m", json)
            .number(json, in: Double.leastNonzeroMagnitude...1000)
        floorDbm = try object.optional("floor_dbm", json)?.level(json) ?? NodePolicy.presetFloor.dBm
        beacons = try object.required("beacons", json).list(json, atMost: Self.mostBeacons) {
            (element, json) throws(PayloadError) in
            let beacon = try element.object(json)
            let id = try beacon.required("id", json).slug(json)
            return Beacon(
                id: id, identity: try Self.identity(try beacon.required("identity", json), json),
                thresholdDBm: try beacon.optional("threshold_dbm", json)?.level(json))
        }
        allow = try object.optional("allow", json)?.list(json, atMost: Self.mostAllowed) {
            (element, json) throws(PayloadError) in try Self.identity(element, json)
        }
        if allow?.isEmpty == true { throw .outOfRange(field: "allow") }
        detect = try object.optional("detect", json)?.list(json, atMost: Self.mostRules) {
            (element, json) throws(PayloadError) in try Self.rule(element.object(json), json)
        }
    }

    private static func rule(
        _ one: JSONObject, _ json: Span<UInt8>
    ) throws(PayloadError) -> Rule {
        func text(_ name: String) throws(PayloadError) -> String? {
            guard let text = try one.optional(name, json)?.text(json, limit: longestText) else {
                return nil
            }
            guard !text.isEmpty else { throw .outOfRange(field: name) }
            return text
        }
        func digits(_ name: String, _ counts: Set<Int>) throws(PayloadError) -> String? {
            guard let text = try one.optional(name, json)?.text(json) else { return nil }
            guard counts.contains(text.utf8.count), Hex.bytes(text) != nil
            else {
                throw .unknownValue(field: name)
            }
            return text
        }
        var rule = Rule(
            type: try one.required("type", json).slug(json),
            confidence: try one.required("confidence", json).number(json, in: 0...1))
        rule.company = try one.optional("company", json).map { (value) throws(PayloadError) in
            UInt16(try value.integer(json, through: 65_535))
        }
        let data = try digits("company_data", Set(stride(from: 2, through: 48, by: 2)))
        rule.companyData = data.flatMap { Hex.bytes($0) } ?? []
        rule.namePrefix = try text("name_prefix")
        rule.nameContains = try text("name_contains")
        rule.service = try digits("service", [4, 32])
        rule.vendor = try digits("vendor", [6])
            .flatMap { Hex.value($0, count: 6) }.map { UInt32($0) }
        rule.appearance = try one.optional("appearance", json).map { (value) throws(PayloadError) in
            UInt16(try value.integer(json, through: 1023))
        }
        return rule
    }

    private static func identity(
        _ value: JSONValue, _ json: Span<UInt8>
    ) throws(PayloadError) -> Identity {
        guard let identity = Identity(text: try value.text(json)) else {
            throw .unknownValue(field: value.name)
        }
        return identity
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("rev", rev)
        writer.field("profile", profile.rawValue)
        writer.field("publish_unregistered", publishUnregistered)
        writer.field("max_range_m", maxRangeM)
        writer.field("floor_dbm", floorDbm)
        writer.key("beacons")
        writer.beginArray()
        for beacon in beacons {
            writer.beginObject()
            writer.field("id", beacon.id)
            writer.field("identity", beacon.identity.text)
            if let threshold = beacon.thresholdDBm { writer.field("threshold_dbm", threshold) }
            writer.endObject()
        }
        writer.endArray()
        if let allow { writer.field("allow", allow.map(\.text)) }
        if let detect {
            writer.key("detect")
            writer.beginArray()
            for rule in detect { Self.write(rule, to: &writer) }
            writer.endArray()
        }
        writer.endObject()
    }
}

extension NodeConfigurationPayload {
    private static func write(_ rule: Rule, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("type", rule.type)
        writer.field("confidence", rule.confidence)
        if let company = rule.company { writer.field("company", Int64(company)) }
        if !rule.companyData.isEmpty {
            writer.field("company_data", HexText.text(rule.companyData))
        }
        if let text = rule.namePrefix { writer.field("name_prefix", text) }
        if let text = rule.nameContains { writer.field("name_contains", text) }
        if let service = rule.service { writer.field("service", service) }
        if let vendor = rule.vendor { writer.field("vendor", Hex.text(UInt64(vendor), count: 6)) }
        if let appearance = rule.appearance { writer.field("appearance", Int64(appearance)) }
        writer.endObject()
    }
}

/// `node/{n}/config/active`, retained: what configuration a node applied, or why it did not.
package struct NodeConfigurationActivePayload: Payload {
    /// The revision answered to; 0 if the node was never given one.
    package var rev: Int64
    /// Whether it is in force.
    package var ok: Bool
    /// When it was applied or refused, in ms since 1970.
    package var appliedMs: Int64
    /// Why it was refused.
    package var error: String?

    package init(
        rev: Int64, ok: Bool, appliedMs: Int64, error: String? = nil
    ) {
        self.rev = rev
        self.ok = ok
        self.appliedMs = appliedMs
        self.error = error
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        rev = try object.required("rev", json).integer(json)
        ok = try object.required("ok", json).flag(json)
        appliedMs = try object.required("applied_ms", json).time(json)
        error = try object.optional("error", json)?.text(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("rev", rev)
        writer.field("ok", ok)
        writer.field("applied_ms", appliedMs)
        if let error { writer.field("error", error) }
        writer.endObject()
    }
}
