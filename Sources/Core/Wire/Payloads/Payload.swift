import Basics
import JSON

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
    case sightings = "node-sightings"
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
    case wait = "user-wait"
    case why = "user-why"
    case day = "user-day"
    case near = "user-near"
    case shadow = "site-shadow"
    case event
    case notification
    case ingestSteps = "ingest-steps"
    case ingestActivity = "ingest-activity"
    case ingestHeartRate = "ingest-hr"
    case ingestPosition = "ingest-position"
    case ingestDetection = "ingest-detection"
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
        case .sightings: SightingsPayload.self
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
        case .wait: WaitPayload.self
        case .why: WhyPayload.self
        case .day: DayPayload.self
        case .near: NearPayload.self
        case .shadow: ShadowPayload.self
        case .event: EventPayload.self
        case .notification: NotificationPayload.self
        case .ingestSteps: StepsPayload.self
        case .ingestActivity: ActivityPayload.self
        case .ingestHeartRate: HeartRatePayload.self
        case .ingestPosition: PositionPayload.self
        case .ingestDetection: DetectionPayload.self
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
