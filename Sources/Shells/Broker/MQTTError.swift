/// Why a call of the MQTT client failed.
public struct MQTTError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried.
    public enum Operation: String, Sendable {
        case create, connect, publish, subscribe, read, write, keepalive, disconnect
    }

    /// What was tried.
    public var operation: Operation
    /// The topic or host it was about, if any.
    public var subject: String
    /// What libmosquitto returned (`MOSQ_ERR_…`).
    public var code: Int32
    /// The library's or the system's words for it.
    public var reason: String

    /// One line for the log.
    public var description: String {
        subject.isEmpty
            ? "mqtt \(operation.rawValue): \(reason) (\(code))"
            : "mqtt \(operation.rawValue) \(subject): \(reason) (\(code))"
    }
}
