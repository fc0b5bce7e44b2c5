/// `info`, retained: a site's name and parts.
package struct SiteInfoPayload: Payload {
    /// What people call it. Hostile text: only ever shown as text.
    package var name: String
    /// Its IANA time zone.
    package var tz: String
    /// Whether everything here is simulated.
    package var demo: Bool
    /// The slugs of its rooms.
    package var rooms: [String]
    /// The slugs of its stations.
    package var stations: [String]
    /// The slugs of its nodes.
    package var nodes: [String]

    package init(
        name: String, tz: String, demo: Bool, rooms: [String], stations: [String], nodes: [String]
    ) {
        self.name = name
        self.tz = tz
        self.demo = demo
        self.rooms = rooms
        self.stations = stations
        self.nodes = nodes
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        name = try object.required("name", json).text(json)
        tz = try object.required("tz", json).text(json)
        demo = try object.required("demo", json).flag(json)
        rooms = try object.required("rooms", json).slugs(json)
        stations = try object.required("stations", json).slugs(json)
        nodes = try object.required("nodes", json).slugs(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("name", name)
        writer.field("tz", tz)
        writer.field("demo", demo)
        writer.field("rooms", rooms)
        writer.field("stations", stations)
        writer.field("nodes", nodes)
        writer.endObject()
    }
}
