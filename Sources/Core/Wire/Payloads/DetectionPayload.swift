import JSON
import SiteModel

/// `ingest/detection/{client}`: what an external detector found. Some members have a second name, as the programs of detectors
/// call them: `deviceType`, `macAddress`, `speed`, `heading`, `timestamp`.
package struct DetectionPayload: Payload {
    /// When it was heard.
    package enum Moment: Equatable, Sendable {
        /// In ms since 1970.
        case span(firstMs: Int64, lastMs: Int64)
        /// ISO 8601 with a zone, as it was sent.
        case text(String)
    }

    /// The longest texts, in Unicode scalars.
    package static let (longestSaid, longestName, longestNetwork) = (64, 248, 32)
    private static let longestMoment = 40

    /// By which its sender knows it, and the answer.
    package var id: String
    /// The slug of a device type.
    package var type: String?
    /// This and the other texts are hostile: only ever shown as text.
    package var said: String?
    /// 12 hexadecimal digits, or `x-` and 16 of an address that was forgotten.
    package var address: String?
    package var name: String?
    package var ssid: String?
    /// In dBm.
    package var rssi: Double?
    /// 0 ... 1.
    package var confidence: Double?
    /// In degrees (WGS 84).
    package var latitude: Double?
    package var longitude: Double?
    package var speedMS: Double?
    package var headingDeg: Double?
    package var activity: String?
    package var moment: Moment
    package var hits: Int64

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        func value(_ names: String...) throws(PayloadError) -> JSONValue? {
            for name in names { if let value = try object.given(name, json) { return value } }
            return nil
        }
        let called = try object.required("id", json)
        id =
            try called.kind(json) == .number
            ? "\(try called.integer(json))" : try called.token(json)
        type = try value("type")?.slug(json)
        said = try value("said", "deviceType")?.text(json, limit: Self.longestSaid)
        address = try value("address", "macAddress").map { (value) throws(PayloadError) in
            try Self.address(value, json)
        }
        name = try value("name")?.text(json, limit: Self.longestName)
        ssid = try value("ssid")?.text(json, limit: Self.longestNetwork)
        rssi = try value("rssi")?.number(json, in: JSONValue.levels)
        confidence = try value("confidence")?.number(json, in: 0...1)
        latitude = try value("latitude")?.number(json, in: GeoLimits.latitudes)
        longitude = try value("longitude")?.number(json, in: GeoLimits.longitudes)
        speedMS = try value("speed_m_s", "speed")?.number(json, in: GeoLimits.speeds)
        headingDeg = try value("heading_deg", "heading")?.number(json, in: GeoLimits.headings)
        activity = try value("activity")?.text(json, limit: PositionPayload.longestActivity)
        hits = try value("hits")?.integer(json, from: 1, through: SightingsPayload.mostHits) ?? 1
        if let text = try object.optional("timestamp", json) {
            moment = .text(try text.text(json, limit: Self.longestMoment))
        } else if let first = try object.optional("first_ms", json) {
            moment = .span(
                firstMs: try first.time(json),
                lastMs: try object.required("last_ms", json).time(json))
        } else {
            let at = try object.required("t_ms", json).time(json)
            moment = .span(firstMs: at, lastMs: at)
        }
    }

    /// `C0:FF:EE:00:00:01`, with `-` or nothing in the place of `:`.
    private static func address(
        _ value: JSONValue, _ json: Span<UInt8>
    ) throws(PayloadError) -> String {
        let text = try value.text(json)
        if text.wholeMatch(of: /([0-9A-Fa-f]{2}[:\-]?){5}[0-9A-Fa-f]{2}/) != nil {
            return text.lowercased().filter { $0 != ":" && $0 != "-" }
        }
        guard text.wholeMatch(of: /x-[0-9a-f]{16}/) != nil else {
            throw .unknownValue(field: value.name)
        }
        return text
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        if let type { writer.field("type", type) }
        if let said { writer.field("said", said) }
        if let address { writer.field("address", address) }
        if let name { writer.field("name", name) }
        if let ssid { writer.field("ssid", ssid) }
        if let rssi { writer.field("rssi", rssi) }
        if let confidence { writer.field("confidence", confidence) }
        if let latitude { writer.field("latitude", latitude) }
        if let longitude { writer.field("longitude", longitude) }
        if let speedMS { writer.field("speed_m_s", speedMS) }
        if let headingDeg { writer.field("heading_deg", headingDeg) }
        if let activity { writer.field("activity", activity) }
        switch moment {
        case .span(let first, let last):
            writer.field("first_ms", first)
            writer.field("last_ms", last)
        case .text(let text): writer.field("timestamp", text)
        }
        writer.field("hits", hits)
        writer.endObject()
    }
}
