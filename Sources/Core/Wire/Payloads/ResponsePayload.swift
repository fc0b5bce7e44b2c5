/// `res/{client}/{operation}`: the answer to a request.
package struct ResponsePayload: Payload {
    /// How it went; `ok` on the wire tells the two apart.
    package enum Outcome: Equatable, Sendable {
        /// Done; the workout as it then stood.
        case workout(WorkoutPayload)
        /// Done; the session as it then stood.
        case session(SessionPayload)
        /// Refused: a word for programs, a sentence for people.
        case error(code: String, message: String)
    }

    /// The request's id.
    package var id: String
    /// How it went.
    package var outcome: Outcome

    package init(id: String, outcome: Outcome) {
        self.id = id
        self.outcome = outcome
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        id = try object.required("id", json).token(json)
        if try object.required("ok", json).flag(json) {
            if let session = try object.optional("session", json) {
                outcome = .session(try SessionPayload(try session.object(json), in: json))
            } else {
                let workout = try object.required("workout", json).object(json)
                outcome = .workout(try WorkoutPayload(workout, in: json))
            }
        } else {
            let error = try object.required("error", json).object(json)
            outcome = .error(
                code: try error.required("code", json).text(json),
                message: try error.required("message", json).text(json))
        }
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        switch outcome {
        case .workout(let workout):
            writer.field("ok", true)
            writer.key("workout")
            workout.write(to: &writer)
        case .session(let session):
            writer.field("ok", true)
            writer.key("session")
            session.write(to: &writer)
        case .error(let code, let message):
            writer.field("ok", false)
            writer.key("error")
            writer.beginObject()
            writer.field("code", code)
            writer.field("message", message)
            writer.endObject()
        }
        writer.endObject()
    }
}
