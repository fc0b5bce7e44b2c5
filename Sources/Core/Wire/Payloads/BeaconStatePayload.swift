import JSON

/// `beacon/{b}/state`, retained: which nodes hear a beacon, strongest first.
package struct BeaconStatePayload: Payload {
    /// What one node hears.
    package struct Hearing: Equatable, Sendable {
        /// The slug of the node.
        package var node: String
        /// The smoothed level in dBm, −127 ... 20, written in tenths.
        package var rssi: Double
        /// How long before `tMs` the node last heard the beacon, in ms.
        package var ageMs: Int64

        package init(node: String, rssi: Double, ageMs: Int64) {
            self.node = node
            self.rssi = rssi
            self.ageMs = ageMs
        }
    }

    /// When this was so, in ms since 1970.
    package var tMs: Int64
    /// The nodes that hear it, strongest first.
    package var nodes: [Hearing]
    /// How often the decided place of its user changed within the last hour, or `nil` if nobody
    /// does.
    package var changes1h: Int?
    /// How many of these changes went back, within a minute, to the place before.
    package var flaps1h: Int?

    package init(tMs: Int64, nodes: [Hearing], changes1h: Int? = nil, flaps1h: Int? = nil) {
        self.tMs = tMs
        self.nodes = nodes
        self.changes1h = changes1h
        self.flaps1h = flaps1h
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        tMs = try object.required("t_ms", json).time(json)
        nodes = try object.required("nodes", json).list(json) {
            (element, json) throws(PayloadError) in
            let hearing = try element.object(json)
            return Hearing(
                node: try hearing.required("node", json).slug(json),
                rssi: try hearing.required("rssi", json).level(json),
                ageMs: try hearing.required("age_ms", json).integer(json))
        }
        changes1h = try object.optional("changes_1h", json)?.count(json)
        flaps1h = try object.optional("flaps_1h", json)?.count(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("t_ms", tMs)
        writer.key("nodes")
        writer.beginArray()
        for hearing in nodes {
            writer.beginObject()
            writer.field("node", hearing.node)
            writer.field("rssi", tenths: hearing.rssi)
            writer.field("age_ms", hearing.ageMs)
            writer.endObject()
        }
        writer.endArray()
        if let changes1h { writer.field("changes_1h", changes1h) }
        if let flaps1h { writer.field("flaps_1h", flaps1h) }
        writer.endObject()
    }
}

/// `beacon/{b}/info`, retained: what a registered beacon is. Beacons are things, not people.
package struct BeaconInfoPayload: Payload {
    /// That of six cards as long as they may be, and more.
    package static let limit = 80 * 1024

    /// What a beacon can be recognised by.
    package enum Kind: String, Sendable, CaseIterable {
        case iBeacon = "ibeacon"
        case altBeacon = "altbeacon"
        case eddystoneUID = "eddystone-uid"
        case eddystoneEID = "eddystone-eid"
        case address
        case irk
        case name
    }

    /// What it is recognised by.
    package var kind: Kind
    /// What people call it. Hostile text: only ever shown as text.
    package var title: String
    /// The slugs of the groups that it is in, in their order.
    package var groups: [String]
    /// What is shown of it, each in another language.
    package var cards: [CardPayload]

    package init(kind: Kind, title: String, groups: [String] = [], cards: [CardPayload] = []) {
        self.kind = kind
        self.title = title
        self.groups = groups
        self.cards = cards
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        kind = try object.required("kind", json).choice(json, of: Kind.self)
        title = try object.required("title", json).text(json)
        groups = try object.optional("groups", json)?.slugs(json) ?? []
        cards = try CardPayload.list(of: object, in: json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("kind", kind.rawValue)
        writer.field("title", title)
        if !groups.isEmpty { writer.field("groups", groups) }
        CardPayload.write(cards, to: &writer)
        writer.endObject()
    }
}
