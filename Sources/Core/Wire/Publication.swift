/// A message to be sent to the broker.
public struct Publication: Equatable, Sendable {
    /// The full topic.
    public var topic: String
    /// The bytes. Empty and retained: clears what the broker keeps.
    public var payload: [UInt8]
    /// 0 or 1.
    public var quality: Int
    /// Whether the broker keeps it for late subscribers.
    public var isRetained: Bool

    /// A message.
    public init(topic: String, payload: [UInt8], quality: Int, isRetained: Bool) {
        self.topic = topic
        self.payload = payload
        self.quality = quality
        self.isRetained = isRetained
    }
}
