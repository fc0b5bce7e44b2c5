import JSON
import SiteModel

/// `ingest/position/{u}`: where somebody's phone is, in our shape, or as OwnTracks tells it (`"_type": "location"`).
package struct PositionPayload: Payload {
    /// The longest activity, in Unicode scalars.
    package static let longestActivity = 32
    /// What OwnTracks is called as a source.
    package static let ownTracks = "owntracks"
    /// Its speeds are in kilometres an hour.
    private static let kilometresAnHour = 3.6

    package var head: IngestHead
    /// In ms since 1970.
    package var atMs: Int64
    /// In degrees (WGS 84).
    package var latitude: Double
    package var longitude: Double
    /// The radius in which it lies.
    package var accuracyM: Double?
    package var speedMS: Double?
    /// Clockwise from north.
    package var headingDeg: Double?
    /// Hostile text: only ever shown as text.
    package var activity: String?

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        if let type = try object.optional("_type", json) {
            guard try type.text(json) == "location" else { throw .unknownValue(field: "_type") }
            try self.init(ownTracks: object, in: json)
        } else {
            try self.init(ours: object, in: json)
        }
    }

    private init(ours object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        head = try IngestHead(object, in: json)
        atMs = try object.required("at_ms", json).time(json)
        latitude = try object.required("latitude", json).number(json, in: GeoLimits.latitudes)
        longitude = try object.required("longitude", json).number(json, in: GeoLimits.longitudes)
        accuracyM = try object.given("accuracy_m", json)?.number(json, in: GeoLimits.accuracies)
        speedMS = try object.given("speed_m_s", json)?.number(json, in: GeoLimits.speeds)
        headingDeg = try object.given("heading_deg", json)?.number(json, in: GeoLimits.headings)
        activity = try object.given("activity", json)?.text(json, limit: Self.longestActivity)
    }

    /// As OwnTracks documents it: `tst` in seconds, `acc` in metres, `vel` in kilometres an hour (-1: unknown), `cog` in degrees,
    /// `tid` two characters of the device. It knows a position by nothing but its time.
    private init(
        ownTracks object: JSONObject, in json: Span<UInt8>
    ) throws(PayloadError) {
        let seconds = try object.required("tst", json).integer(
            json, through: JSONValue.latestTime / 1000)
        let device = try object.given("tid", json)?.token(json)
        let source = ([Self.ownTracks] + [device].compactMap(\.self)).joined(separator: " ")
        head = IngestHead(id: "\(seconds)", source: String(source.prefix(IngestHead.longestSource)))
        atMs = seconds * 1000
        latitude = try object.required("lat", json).number(json, in: GeoLimits.latitudes)
        longitude = try object.required("lon", json).number(json, in: GeoLimits.longitudes)
        accuracyM = try object.given("acc", json)?.number(json, in: GeoLimits.accuracies)
        let speed = try object.given("vel", json)?.number(
            json, in: -1...GeoLimits.speeds.upperBound * Self.kilometresAnHour)
        speedMS = speed.flatMap { $0 < 0 ? nil : $0 / Self.kilometresAnHour }
        headingDeg = try object.given("cog", json)?.number(json, in: GeoLimits.headings)
    }

    /// Writes the object, in our shape.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        head.write(to: &writer)
        writer.field("at_ms", atMs)
        writer.field("latitude", latitude)
        writer.field("longitude", longitude)
        if let accuracyM { writer.field("accuracy_m", accuracyM) }
        if let speedMS { writer.field("speed_m_s", speedMS) }
        if let headingDeg { writer.field("heading_deg", headingDeg) }
        if let activity { writer.field("activity", activity) }
        writer.endObject()
    }
}
