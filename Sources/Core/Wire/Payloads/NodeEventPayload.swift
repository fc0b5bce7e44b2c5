import JSON

/// `node/{n}/event`: something happened at a node. Durable, from the same outbox and in the same
/// numbering as its evidence.
package struct NodeEventPayload: Payload {
    /// What can happen.
    package enum Kind: String, Sendable, CaseIterable {
        /// The process began.
        case started
        /// The radio listens no longer.
        case adapterLost = "adapter-lost"
        /// The radio listens again.
        case adapterBack = "adapter-back"
        /// The wall clock was set; `value` is by how many seconds it is now ahead of ours.
        case clockStepped = "clock-stepped"
        /// The outbox was full: `value` records nobody acknowledged were overwritten.
        case outboxDropped = "outbox-dropped"
        /// A part of the outbox could not be read, and was put aside.
        case outboxDamaged = "outbox-damaged"
        /// A beacon's battery is low; `value` is in what `detail` says, `percent` or `volts`.
        case batteryLow = "battery-low"
        /// A beacon is of another make than it was; `detail` says what has changed.
        case fingerprintChanged = "fingerprint-changed"
    }

    /// The most characters of `detail`.
    package static let longestDetail = 256

    /// Which outbox it comes from.
    package var log: UInt64
    /// Counts the records of a log, from 1, over all restarts.
    package var seq: Int64
    /// Every record of this log numbered between `after` and `seq` does not exist, or no longer.
    package var after: Int64
    /// The node's process.
    package var boot: UInt64
    /// When it happened by the node's clock, in ms since 1970.
    package var tMs: Int64
    package var kind: Kind
    /// More, for people, at most `longestDetail` characters.
    package var detail: String?
    /// The beacon concerned.
    package var beacon: String?
    /// A figure whose meaning depends on the kind.
    package var value: Double?

    package init(
        log: UInt64, seq: Int64, after: Int64, boot: UInt64, tMs: Int64, kind: Kind,
        detail: String? = nil, beacon: String? = nil, value: Double? = nil
    ) {
        self.log = log
        self.seq = seq
        self.after = after
        self.boot = boot
        self.tMs = tMs
        self.kind = kind
        self.detail = detail
        self.beacon = beacon
        self.value = value
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        log = try object.required("log", json).boot(json)
        seq = try object.required("seq", json).integer(json, from: 1)
        after = try object.required("after", json).integer(json)
        boot = try object.required("boot", json).boot(json)
        tMs = try object.required("t_ms", json).time(json)
        kind = try object.required("kind", json).choice(json, of: Kind.self)
        detail = try object.optional("detail", json)?.text(json, limit: Self.longestDetail)
        beacon = try object.optional("beacon", json)?.slug(json)
        value = try object.optional("value", json)?
            .number(json, in: -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
    }

    /// What is wrong with values that are each right, or `nil`: what a schema cannot say.
    package var contradiction: PayloadError? {
        after >= seq ? .outOfRange(field: "after") : nil
    }

    /// Writes the object. What the node knows only when it sends comes first, so that its outbox
    /// can hold the rest as it is.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("log", boot: log)
        writer.field("seq", seq)
        writer.field("after", after)
        writer.field("boot", boot: boot)
        writer.field("t_ms", tMs)
        writer.field("kind", kind.rawValue)
        if let detail { writer.field("detail", detail) }
        if let beacon { writer.field("beacon", beacon) }
        if let value { writer.field("value", value) }
        writer.endObject()
    }
}
