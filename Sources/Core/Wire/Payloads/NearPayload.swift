import JSON

/// `user/{u}/near`, retained: which beacons are in range of where somebody is, nearest first. Of others' only those of who lets
/// others see where they are; not their own.
package struct NearPayload: Payload {
    /// How near something is, as phones tell it.
    package enum Zone: String, Sendable, CaseIterable {
        case immediate
        case near
        case far
    }

    /// A beacon in range; what is shown of it is on `beacon/{b}/info`.
    package struct Beacon: Equatable, Sendable {
        package var id: String
        package var zone: Zone

        package init(id: String, zone: Zone) {
            self.id = id
            self.zone = zone
        }
    }

    /// 32 KiB: as many nodes and beacons as may be told, whatever they are called.
    package static let limit = 32 * 1024
    /// The most beacons that are told.
    package static let most = 32

    /// When that began, in ms since 1970.
    package var tMs: Int64
    /// The nodes by which it is told: those of the station, else of the room.
    package var nodes: [String]
    /// Nearest first, `most` at most.
    package var beacons: [Beacon]

    package init(tMs: Int64, nodes: [String], beacons: [Beacon]) {
        self.tMs = tMs
        self.nodes = nodes
        self.beacons = beacons
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        tMs = try object.required("t_ms", json).time(json)
        nodes = try object.required("nodes", json).list(json, atMost: 256) {
            (element, json) throws(PayloadError) in try element.slug(json)
        }
        beacons = try object.required("beacons", json).list(json, atMost: Self.most) {
            (element, json) throws(PayloadError) in
            let beacon = try element.object(json)
            return Beacon(
                id: try beacon.required("beacon", json).slug(json),
                zone: try beacon.required("zone", json).choice(json, of: Zone.self))
        }
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("t_ms", tMs)
        writer.field("nodes", nodes)
        writer.key("beacons")
        writer.beginArray()
        for beacon in beacons {
            writer.beginObject()
            writer.field("beacon", beacon.id)
            writer.field("zone", beacon.zone.rawValue)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }
}
