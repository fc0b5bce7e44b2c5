import Basics

/// What travels under one kind of topic: a JSON object with a schema in `schemas/`.
///
/// The decoder gives the schema's verdict. Unknown keys are ignored.
package protocol Payload: Equatable, Sendable {
    /// The most bytes it may have.
    static var limit: Int { get }

    /// Takes the values out of an object of a text that was checked.
    init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError)

    /// Writes the object.
    func write(to writer: inout JSONWriter)
}

extension Payload {
    /// 8 KiB, where a kind says nothing else.
    package static var limit: Int { 8 * 1024 }

    /// Reads a payload as it came. Throws what is wrong with it first.
    package init(json: Span<UInt8>) throws(PayloadError) {
        try self.init(JSONObject(document: json, limit: Self.limit), in: json)
    }

    /// The payload as it goes out: compact, keys in a fixed order.
    package var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

/// Every kind of payload by the name of its schema, `schemas/{name}.v1.json`.
package enum PayloadKind: String, CaseIterable, Sendable {
    case nodeStatus = "node-status"
    case nodeInfo = "node-info"
    case nodeHealth = "node-health"
    case nodeBeat = "node-beat"
    case rssi
    case frame
    case nodeConfiguration = "node-config"
    case nodeConfigurationActive = "node-config-active"
    case nodeCommand = "node-cmd"
    case nodeResponse = "node-res"
    case debugLease = "debug-lease"
    case raw
    case evidence
    case nodeEvent = "node-event"
    case cursor = "node-cursor"
    case siteInfo = "site-info"
    case siteState = "site-state"
    case roomInfo = "room-info"
    case roomState = "room-state"
    case stationInfo = "station-info"
    case stationState = "station-state"
    case beaconInfo = "beacon-info"
    case beaconState = "beacon-state"
    case presence = "user-presence"
    case attendance = "user-attendance"
    case workout = "user-workout"
    case why = "user-why"
    case shadow = "site-shadow"
    case event
    case notification
    case request
    case response
    case coreStatus = "core-status"
    case coreInfo = "core-info"
    case coreHealth = "core-health"

    /// The decoder of the kind.
    package var type: any Payload.Type {
        switch self {
        case .nodeStatus: NodeStatusPayload.self
        case .nodeInfo: NodeInfoPayload.self
        case .nodeHealth: NodeHealthPayload.self
        case .nodeBeat: NodeBeatPayload.self
        case .rssi: RSSIPayload.self
        case .frame: FramePayload.self
        case .nodeConfiguration: NodeConfigurationPayload.self
        case .nodeConfigurationActive: NodeConfigurationActivePayload.self
        case .nodeCommand: NodeCommandPayload.self
        case .nodeResponse: NodeResponsePayload.self
        case .debugLease: DebugLeasePayload.self
        case .raw: RawPayload.self
        case .evidence: EvidencePayload.self
        case .nodeEvent: NodeEventPayload.self
        case .cursor: CursorPayload.self
        case .siteInfo: SiteInfoPayload.self
        case .siteState: SiteStatePayload.self
        case .roomInfo: RoomInfoPayload.self
        case .roomState: RoomStatePayload.self
        case .stationInfo: StationInfoPayload.self
        case .stationState: StationStatePayload.self
        case .beaconInfo: BeaconInfoPayload.self
        case .beaconState: BeaconStatePayload.self
        case .presence: PresencePayload.self
        case .attendance: AttendancePayload.self
        case .workout: WorkoutPayload.self
        case .why: WhyPayload.self
        case .shadow: ShadowPayload.self
        case .event: EventPayload.self
        case .notification: NotificationPayload.self
        case .request: RequestPayload.self
        case .response: ResponsePayload.self
        case .coreStatus: CoreStatusPayload.self
        case .coreInfo: CoreInfoPayload.self
        case .coreHealth: CoreHealthPayload.self
        }
    }

    /// Throws why `json` is no payload of this kind; the schema says the same.
    package func check(_ json: Span<UInt8>) throws(PayloadError) {
        _ = try type.init(json: json)
    }
}

/// Why a payload was refused. Whatever comes over MQTT is untrusted, so these are counted by
/// `reason`, never fatal.
package enum PayloadError: Error, Hashable, Sendable {
    /// More bytes than the kind of payload may have.
    case oversize(limit: Int)
    /// No JSON text in UTF-8; `offset` is the byte where that became clear.
    case notJSON(offset: Int)
    /// Arrays and objects nested deeper than `JSONReader.deepest`.
    case tooDeep(offset: Int)
    /// A number at `offset` that no double can hold, or longer than `JSONReader.longestNumber`.
    case unreadableNumber(offset: Int)
    /// A required key is not there.
    case missing(field: String)
    /// A value of another type than its key demands; an empty field means the whole payload.
    case wrongType(field: String)
    /// A number too small or large, a text or list too short or long.
    case outOfRange(field: String)
    /// A text that is none of those its key allows, or not of the required form.
    case unknownValue(field: String)
    /// A member that its object does not have, as the sender spelt it; only where a misspelt one would
    /// be passed over.
    case unknownMember(field: String)
    /// A member that comes twice; only where it matters which of them is meant.
    case repeatedMember(field: String)

    /// A short name of the case, as used for counting.
    package var reason: String {
        switch self {
        case .oversize: "oversize"
        case .notJSON: "not-json"
        case .tooDeep: "too-deep"
        case .unreadableNumber: "unreadable-number"
        case .missing: "missing-field"
        case .wrongType: "wrong-type"
        case .outOfRange: "out-of-range"
        case .unknownValue: "unknown-value"
        case .unknownMember: "unknown-member"
        case .repeatedMember: "repeated-member"
        }
    }

    /// The fault for people, with the key it is about.
    package var words: String {
        switch self {
        case .oversize(let limit): "more than \(limit) bytes"
        case .notJSON(let offset): "no JSON at byte \(offset)"
        case .tooDeep(let offset): "nested too deep at byte \(offset)"
        case .unreadableNumber(let offset): "an unreadable number at byte \(offset)"
        case .missing(let field): "\(field) is missing"
        case .wrongType(let field): "\(field.isEmpty ? "it" : field) is of the wrong type"
        case .outOfRange(let field): "\(field) is out of range"
        case .unknownValue(let field): "\(field) has an unknown value"
        case .unknownMember(let field): "\(Self.shown(field)) is no member of it"
        case .repeatedMember(let field): "\(Self.shown(field)) comes twice"
        }
    }

    /// A key of somebody else's, short and harmless.
    private static func shown(_ key: String) -> String {
        let start = String(String.UnicodeScalarView(key.unicodeScalars.prefix(longestShown)))
        return start.quoted + (start.unicodeScalars.count < key.unicodeScalars.count ? "…" : "")
    }

    /// The most characters of a key of somebody else's that are repeated.
    private static let longestShown = 32
}
