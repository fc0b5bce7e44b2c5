/// A message to be sent to the broker.
package struct Publication: Equatable, Sendable {
    /// The full topic.
    package var topic: String
    /// The bytes. Empty and retained: clears what the broker keeps.
    package var payload: [UInt8]
    /// 0 or 1.
    package var quality: Int
    /// Whether the broker keeps it for late subscribers.
    package var isRetained: Bool

    package init(topic: String, payload: [UInt8], quality: Int, isRetained: Bool) {
        self.topic = topic
        self.payload = payload
        self.quality = quality
        self.isRetained = isRetained
    }
}
