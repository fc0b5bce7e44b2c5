import JSON
import SiteModel

/// `room/{r}/state`, retained: how many people are in a room.
package struct RoomStatePayload: Payload {
    /// When this was so, in ms since 1970.
    package var tMs: Int64
    /// People there, or `nil` when no node of the room listens.
    package var count: Int?

    package init(
        tMs: Int64, count: Int?
    ) {
        self.tMs = tMs
        self.count = count
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        tMs = try object.required("t_ms", json).time(json)
        count = try object.nullable("count", json)?.count(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("t_ms", tMs)
        writer.field("count", count)
        writer.endObject()
    }
}

/// `room/{r}/info`, retained: a room's name.
package struct RoomInfoPayload: Payload {
    /// What people call it. Hostile text: only ever shown as text.
    package var name: String

    package init(
        name: String
    ) {
        self.name = name
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        name = try object.required("name", json).text(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("name", name)
        writer.endObject()
    }
}

/// `station/{t}/state`, retained: whether a station can be used.
package struct StationStatePayload: Payload {
    /// A slot that is kept for somebody.
    package struct Offer: Equatable, Sendable {
        package var user: String
        /// In ms since 1970.
        package var untilMs: Int64

        package init(user: String, untilMs: Int64) {
            self.user = user
            self.untilMs = untilMs
        }
    }

    /// When this was so, in ms since 1970.
    package var tMs: Int64
    package var state: StationState.State
    /// How many people can use it at once, from 1.
    package var slots: Int
    /// Who has claimed a slot, wherever they are; without a claim who is there.
    package var by: [String]
    /// Whom `user/{u}/presence` has there; `nil` if it is not told.
    package var here: [String]?
    /// Since when state and people are these, in ms since 1970.
    package var sinceMs: Int64
    /// How many wait, those with an offer included.
    package var queue: Int
    /// In the order of joining.
    package var offered: [Offer]
    /// When a slot will be free, in ms since 1970, by how long the latest uses were; `nil`: one is, or nobody can say.
    package var freeEstMs: Int64?

    package init(
        tMs: Int64, state: StationState.State, slots: Int, by: [String], here: [String]?,
        sinceMs: Int64, queue: Int = 0, offered: [Offer] = [], freeEstMs: Int64? = nil
    ) {
        self.queue = queue
        self.offered = offered
        self.freeEstMs = freeEstMs
        self.tMs = tMs
        self.state = state
        self.slots = slots
        self.by = by
        self.here = here
        self.sinceMs = sinceMs
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        tMs = try object.required("t_ms", json).time(json)
        state = try object.required("state", json).choice(json, of: StationState.State.self)
        slots = try object.required("slots", json).count(json, from: 1)
        by = try object.required("by", json).slugs(json)
        here = try object.optional("here", json)?.slugs(json)
        sinceMs = try object.required("since_ms", json).time(json)
        queue = try object.optional("queue", json)?.count(json) ?? 0
        offered =
            try object.optional("offered", json)?.list(json) {
                (element, json) throws(PayloadError) in
                let offer = try element.object(json)
                return Offer(
                    user: try offer.required("user", json).slug(json),
                    untilMs: try offer.required("until_ms", json).time(json))
            } ?? []
        let free = try object.optional("free_est_ms", json)
        freeEstMs = try free?.kind(json) == .null ? nil : free?.time(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("t_ms", tMs)
        writer.field("state", state.rawValue)
        writer.field("slots", slots)
        writer.field("by", by)
        if let here { writer.field("here", here) }
        writer.field("since_ms", sinceMs)
        writer.field("queue", Int64(queue))
        writer.key("offered")
        writer.beginArray()
        for offer in offered {
            writer.beginObject()
            writer.field("user", offer.user)
            writer.field("until_ms", offer.untilMs)
            writer.endObject()
        }
        writer.endArray()
        writer.field("free_est_ms", freeEstMs)
        writer.endObject()
    }
}

/// `station/{t}/info`, retained: a station's name and place.
package struct StationInfoPayload: Payload {
    /// That of six cards as long as they may be, of 64 exercises, and more.
    package static let limit = 80 * 1024

    /// What people call it. Hostile text: only ever shown as text.
    package var name: String
    /// The slug of its room.
    package var room: String
    /// How many people can use it at once, from 1.
    package var slots: Int
    /// What it is, one word; `nil` if that is not said.
    package var kind: String?
    /// What is there, and where it is found. Hostile text.
    package var equipment: String?
    package var location: String?
    /// The slugs of what is trained there, in order; empty if that is not said.
    package var exercises: [String]
    /// What is shown of it, each in another language.
    package var cards: [CardPayload]

    package init(
        name: String, room: String, slots: Int, kind: String? = nil, equipment: String? = nil,
        location: String? = nil, exercises: [String] = [], cards: [CardPayload] = []
    ) {
        self.cards = cards
        self.name = name
        self.room = room
        self.slots = slots
        self.kind = kind
        self.equipment = equipment
        self.location = location
        self.exercises = exercises
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        name = try object.required("name", json).text(json)
        room = try object.required("room", json).slug(json)
        slots = try object.required("slots", json).count(json, from: 1)
        kind = try object.optional("kind", json)?.slug(json)
        equipment = try object.optional("equipment", json)?.text(json)
        location = try object.optional("location", json)?.text(json)
        exercises = try object.optional("exercises", json)?.slugs(json) ?? []
        cards = try CardPayload.list(of: object, in: json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("name", name)
        writer.field("room", room)
        writer.field("slots", slots)
        if let kind { writer.field("kind", kind) }
        if let equipment { writer.field("equipment", equipment) }
        if let location { writer.field("location", location) }
        if !exercises.isEmpty { writer.field("exercises", exercises) }
        CardPayload.write(cards, to: &writer)
        writer.endObject()
    }
}

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
