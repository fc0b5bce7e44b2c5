import JSON

/// `req/{client}/{operation}`: what a client asks for. Asked again with the same id, it is
/// answered alike.
package struct RequestPayload: Payload {
    /// What the verbs about people at places take, to be written.
    package struct Arguments: Equatable, Sendable {
        /// The slug of a user.
        package var user: String?
        /// The slug of a station.
        package var station: String?
        /// The moment it is about, in ms since 1970; where it is missing, now.
        package var atMs: Int64?
        /// Why, in a person's words.
        package var reason: String?

        /// Whom and what it is about.
        package init(
            user: String? = nil, station: String? = nil, atMs: Int64? = nil, reason: String? = nil
        ) {
            self.user = user
            self.station = station
            self.atMs = atMs
            self.reason = reason
        }

        /// The JSON object.
        package var json: [UInt8] {
            var writer = JSONWriter()
            writer.beginObject()
            if let user { writer.field("user", user) }
            if let station { writer.field("station", station) }
            if let atMs { writer.field("at_ms", atMs) }
            if let reason { writer.field("reason", reason) }
            writer.endObject()
            return writer.bytes
        }
    }

    /// The client's own number for this request: 1 to 64 visible characters of ASCII.
    package var id: String
    /// A JSON object: what the operation takes. It is read by who knows the operation.
    package var args: [UInt8]
    /// When the client loses interest, in ms since 1970.
    package var expMs: Int64?

    package init(id: String, json: [UInt8], expMs: Int64? = nil) {
        self.id = id
        args = json
        self.expMs = expMs
    }

    package init(id: String, args: Arguments, expMs: Int64? = nil) {
        self.init(id: id, json: args.json, expMs: expMs)
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        _ = try object.members(json)
        id = try object.required("id", json).token(json)
        let arguments = try object.required("args", json)
        _ = try arguments.object(json).members(json)
        args = try arguments.bytes(json)
        expMs = try object.optional("exp_ms", json)?.time(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.key("args")
        writer.raw(args)
        if let expMs { writer.field("exp_ms", expMs) }
        writer.endObject()
    }
}

/// `res/{client}/{operation}`: the answer to a request.
package struct ResponsePayload: Payload {
    /// How it went; `ok` on the wire tells the two apart.
    package enum Outcome: Equatable, Sendable {
        /// Done; the workout as it then stood.
        case workout(WorkoutPayload)
        /// Done; the session as it then stood.
        case session(SessionPayload)
        /// Done; the set as it then stood.
        case set(SetPayload)
        /// Done; the station as it is from now on.
        case station(StationStatePayload)
        /// Done; the JSON object that HTTP answers with.
        case result([UInt8])
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

    /// What whoever sent `json` is told, where that is no request, or is not looked at: `code`, and `words`
    /// for people. `nil` if it has no id that could be answered, or is longer than any request.
    package init?(refusing json: Span<UInt8>, code: String = "schema", because words: String) {
        guard let object = try? JSONObject(document: json, limit: RequestPayload.limit),
            let id = try? object.required("id", json).token(json)
        else { return nil }
        self.init(id: id, outcome: .error(code: code, message: words))
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        id = try object.required("id", json).token(json)
        if try object.required("ok", json).flag(json) {
            if let session = try object.optional("session", json) {
                outcome = .session(try SessionPayload(try session.object(json), in: json))
            } else if try object.optional("set", json) != nil {
                outcome = .set(try SetPayload(object, in: json))
            } else if let station = try object.optional("station", json) {
                outcome = .station(try StationStatePayload(try station.object(json), in: json))
            } else if let result = try object.optional("result", json) {
                _ = try result.object(json)
                outcome = .result(try result.bytes(json))
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
        case .set(let set):
            writer.field("ok", true)
            set.writeAnswer(to: &writer)
        case .station(let station):
            writer.field("ok", true)
            writer.key("station")
            station.write(to: &writer)
        case .result(let json):
            writer.field("ok", true)
            writer.key("result")
            writer.raw(json)
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
