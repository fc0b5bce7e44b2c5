import SiteModel

/// `event/{area}/{id}`: a transition, told once after it is stored.
package struct EventPayload: Payload {
    /// The event's own name, at most 100 characters; told twice, it is the same.
    package var id: String
    package var type: Event.Kind
    /// When it happened, in ms since 1970, which is not when it was noticed.
    package var tMs: Int64
    /// To whom.
    package var user: String
    /// The room, if it is about one.
    package var room: String?
    /// The station, if it is about one.
    package var station: String?
    /// The row of the session, stay or workout it is about.
    package var subject: Int64

    package init(
        id: String, type: Event.Kind, tMs: Int64, user: String, room: String?, station: String?,
        subject: Int64
    ) {
        self.id = id
        self.type = type
        self.tMs = tMs
        self.user = user
        self.room = room
        self.station = station
        self.subject = subject
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        id = try object.required("id", json).text(json, limit: 100)
        type = try object.required("type", json).choice(json, of: Event.Kind.self)
        tMs = try object.required("t_ms", json).time(json)
        user = try object.required("user", json).slug(json)
        room = try object.nullable("room", json)?.slug(json)
        station = try object.nullable("station", json)?.slug(json)
        subject = try object.required("subject", json).integer(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("type", type.rawValue)
        writer.field("t_ms", tMs)
        writer.field("user", user)
        writer.field("room", room)
        writer.field("station", station)
        writer.field("subject", subject)
        writer.endObject()
    }
}
