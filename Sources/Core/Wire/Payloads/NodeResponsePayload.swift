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
