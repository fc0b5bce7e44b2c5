import MeshCore

/// A session as an answer tells it.
public struct SessionPayload: Equatable, Sendable {
    /// Its row.
    public var id: Int64
    /// The pseudonym of its user.
    public var user: String
    /// When it began, in ms since 1970.
    public var checkInMs: Int64
    /// When it ended, in ms since 1970, or `nil` while it is open.
    public var checkOutMs: Int64?
    /// What its beginning rests on.
    public var inCause: Session.InCause
    /// What its end rests on; `nil` while it is open.
    public var outCause: Session.OutCause?
    /// Why a person should look at it.
    public var review: [Review]
    /// From 1; a correction names the one it was made for.
    public var rev: Int64

    /// A session in the words of the wire.
    public init(_ session: Session, user: String) {
        id = session.id
        self.user = user
        checkInMs = session.from.milliseconds
        checkOutMs = session.to?.milliseconds
        inCause = session.inCause
        outCause = session.outCause
        review = session.review
        rev = session.revision
    }

    /// Takes the values out of a checked text.
    public init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        id = try object.required("id", json).integer(json)
        user = try object.required("user", json).slug(json)
        checkInMs = try object.required("check_in_ms", json).time(json)
        checkOutMs = try object.nullable("check_out_ms", json)?.time(json)
        inCause = try object.required("in_cause", json).choice(json, of: Session.InCause.self)
        outCause = try object.nullable("out_cause", json)?
            .choice(json, of: Session.OutCause.self)
        review = try object.required("review", json).list(json) {
            (value, json) throws(PayloadError) in try value.choice(json, of: Review.self)
        }
        rev = try object.required("rev", json).integer(json, from: 1)
    }

    /// Writes the object.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("user", user)
        writer.field("check_in_ms", checkInMs)
        writer.field("check_out_ms", checkOutMs)
        writer.field("in_cause", inCause.rawValue)
        writer.field("out_cause", outCause?.rawValue)
        writer.field("review", review.map(\.rawValue))
        writer.field("rev", rev)
        writer.endObject()
    }
}
