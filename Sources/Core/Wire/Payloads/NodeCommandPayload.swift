import JSON

/// `node/{n}/cmd`: something a node is to do once. Told again with the same id, it is answered alike
/// and not done again.
package struct NodeCommandPayload: Payload {
    /// How long a command may take effect, in seconds.
    package static let durations: ClosedRange<Int64> = 1...3600

    /// The sender's own number for this command: 1 to 64 visible characters of ASCII.
    package var id: String
    /// What is to be done. A slug that need not be a `NodeOperation`: an unknown one is answered so.
    package var op: String
    /// When the sender loses interest, in ms since 1970.
    package var expMs: Int64?
    /// How long it is to last, in seconds; `nil`: as long as the operation usually does.
    package var forS: Int64?

    package init(id: String, op: String, expMs: Int64? = nil, forS: Int64? = nil) {
        self.id = id
        self.op = op
        self.expMs = expMs
        self.forS = forS
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        id = try object.required("id", json).token(json)
        op = try object.required("op", json).slug(json)
        expMs = try object.optional("exp_ms", json)?.time(json)
        forS = try object.optional("for_s", json)?.integer(
            json, from: Self.durations.lowerBound, through: Self.durations.upperBound)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("op", op)
        if let expMs { writer.field("exp_ms", expMs) }
        if let forS { writer.field("for_s", forS) }
        writer.endObject()
    }
}

/// What a node can be told to do with `node/{n}/cmd`.
package enum NodeOperation: String, Sendable, CaseIterable {
    /// Listen again after `stopScan`.
    case startScan = "scan-start"
    /// Stop listening, until told otherwise or started anew. Frames stop too: it is no silence.
    case stopScan = "scan-stop"
    /// Show which of the boxes on the walls it is: blink, and say so in the log.
    case identify
    /// Exit; the supervisor of the process starts it again.
    case restart
    /// Answer with a description.
    case info
    /// Send frames for a while although the profile is `sparse`.
    case burst
}

/// `node/{n}/res`: the answer to a command. Every command is answered, also one nobody understands.
package struct NodeResponsePayload: Payload {
    /// Why a command was not obeyed.
    package struct Failure: Error, Equatable, Sendable {
        /// A word for programs.
        package var code: String
        /// A sentence for people.
        package var message: String

        package init(code: String, message: String) {
            self.code = code
            self.message = message
        }
    }

    /// What a node is and does at the moment.
    package struct Info: Equatable, Sendable {
        /// The version of the program.
        package var version: String
        /// How long the process has run, in seconds.
        package var uptimeS: Int64
        /// The revision of the configuration in force; 0 if it was never given one.
        package var configRev: Int64
        /// Where its advertisements come from.
        package var source: String
        /// The radio's own address, where it is known.
        package var adapter: String?
        /// The log its evidence goes by, if it keeps one.
        package var log: UInt64?

        package init(
            version: String, uptimeS: Int64, configRev: Int64, source: String,
            adapter: String? = nil, log: UInt64? = nil
        ) {
            self.version = version
            self.uptimeS = uptimeS
            self.configRev = configRev
            self.source = source
            self.adapter = adapter
            self.log = log
        }
    }

    /// How it went; `ok` on the wire tells the two apart.
    package enum Outcome: Equatable, Sendable {
        /// Done, or begun; with a description if that was asked for.
        case done(Info?)
        /// Refused.
        case failed(Failure)
    }

    /// The command's id; `nil` if even that could not be read.
    package var id: String?
    /// What was to be done; `nil` if that could not be read.
    package var op: String?
    /// When it was answered, by the node's clock, in ms since 1970.
    package var tMs: Int64
    /// How it went.
    package var outcome: Outcome

    package init(id: String?, op: String?, tMs: Int64, outcome: Outcome) {
        self.id = id
        self.op = op
        self.tMs = tMs
        self.outcome = outcome
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        id = try object.nullable("id", json)?.token(json)
        op = try object.nullable("op", json)?.slug(json)
        tMs = try object.required("t_ms", json).time(json)
        guard try object.required("ok", json).flag(json) else {
            let error = try object.required("error", json).object(json)
            outcome = .failed(
                Failure(
                    code: try error.required("code", json).text(json),
                    message: try error.required("message", json).text(json)))
            return
        }
        guard let value = try object.optional("info", json) else {
            outcome = .done(nil)
            return
        }
        let info = try value.object(json)
        outcome = .done(
            Info(
                version: try info.required("version", json).text(json),
                uptimeS: try info.required("uptime_s", json).integer(json),
                configRev: try info.required("config_rev", json).integer(json),
                source: try info.required("source", json).text(json),
                adapter: try info.optional("adapter", json)?.text(json),
                log: try info.optional("log", json)?.boot(json)))
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("op", op)
        switch outcome {
        case .done(let info):
            writer.field("ok", true)
            writer.field("t_ms", tMs)
            if let info { Self.write(info, to: &writer) }
        case .failed(let failure):
            writer.field("ok", false)
            writer.field("t_ms", tMs)
            writer.key("error")
            writer.beginObject()
            writer.field("code", failure.code)
            writer.field("message", failure.message)
            writer.endObject()
        }
        writer.endObject()
    }

    private static func write(_ info: Info, to writer: inout JSONWriter) {
        writer.key("info")
        writer.beginObject()
        writer.field("version", info.version)
        writer.field("uptime_s", info.uptimeS)
        writer.field("config_rev", info.configRev)
        writer.field("source", info.source)
        if let adapter = info.adapter { writer.field("adapter", adapter) }
        if let log = info.log { writer.field("log", boot: log) }
        writer.endObject()
    }
}

/// `debug/lease/{n}`, retained: a node may tell every advertisement it hears, for a while. Cleared, it
/// ends at once.
package struct DebugLeasePayload: Payload {
    /// The most advertisements a second that may be asked for.
    package static let mostPerSecond: Int64 = 200

    /// The viewer's own number for this lease: 1 to 64 visible characters of ASCII.
    package var id: String
    /// When it ends, in ms since 1970.
    package var untilMs: Int64
    /// The most advertisements a second; what exceeds it is left out and counted.
    package var maxPerS: Int64
    /// Whether what identifies strangers' devices is withheld.
    package var redact: Bool

    package init(id: String, untilMs: Int64, maxPerS: Int64 = 50, redact: Bool = true) {
        self.id = id
        self.untilMs = untilMs
        self.maxPerS = maxPerS
        self.redact = redact
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        id = try object.required("id", json).token(json)
        untilMs = try object.required("until_ms", json).time(json)
        maxPerS =
            try object.optional("max_per_s", json)?
            .integer(json, from: 1, through: Self.mostPerSecond) ?? 50
        redact = try object.optional("redact", json)?.flag(json) ?? true
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("until_ms", untilMs)
        writer.field("max_per_s", maxPerS)
        writer.field("redact", redact)
        writer.endObject()
    }
}
