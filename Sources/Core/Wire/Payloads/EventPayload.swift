import JSON
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

/// `notify/{u}`, not retained, and the body of a webhook: something a person may want to know.
///
/// Sent at least once: a receiver may ignore an `id` it has seen before.
package struct NotificationPayload: Payload {
    package typealias Kind = NotificationRow.Kind

    /// How much it matters.
    package enum Level: String, Sendable, CaseIterable {
        case info
        /// Somebody should do something about it.
        case warning
    }

    /// Its own name, at most 100 characters; told twice, it is the same.
    package var id: String
    /// The slug of the site.
    package var site: String
    package var kind: Kind
    /// The pseudonym of the user it is about, or `nil` if it is about nobody.
    package var user: String?
    /// A few words, at most 200 characters. No names.
    package var title: String
    /// A sentence, at most 1,000 characters, with times of the site's zone. No names.
    package var body: String
    /// When what it tells of happened, in ms since 1970.
    package var tMs: Int64
    /// When it was noticed, in ms since 1970.
    package var madeMs: Int64
    /// Whether it was noticed too late to be news.
    package var late: Bool
    /// The row or slug of what it is about, at most 100 characters: a session, a shift, a beacon.
    package var subject: String

    package init(
        id: String, site: String, kind: Kind, user: String?, title: String, body: String,
        tMs: Int64, madeMs: Int64, late: Bool, subject: String
    ) {
        self.id = id
        self.site = site
        self.kind = kind
        self.user = user
        self.title = title
        self.body = body
        self.tMs = tMs
        self.madeMs = madeMs
        self.late = late
        self.subject = subject
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        id = try object.required("id", json).text(json, limit: 100)
        site = try object.required("site", json).slug(json)
        kind = try object.required("kind", json).choice(json, of: Kind.self)
        // It follows from the kind; a reader need not know how.
        _ = try object.required("level", json).choice(json, of: Level.self)
        user = try object.nullable("user", json)?.slug(json)
        title = try object.required("title", json).text(json, limit: 200)
        body = try object.required("body", json).text(json, limit: 1000)
        tMs = try object.required("t_ms", json).time(json)
        madeMs = try object.required("made_ms", json).time(json)
        late = try object.required("late", json).flag(json)
        subject = try object.required("subject", json).text(json, limit: 100)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("site", site)
        writer.field("kind", kind.rawValue)
        writer.field("level", kind.level.rawValue)
        writer.field("user", user)
        writer.field("title", title)
        writer.field("body", body)
        writer.field("t_ms", tMs)
        writer.field("made_ms", madeMs)
        writer.field("late", late)
        writer.field("subject", subject)
        writer.endObject()
    }
}

extension NotificationRow.Kind {
    /// How much it matters.
    package var level: NotificationPayload.Level {
        switch self {
        case .arrival, .departure, .record, .queueOffer, .goal, .reminder, .shareRequest,
            .tagSeen, .tagGone, .deviceSeen, .test:
            .info
        case .noCheckIn, .forgottenTag, .batteryLow, .deviceBeside: .warning
        }
    }
}
