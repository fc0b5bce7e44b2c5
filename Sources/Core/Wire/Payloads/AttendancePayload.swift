import JSON
import SiteModel

/// `user/{u}/attendance`, retained: whether a user attends, and the newest session.
package struct AttendancePayload: Payload {
    /// Attending or not.
    package enum State: String, Sendable, CaseIterable {
        case checkedIn = "in"
        case checkedOut = "out"
    }

    /// When this was so, in ms since 1970.
    package var tMs: Int64
    /// Attending or not.
    package var state: State
    /// The row of the newest session, or `nil` if there was none.
    package var session: Int64?
    /// When it began, in ms since 1970.
    package var checkInMs: Int64?
    /// When it ended, in ms since 1970, or `nil` while it is open.
    package var checkOutMs: Int64?
    /// Why a person should look at it; empty if there is nothing to look at.
    package var review: [Review]

    package init(
        tMs: Int64, state: State, session: Int64?, checkInMs: Int64?, checkOutMs: Int64?,
        review: [Review] = []
    ) {
        self.review = review
        self.tMs = tMs
        self.state = state
        self.session = session
        self.checkInMs = checkInMs
        self.checkOutMs = checkOutMs
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        tMs = try object.required("t_ms", json).time(json)
        state = try object.required("state", json).choice(json, of: State.self)
        session = try object.nullable("session", json)?.integer(json)
        checkInMs = try object.nullable("check_in_ms", json)?.time(json)
        checkOutMs = try object.nullable("check_out_ms", json)?.time(json)
        review =
            try object.optional("review", json)?.list(json) {
                (value, json) throws(PayloadError) in try value.choice(json, of: Review.self)
            } ?? []
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("t_ms", tMs)
        writer.field("state", state.rawValue)
        writer.field("session", session)
        writer.field("check_in_ms", checkInMs)
        writer.field("check_out_ms", checkOutMs)
        writer.field("review", review.map(\.rawValue))
        writer.endObject()
    }
}

/// A session as an answer tells it.
package struct SessionPayload: Equatable, Sendable {
    /// Its row.
    package var id: Int64
    /// The pseudonym of its user.
    package var user: String
    /// When it began, in ms since 1970.
    package var checkInMs: Int64
    /// When it ended, in ms since 1970, or `nil` while it is open.
    package var checkOutMs: Int64?
    /// What its beginning rests on.
    package var inCause: Session.InCause
    /// What its end rests on; `nil` while it is open.
    package var outCause: Session.OutCause?
    /// Why a person should look at it.
    package var review: [Review]
    /// From 1; a correction names the one it was made for.
    package var rev: Int64

    /// A session in the words of the wire.
    package init(_ session: Session, user: String) {
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
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
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
    package func write(to writer: inout JSONWriter) {
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

extension SessionPayload {
    /// The session as one line of JSON.
    package var text: String {
        var writer = JSONWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
