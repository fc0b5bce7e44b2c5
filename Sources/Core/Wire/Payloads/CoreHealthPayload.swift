import Basics
import JSON

/// `core/{c}/health`, retained: how a coordinator fares. Counters count from the start of its
/// process.
package struct CoreHealthPayload: Payload {
    /// How many messages were refused for one reason.
    package struct Refusals: Equatable, Sendable {
        /// The reason, a slug: `PayloadError.reason` or another.
        package var reason: String
        /// How many.
        package var count: Int64

        package init(reason: String, count: Int64) {
            self.reason = reason
            self.count = count
        }
    }

    /// Something a person should look at.
    package struct Alert: Equatable, Sendable {
        /// What, a slug: a `SiteAlert`, or why nothing is recorded: `database-damaged`, `facts-refused`,
        /// `facts-waiting`; or `database-moved`: what is recorded is lost when the process ends.
        package var id: String
        /// The node it is about; `nil` if it is about the coordinator.
        package var node: String?
        /// The pseudonym of whom it is about; `nil` if it is about no person.
        package var user: String?
        /// Since when, in ms since 1970.
        package var sinceMs: Int64

        package init(id: String, node: String? = nil, user: String? = nil, sinceMs: Int64) {
            self.id = id
            self.node = node
            self.user = user
            self.sinceMs = sinceMs
        }
    }

    /// The most alerts of a message.
    package static let mostAlerts = 32

    /// How the backups of the site's database fare.
    package struct Backups: Equatable, Sendable {
        /// The newest proven one.
        package struct Newest: Equatable, Sendable {
            /// When it was begun, in ms since 1970.
            package var atMs: Int64
            /// Its name, at most 255 characters.
            package var file: String
            /// Its size.
            package var bytes: Int64
            /// How long it took to make, in seconds, if this process made it.
            package var tookS: Double?

            package init(atMs: Int64, file: String, bytes: Int64, tookS: Double?) {
                self.atMs = atMs
                self.file = file
                self.bytes = bytes
                self.tookS = tookS
            }
        }

        /// Attempts that failed.
        package var failures: Int64
        /// The newest one, or `nil` if there is none.
        package var newest: Newest?

        package init(failures: Int64, newest: Newest?) {
            self.failures = failures
            self.newest = newest
        }
    }

    /// When this was so, in ms since 1970.
    package var tMs: Int64
    /// How long the process has run, in seconds.
    package var uptimeS: Int64
    /// MQTT messages that arrived.
    package var messages: Int64
    /// MQTT messages refused. One entry a reason, in the order they are written.
    package var refused: [Refusals]
    /// Facts decided and not yet stored.
    package var factsWaiting: Int64
    /// Resident memory in units of 1,000,000 bytes.
    package var memMb: Double
    /// What a person should look at; none where it is not said, as by earlier versions.
    package var alerts: [Alert] = []
    /// How the backups fare, or `nil` where none are made.
    package var backups: Backups?

    package init(
        tMs: Int64, uptimeS: Int64, messages: Int64, refused: [Refusals], factsWaiting: Int64,
        memMb: Double, backups: Backups? = nil
    ) {
        self.tMs = tMs
        self.uptimeS = uptimeS
        self.messages = messages
        self.refused = refused
        self.factsWaiting = factsWaiting
        self.memMb = memMb
        self.backups = backups
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        tMs = try object.required("t_ms", json).time(json)
        uptimeS = try object.required("uptime_s", json).integer(json)
        messages = try object.required("messages", json).integer(json)
        refused = []
        for count in try object.required("refused", json).object(json).all(json) {
            guard count.name.isSlug else { throw .unknownValue(field: "refused") }
            refused.append(Refusals(reason: count.name, count: try count.integer(json)))
        }
        factsWaiting = try object.required("facts_waiting", json).integer(json)
        memMb = try object.required("mem_mb", json).amount(json)
        alerts =
            try object.optional("alerts", json)?.list(json, atMost: Self.mostAlerts) {
                (element, json) throws(PayloadError) in
                let alert = try element.object(json)
                return Alert(
                    id: try alert.required("id", json).slug(json),
                    node: try alert.optional("node", json)?.slug(json),
                    user: try alert.optional("user", json)?.slug(json),
                    sinceMs: try alert.required("since_ms", json).time(json))
            } ?? []
        backups = try object.optional("backups", json).map { (value) throws(PayloadError) in
            let part = try value.object(json)
            return Backups(
                failures: try part.required("failures", json).integer(json),
                newest: try part.optional("newest", json).map { (value) throws(PayloadError) in
                    let newest = try value.object(json)
                    return Backups.Newest(
                        atMs: try newest.required("at_ms", json).time(json),
                        file: try newest.required("file", json).text(json, limit: 255),
                        bytes: try newest.required("bytes", json).integer(json),
                        tookS: try newest.optional("took_s", json)?.amount(json))
                })
        }
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("t_ms", tMs)
        writer.field("uptime_s", uptimeS)
        writer.field("messages", messages)
        writer.key("refused")
        writer.beginObject()
        for refusals in refused { writer.field(refusals.reason, refusals.count) }
        writer.endObject()
        writer.field("facts_waiting", factsWaiting)
        writer.field("mem_mb", memMb)
        writer.key("alerts")
        writer.beginArray()
        for alert in alerts.prefix(Self.mostAlerts) {
            writer.beginObject()
            writer.field("id", alert.id)
            if let node = alert.node { writer.field("node", node) }
            if let user = alert.user { writer.field("user", user) }
            writer.field("since_ms", alert.sinceMs)
            writer.endObject()
        }
        writer.endArray()
        if let backups {
            writer.key("backups")
            writer.beginObject()
            writer.field("failures", backups.failures)
            if let newest = backups.newest {
                writer.key("newest")
                writer.beginObject()
                writer.field("at_ms", newest.atMs)
                writer.field("file", newest.file)
                writer.field("bytes", newest.bytes)
                if let tookS = newest.tookS { writer.field("took_s", tookS) }
                writer.endObject()
            }
            writer.endObject()
        }
        writer.endObject()
    }
}

/// `core/{c}/info`, retained: what a coordinator is and owns.
package struct CoreInfoPayload: Payload {
    /// The version of the program.
    package var version: String
    /// The slugs of its sites.
    package var sites: [String]
    /// When its process started, in ms since 1970.
    package var startedMs: Int64

    package init(
        version: String, sites: [String], startedMs: Int64
    ) {
        self.version = version
        self.sites = sites
        self.startedMs = startedMs
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        version = try object.required("version", json).text(json)
        sites = try object.required("sites", json).slugs(json)
        startedMs = try object.required("started_ms", json).time(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("version", version)
        writer.field("sites", sites)
        writer.field("started_ms", startedMs)
        writer.endObject()
    }
}

/// `core/{c}/status`, retained: whether a coordinator is connected. Also its will.
package struct CoreStatusPayload: Payload {
    /// Connected or not.
    package enum State: String, Sendable, CaseIterable {
        case online
        case offline
    }

    /// Connected or not.
    package var state: State
    /// The coordinator's process: 64 random bits drawn at its start.
    package var boot: UInt64
    /// The version of the program, at most 64 characters.
    package var version: String?

    package init(
        state: State, boot: UInt64, version: String? = nil
    ) {
        self.state = state
        self.boot = boot
        self.version = version
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        state = try object.required("state", json).choice(json, of: State.self)
        boot = try object.required("boot", json).boot(json)
        version = try object.optional("version", json)?.text(json, limit: 64)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("state", state.rawValue)
        writer.field("boot", boot: boot)
        if let version { writer.field("version", version) }
        writer.endObject()
    }
}
