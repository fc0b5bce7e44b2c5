import Foundation
import MeshCore
import MeshWire

/// The version of the decisions: a recording replays to the same digest under the same one.
public enum CoreVersion {
    /// As in `--version`, node status and recordings.
    public static let text = "0.1.0"
}

/// The first line of a recording: from what state it starts.
struct RecordingHeader: Codable {
    var version: String
    var plan: Plan
    var names: Names
    var saved: Saved
    /// The networks of others that were listened to, if any.
    var foreign: [ForeignNetwork]?
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
struct RecordingLine: Codable, Equatable {
    enum Kind: String, Codable {
        case message
        /// A request that did not come over MQTT: `topic` is `{client}/{operation}`.
        case request
        case tick
        case connected
        case lost
        case plan
        /// People decided something about attendance.
        case overrides
        /// The last line, written when the recording ended in an orderly way.
        case end
    }

    var atMs: Int64
    var kind: Kind
    var topic: String?
    /// The payload if it is UTF-8.
    var payload: String?
    /// The payload if it is not.
    var payloadB64: String?
    var retained: Bool?
    var plan: Plan?
    var names: Names?
    var overrides: Overrides?
    /// Of the live run, on the last line.
    var digest: String?
    var decisions: Int?

    private enum CodingKeys: String, CodingKey {
        case atMs = "at_ms"
        case kind, topic, payload
        case payloadB64 = "payload_b64"
        case retained, plan, names, overrides, digest, decisions
    }

    init(at now: Timestamp, kind: Kind) {
        atMs = now.milliseconds
        self.kind = kind
    }

    /// A message as it arrived.
    init(at now: Timestamp, topic: String, payload: [UInt8], isRetained: Bool) {
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
    var bytes: [UInt8]? {
        if let payload { return Array(payload.utf8) }
        return payloadB64.flatMap { Data(base64Encoded: $0) }.map { [UInt8]($0) }
    }
}
