import SiteModel

/// A place in a payload: `{"room": "hall", "station": "bench-1"}`, station null for the rest of the
/// room.
package struct PlaceSlugs: Equatable, Sendable {
    package var room: String
    /// The slug of the station, or `nil` for the rest of the room.
    package var station: String?

    package init(room: String, station: String?) {
        self.room = room
        self.station = station
    }

    /// A place by the names of its site.
    package init(_ place: Place, names: Names) {
        room = names.rooms.slug(place.room)
        station = place.station.map(names.stations.slug)
    }

    /// Takes the slugs out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        room = try object.required("room", json).slug(json)
        station = try object.nullable("station", json)?.slug(json)
    }

    /// The place under a key that must be there and may be null.
    package static func nullable(
        _ key: String, of object: JSONObject, in json: Span<UInt8>
    ) throws(PayloadError) -> PlaceSlugs? {
        guard let value = try object.nullable(key, json) else { return nil }
        return try PlaceSlugs(try value.object(json), in: json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("room", room)
        writer.field("station", station)
        writer.endObject()
    }
}

extension JSONWriter {
    /// Writes a key and a place or null.
    package mutating func field(_ name: String, _ place: PlaceSlugs?) {
        key(name)
        if let place { place.write(to: &self) } else { null() }
    }
}
