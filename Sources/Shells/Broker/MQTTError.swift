/// Why a call of the MQTT client failed.
package struct MQTTError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried.
    package enum Operation: String, Sendable {
        case create, connect, publish, subscribe, read, write, keepalive, disconnect
    }

    /// What was tried.
    package var operation: Operation
    /// The topic or host it was about, if any.
    package var subject: String
    /// What libmosquitto returned (`MOSQ_ERR_…`).
    package var code: Int32
    /// The library's or the system's words for it.
    package var reason: String

    /// One line for the log.
    package var description: String {
        subject.isEmpty
            ? "mqtt \(operation.rawValue): \(reason) (\(code))"
            : "mqtt \(operation.rawValue) \(subject): \(reason) (\(code))"
    }
}
