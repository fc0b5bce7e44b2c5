/// How large an MQTT packet may be.
package enum PacketSize {
    /// In bytes: the longest payload there is, a node's configuration of 1 MiB, with its topic and
    /// what MQTT puts before it. Every client asks its broker for no more, and the brokers that we
    /// configure take no more: without a limit MQTT allows 256 MB, and a client that may publish
    /// one topic could fill the memory of all that read it.
    package static let most = NodeConfigurationPayload.limit + envelope

    /// The fixed header (5), a topic (2 and its bytes, of ours at most some 200), a message number
    /// (2) and properties, with room to spare.
    static let envelope = 1024
}
