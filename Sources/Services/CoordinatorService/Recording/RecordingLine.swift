import Foundation
import Notifications
import Scheduling
import SiteEngine
import SiteModel
import SitePipeline
import SiteStore
import TrainingEngine
import Wire

/// The first line of a recording: from what state it starts.
package struct RecordingHeader: Codable {
    package var version: String
    package var plan: Plan
    package var names: Names
    package var saved: Saved
    /// The networks of others that were listened to, if any.
    package var foreign: [ForeignNetwork]?
    /// What people decided that is not part of `saved` yet, as no coordinator has taken it in.
    package var overrides: Overrides?

    package init(
        version: String, plan: Plan, names: Names, saved: Saved, foreign: [ForeignNetwork]? = nil,
        overrides: Overrides? = nil
    ) {
        self.version = version
        self.plan = plan
        self.names = names
        self.saved = saved
        self.foreign = foreign
        self.overrides = overrides
    }

    /// The state of a site as it is stored, and what people decided since; `nil` before the first
    /// import.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package init?(of store: Store, foreign: [ForeignNetwork] = []) throws(StoreError) {
        guard let (plan, names, saved) = try store.load() else { return nil }
        let overrides = try store.decisions()
        self.init(
            version: CoreVersion.text, plan: plan, names: names, saved: saved,
            foreign: foreign.isEmpty ? nil : foreign,
            overrides: overrides == saved.overrides ?? Overrides(revision: 0) ? nil : overrides)
    }
}

/// What recordings of releases before held in their plans, in the header and in lines of kind `plan`.
struct OverridesInPlan: Decodable {
    private struct Content: Decodable {
        var amendments: [Amendment]?
        var lockedThrough: Timestamp?
        var excuses: [NodeExcuse]?
    }

    private var plan: Content?

    /// What people had decided; `nil` in a recording that holds it apart.
    var overrides: Overrides? {
        guard let plan, let amendments = plan.amendments else { return nil }
        return Overrides(
            revision: 0, amendments: amendments, lockedThrough: plan.lockedThrough,
            excuses: plan.excuses ?? [])
    }
}

/// One input of a recording, one line of JSON.
package struct RecordingLine: Codable, Equatable {
    package enum Kind: String, Codable {
        case message
        /// A request that did not come over MQTT: `topic` is `{client}/{operation}`.
        case request
        /// A room has done what client `topic` asked for with the id `payload`.
        case used
        /// What was looked up for requests.
        case recalled
        case tick
        case connected
        case lost
        case plan
        /// People decided something about attendance.
        case overrides
        /// The last line, written when the recording ended in an orderly way.
        case end
    }

    package var atMs: Int64
    package var kind: Kind
    package var topic: String?
    /// The payload if it is UTF-8.
    package var payload: String?
    /// The payload if it is not.
    var payloadB64: String?
    var retained: Bool?
    var plan: Plan?
    var names: Names?
    var overrides: Overrides?
    /// What was looked up; without it, it could not be read.
    var recalled: [Recalled]?
    /// Of the live run, on the last line.
    package var digest: String?
    package var decisions: Int?

    private enum CodingKeys: String, CodingKey {
        case atMs = "at_ms"
        case kind, topic, payload
        case payloadB64 = "payload_b64"
        case retained, plan, names, overrides, recalled, digest, decisions
    }

    package init(at now: Timestamp, kind: Kind) {
        atMs = now.milliseconds
        self.kind = kind
    }

    package init(at now: Timestamp, topic: String, payload: [UInt8], isRetained: Bool) {
        self.init(at: now, kind: .message)
        self.topic = topic
        if let text = String(validating: payload, as: UTF8.self) {
            self.payload = text
        } else {
            payloadB64 = Data(payload).base64EncodedString()
        }
        retained = isRetained ? true : nil
    }

    /// The bytes of a message's payload, or `nil` if the line has none that can be read.
    package var bytes: [UInt8]? {
        if let payload { return Array(payload.utf8) }
        return payloadB64.flatMap { Data(base64Encoded: $0) }.map { [UInt8]($0) }
    }
}
