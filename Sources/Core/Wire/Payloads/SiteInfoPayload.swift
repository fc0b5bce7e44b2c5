import JSON

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

/// `state`, retained: counts of a whole site.
package struct SiteStatePayload: Payload {
    /// When this was so, in ms since 1970.
    package var tMs: Int64
    /// People attending.
    package var present: Int
    /// Nodes that listen.
    package var nodesOnline: Int
    package var nodesTotal: Int
    /// Open workouts.
    package var workouts: Int
    /// The first second in which anybody ever listened at the site; `nil` before. People heard then
    /// may have come earlier.
    package var listeningSinceMs: Int64?

    package init(
        tMs: Int64, present: Int, nodesOnline: Int, nodesTotal: Int, workouts: Int,
        listeningSinceMs: Int64? = nil
    ) {
        self.tMs = tMs
        self.present = present
        self.nodesOnline = nodesOnline
        self.nodesTotal = nodesTotal
        self.workouts = workouts
        self.listeningSinceMs = listeningSinceMs
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        tMs = try object.required("t_ms", json).time(json)
        present = try object.required("present", json).count(json)
        nodesOnline = try object.required("nodes_online", json).count(json)
        nodesTotal = try object.required("nodes_total", json).count(json)
        workouts = try object.required("workouts", json).count(json)
        listeningSinceMs = try object.optional("listening_since_ms", json)?.time(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("t_ms", tMs)
        writer.field("present", present)
        writer.field("nodes_online", nodesOnline)
        writer.field("nodes_total", nodesTotal)
        writer.field("workouts", workouts)
        if let listeningSinceMs { writer.field("listening_since_ms", listeningSinceMs) }
        writer.endObject()
    }
}
