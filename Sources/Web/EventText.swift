import Hummingbird

/// The two moments every event carries.
struct ServerTime: Equatable, Sendable {
    /// The coordinator's clock, in Unix milliseconds.
    var now: Int64
    /// When a node was last heard, or `nil` if that is not known.
    var heard: Int64?
}

/// Server-sent events (WHATWG HTML 9.2): `event:` and `data:` lines, ended by an empty line.
extension ByteBuffer {
    /// `{"names":…,"topics":{topic:payload…},"server_ms":N}`, topics in alphabetical order.
    mutating func writeSnapshot(names: [UInt8], topics: [String: [UInt8]], at time: ServerTime) {
        writeString("{\"names\":")
        writeLine(names)
        writeString(",\"topics\":{")
        var separator = ""
        for (topic, payload) in topics.sorted(by: { $0.key < $1.key }) {
            writeString(separator)
            writeQuoted(topic)
            writeString(":")
            writeLine(payload)
            separator = ","
        }
        writeString("},")
        writeTime(time)
    }

    /// The event `snapshot`. Browsers that lose the line come back after a second.
    mutating func writeSnapshotEvent(_ snapshot: ByteBuffer) {
        writeString("retry: 1000\nevent: snapshot\ndata: ")
        writeImmutableBuffer(snapshot)
        writeString("\n\n")
    }

    /// The event `change`: `{"topic":…,"payload":…,"server_ms":N}`; `null` for a topic that is
    /// gone, which is an empty payload.
    mutating func writeChange(topic: String, payload: [UInt8], at time: ServerTime) {
        writeString("event: change\ndata: {\"topic\":")
        writeQuoted(topic)
        writeString(",\"payload\":")
        if payload.isEmpty { writeString("null") } else { writeLine(payload) }
        writeString(",")
        writeTime(time)
        writeString("\n\n")
    }

    /// The event `clock`: `{"server_ms":N}`.
    mutating func writeClock(_ time: ServerTime) {
        writeString("event: clock\ndata: {")
        writeTime(time)
        writeString("\n\n")
    }

    /// The last members of an object, and its end.
    private mutating func writeTime(_ time: ServerTime) {
        writeString("\"server_ms\":\(time.now)")
        if let heard = time.heard { writeString(",\"data_ms\":\(heard)") }
        writeString("}")
    }

    /// JSON text on one line. A line break in JSON is mere space, but here it would end the
    /// event, and let whoever wrote it begin one of their own.
    private mutating func writeLine(_ json: [UInt8]) {
        writeBytes(json.lazy.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
    }

    /// A JSON string.
    private mutating func writeQuoted(_ text: String) {
        writeString("\"")
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C:
                writeBytes([0x5C, byte])
            case 0..<0x20:
                let hex = String(byte, radix: 16)
                writeString("\\u" + String(repeating: "0", count: 4 - hex.count) + hex)
            default:
                writeInteger(byte)
            }
        }
        writeString("\"")
    }
}
