import Basics
import Detections
import JSON
import SiteModel
import Wire

/// A detection in a body, with or without what it means: one that cannot be read is refused by itself.
struct DetectionBody: Sendable {
    /// Its members; `id`, and `t_ms` or `first_ms` and `last_ms`, are needed.
    static let names = [
        "id", "type", "said", "address", "name", "ssid", "rssi", "confidence", "latitude",
        "longitude", "speed_m_s", "heading_deg", "activity", "t_ms", "first_ms", "last_ms",
        "hits",
    ]
    /// The same as other programs call them.
    static let others = ["deviceType", "macAddress", "speed", "heading", "timestamp"]
    /// What an export has beside them, which is found out anew, but how old its position was.
    private static let ignored = ["source", "node", "room", "position_age_ms"]

    let id: String
    let detection: Detection?
    /// What is wrong with it, in words.
    let fault: String?

    init(
        _ one: JSONObject, _ json: Span<UInt8>, of source: String, by carrier: String?,
        at now: Timestamp
    ) throws(PayloadError) {
        let called = try one.required("id", json)
        id =
            try called.kind(json) == .number
            ? "\(try called.integer(json))" : try called.words(json, limit: 64)
        do throws(PayloadError) {
            let known = Self.names + Self.others + Self.ignored
            for member in try one.members(json) where !known.contains(member.name) {
                throw .unknownMember(field: member.name)
            }
            var read = try Detection(
                DetectionPayload(one, in: json), of: source, by: carrier, at: now)
            let age = try one.given("position_age_ms", json)?.integer(json)
            read.positionAge = read.latitude == nil ? nil : age
            detection = read
            fault = nil
        } catch {
            detection = nil
            fault = error.words
        }
    }
}

extension Detection {
    /// Who is this far ahead of our clock has a wrong one, in ms.
    private static let ahead: Int64 = 5 * 60_000
    /// Older than this it would be deleted at once.
    private static let oldest: Int64 = 30 * 86_400_000

    /// What an external detector sent, however it came; `carrier` is the person whose token or client it is.
    ///
    /// - Throws: What is wrong with it beyond its schema.
    init(
        _ payload: DetectionPayload, of source: String, by carrier: String?, at now: Timestamp
    ) throws(PayloadError) {
        // Our own nodes' are told by nobody else.
        guard source != Detection.mesh else { throw .unknownValue(field: "source") }
        self.init()
        self.carrier = carrier
        self.source = source
        sourceID = payload.id
        type = payload.type
        said = try Self.words(payload.said, "said")
        address = payload.address
        name = try Self.words(payload.name, "name")
        ssid = try Self.words(payload.ssid, "ssid")
        (rssi, confidence) = (payload.rssi, payload.confidence)
        (latitude, longitude) = (payload.latitude, payload.longitude)
        guard (latitude == nil) == (longitude == nil) else {
            throw .missing(field: latitude == nil ? "latitude" : "longitude")
        }
        (speed, heading) = (payload.speedMS, payload.headingDeg)
        activity = try Self.words(payload.activity, "activity")
        hits = payload.hits
        switch payload.moment {
        case .span(let from, let to):
            guard from <= to else { throw .outOfRange(field: "last_ms") }
            (first, last) = (Timestamp(milliseconds: from), Timestamp(milliseconds: to))
        case .text(let text):
            guard let moment = Timestamp(zoned: text) else {
                throw .unknownValue(field: "timestamp")
            }
            (first, last) = (moment, moment)
        }
        guard last.milliseconds <= now.milliseconds + Self.ahead,
            last.milliseconds >= now.milliseconds - Self.oldest
        else { throw .outOfRange(field: "t_ms") }
    }

    private static func words(_ text: String?, _ field: String) throws(PayloadError) -> String? {
        guard let text else { return nil }
        guard !text.isEmpty else { throw .outOfRange(field: field) }
        guard HarmlessText.fault(inWords: text) == nil else { throw .unknownValue(field: field) }
        return text
    }
}
