import Hummingbird
import JSON
import Wire

/// The two moments every event carries.
struct ServerTime: Equatable, Sendable {
    /// The coordinator's clock, in Unix milliseconds.
    var now: Int64
    /// When a node was last heard, or `nil` if that is not known.
    var heard: Int64?
}

/// What pages are sent: JSON objects, as server-sent events (WHATWG HTML 9.2), which are
/// `event:` and `data:` lines ended by an empty one.
enum EventText {
    /// `{"names":…,"topics":{topic:payload…},"server_ms":N}`, topics in alphabetical order.
    static func snapshot(names: [UInt8], topics: [String: [UInt8]], at time: ServerTime) -> [UInt8]
    {
        var json = JSONWriter()
        json.beginObject()
        json.key("names")
        json.raw(names)
        json.key("topics")
        json.beginObject()
        for (topic, payload) in topics.sorted(by: { $0.key < $1.key }) {
            json.key(topic)
            json.raw(payload)
        }
        json.endObject()
        finish(&json, at: time)
        return json.bytes
    }

    /// `{"topic":…,"payload":…,"server_ms":N}`; an empty payload is `null`: the topic is gone.
    static func change(topic: String, payload: [UInt8], at time: ServerTime) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("topic", topic)
        json.key("payload")
        if payload.isEmpty { json.null() } else { json.raw(payload) }
        finish(&json, at: time)
        return json.bytes
    }

    /// `{"names":…,"server_ms":N}`.
    static func names(_ names: [UInt8], at time: ServerTime) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("names")
        json.raw(names)
        finish(&json, at: time)
        return json.bytes
    }

    /// `{"server_ms":N}`, with `fault` if anything is wrong with the coordinator.
    static func clock(at time: ServerTime, fault: String? = nil) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        if let fault { json.field("fault", fault) }
        finish(&json, at: time)
        return json.bytes
    }

    private static func finish(_ json: inout JSONWriter, at time: ServerTime) {
        json.field("server_ms", time.now)
        if let heard = time.heard { json.field("data_ms", heard) }
        json.endObject()
    }
}

extension ByteBuffer {
    /// Writes one event with its data on one line. A line break in JSON is mere space, but here it
    /// would end the event, and let its author begin one of their own.
    mutating func writeEvent(_ name: String, _ json: [UInt8], id: String? = nil) {
        writeString("event: \(name)\ndata: ")
        writeBytes(json.lazy.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
        if let id { writeString("\nid: \(id)") }
        writeString("\n\n")
    }
}
