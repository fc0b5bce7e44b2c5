import Wire

/// What a daemon's decisions ask of its connection to the broker. Made once by a session; tests script
/// one.
package struct BrokerLink {
    /// Whether the broker has accepted us.
    package var isConnected: () -> Bool
    /// Whether what was published still waits to be written: the line is slow, or the broker is.
    package var isBusy: () -> Bool
    /// Sends a message and returns its number; see `MQTTClient.publish`.
    package var publish: (Publication) throws(MQTTError) -> Int32
    /// Asks for messages on filters, with at most the given quality.
    package var subscribe: ([String], Int) throws(MQTTError) -> Void
    /// Gives filters up again.
    package var unsubscribe: ([String]) throws(MQTTError) -> Void

    package init(
        isConnected: @escaping () -> Bool, isBusy: @escaping () -> Bool,
        publish: @escaping (Publication) throws(MQTTError) -> Int32,
        subscribe: @escaping ([String], Int) throws(MQTTError) -> Void,
        unsubscribe: @escaping ([String]) throws(MQTTError) -> Void
    ) {
        self.isConnected = isConnected
        self.isBusy = isBusy
        self.publish = publish
        self.subscribe = subscribe
        self.unsubscribe = unsubscribe
    }
}

extension BrokerSession {
    /// The session's connection, as long as somebody holds the link.
    package var link: BrokerLink {
        let client = client
        return BrokerLink(
            isConnected: { client.isConnected }, isBusy: { client.wantsWrite },
            publish: { publication throws(MQTTError) in try client.publish(publication) },
            subscribe: { filters, quality throws(MQTTError) in
                try client.subscribe(filters, quality: quality)
            },
            unsubscribe: { filters throws(MQTTError) in try client.unsubscribe(filters) })
    }
}
