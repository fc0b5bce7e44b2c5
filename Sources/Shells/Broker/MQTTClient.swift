import CMosquitto
import Glibc
import Wire

/// A connection to an MQTT broker, driven by the caller's own loop.
///
/// Belongs to one thread. Poll `descriptor` for reading, and for writing while `wantsWrite`; call
/// `readable`, `writable`, and `misc` about once a second. Callbacks run inside those calls, on the
/// same thread. It never connects by itself: after `onDisconnect` the caller decides when to try
/// again. Each `connect` starts afresh: what the broker had not acknowledged is forgotten, and
/// message numbers start over, so the caller publishes again what still matters.
package final class MQTTClient {
    /// The protocol spoken. Only MQTT 5 can ask a broker for no packet above `PacketSize.most`;
    /// with 3.1.1 its own limit is the only one.
    package enum Version: String, Sendable, CaseIterable {
        case five = "5"
        case threeOneOne = "3.1.1"

        fileprivate var option: Int32 { self == .five ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311 }
    }

    enum State { case idle, connecting, connected }

    /// Answered by the broker: 0 is accepted, anything else refused (see `reason`).
    package var onConnect: (_ code: Int32) -> Void = { _ in }
    /// The connection ended, once for each `connect` that did not throw: 0 after our own
    /// `disconnect`, else a fault (see `fault`). Do not call `connect` in here.
    package var onDisconnect: (_ code: Int32) -> Void = { _ in }
    /// A message: its topic, its bytes (valid only inside the call), whether it is one the broker
    /// had kept, and its quality of service. The broker gets its acknowledgement when this returns.
    package var onMessage:
        (_ topic: String, _ payload: Span<UInt8>, _ isRetained: Bool, _ quality: Int) -> Void = {
            _, _, _, _ in
        }
    /// A message of ours was sent (quality 0) or acknowledged by the broker (quality 1).
    package var onPublished: (_ message: Int32) -> Void = { _ in }
    /// The broker acknowledged a message of ours and did not take it, which only MQTT 5 can tell;
    /// `onPublished` follows. For the code see `reason`.
    package var onRefused: (_ message: Int32, _ code: Int32) -> Void = { _, _ in }
    /// The broker answered a subscription: for each filter the quality granted, or 128 and above
    /// when refused.
    package var onSubscribed: (_ message: Int32, _ granted: [Int32]) -> Void = { _, _ in }

    /// Our name at the broker. A second client of the same name ends the first one's connection.
    package let id: String
    private let will: Publication?
    private let version: Version
    let tls: BrokerTLS?
    /// Why the last connection could not be encrypted, if that is why there is none.
    package internal(set) var tlsFault: TLSFault?
    var host = ""
    private var handle: OpaquePointer?
    var state = State.idle
    /// Calls into the library under way; its handle may be freed only at zero.
    private var depth = 0

    /// Messages of quality 1 under way at once, each direction (libmosquitto's default is 20).
    private static let window: Int32 = 100
    /// Packets taken in one `readable`, so that a flood cannot starve the caller's other work.
    private static let packetsPerRead = 256

    /// Once per process. A write to a connection the peer has closed must be an error, not a signal.
    private static let library: Int32 = {
        signal(SIGPIPE, SIG_IGN)
        return mosquitto_lib_init()
    }()

    /// A client that is not yet connected. `will` is what the broker publishes for us when the
    /// connection ends without `disconnect`. With `tls` the connection is encrypted, and the broker has to
    /// prove that it is the host.
    package init(
        id: String, will: Publication? = nil, version: Version = .five, tls: BrokerTLS? = nil
    ) {
        self.id = id
        self.will = will
        self.version = version
        self.tls = tls
    }

    deinit {
        if let handle { mosquitto_destroy(handle) }
    }

    /// Whether the broker has accepted us.
    package var isConnected: Bool { state == .connected }

    /// The socket to poll, or `nil` while there is no connection.
    package var descriptor: Int32? {
        guard state != .idle, let handle else { return nil }
        let socket = mosquitto_socket(handle)
        return socket >= 0 ? socket : nil
    }

    /// Whether bytes wait to be written.
    package var wantsWrite: Bool {
        guard state != .idle, let handle else { return false }
        return mosquitto_want_write(handle)
    }

    /// Starts a connection without waiting for it: `onConnect` or `onDisconnect` follows. Only
    /// looking up a host name waits; an address never does. `keepalive` is in seconds, from 5;
    /// after one and a half of it without a sign of life the broker gives up on us, and we on it.
    ///
    /// - Throws: An `MQTTError` if the library refuses the host, the name or the password, or the files for
    ///   TLS are of no use: try again later (`Reconnect` says when).
    package func connect(
        host: String, port: Int, keepalive: Int = 15, username: String? = nil,
        password: String? = nil
    ) throws(MQTTError) {
        precondition(depth == 0, "connect is not for callbacks")
        precondition(state == .idle, "already connected")
        free()
        (tlsFault, self.host) = (nil, host)
        let handle = try create()
        self.handle = handle
        if let tls { try encrypt(handle, with: tls) }
        if let username {
            try check(
                mosquitto_username_pw_set(handle, username, password), .connect, "as \(username)")
        }
        if version == .five { try limitPackets(of: handle) }
        depth += 1
        let code = mosquitto_connect_bind_async(
            handle, host, Int32(clamping: port), Int32(clamping: keepalive), nil)
        depth -= 1
        if code != 0, errno == EPROTO, tls != nil { tlsFault = tlsFault ?? .certificateWanted }
        try check(code, .connect, "\(host):\(port)")
        state = .connecting
    }

    /// Asks for messages on `filters` with at most the given quality (0 or 1). The number returned
    /// comes back in `onSubscribed`.
    ///
    /// - Throws: An `MQTTError` without a connection: ask again from `onConnect`.
    @discardableResult
    package func subscribe(_ filters: [String], quality: Int) throws(MQTTError) -> Int32 {
        let handle = try connected(.subscribe, filters.first ?? "")
        let texts = filters.map { strdup($0) }
        defer { texts.forEach { Glibc.free($0) } }
        var message: Int32 = 0
        let code = texts.withUnsafeBufferPointer { list in
            mosquitto_subscribe_multiple(
                handle, &message, Int32(clamping: list.count),
                UnsafeMutablePointer(mutating: list.baseAddress), Int32(clamping: quality), 0, nil)
        }
        try check(code, .subscribe, filters.joined(separator: " "))
        return message
    }

    /// Gives subscriptions up again.
    ///
    /// - Throws: An `MQTTError` without a connection: ask again from `onConnect`.
    package func unsubscribe(_ filters: [String]) throws(MQTTError) {
        let handle = try connected(.subscribe, filters.first ?? "")
        for filter in filters {
            try check(mosquitto_unsubscribe(handle, nil, filter), .subscribe, filter)
        }
    }

    /// Sends a message; the number returned comes back in `onPublished`. Throws when there is no
    /// connection: nothing is kept for later.
    @discardableResult
    package func publish(_ publication: Publication) throws(MQTTError) -> Int32 {
        let handle = try connected(.publish, publication.topic)
        var message: Int32 = 0
        let code = publication.payload.withUnsafeBufferPointer { bytes in
            mosquitto_publish(
                handle, &message, publication.topic, Int32(clamping: bytes.count),
                bytes.baseAddress, Int32(clamping: publication.quality), publication.isRetained)
        }
        try check(code, .publish, publication.topic)
        return message
    }

    /// Takes what has arrived. To be called when `descriptor` is readable or in error.
    package func readable() {
        enter { handle in
            if let code = end(of: handle) { return code }
            for _ in 0..<Self.packetsPerRead {
                errno = 0
                let code = mosquitto_loop_read(handle, 1)
                // The library stops at the end of what has arrived and leaves the reason in errno.
                guard code == 0, errno != EAGAIN, state != .idle else { return code }
            }
            return 0
        }
    }

    /// Writes what waits. To be called when `descriptor` is writable and `wantsWrite` is set.
    package func writable() {
        enter { mosquitto_loop_write($0, 1) }
    }

    /// Keeps the connection alive, and notices when the broker no longer does.
    package func misc() {
        enter { mosquitto_loop_misc($0) }
    }

    /// Says goodbye, so that the broker does not publish our will. `onDisconnect(0)` follows when
    /// it is written; go on polling until then.
    package func disconnect() {
        enter { mosquitto_disconnect($0) }
    }

    /// Cuts the connection without a goodbye, as a power cut would: the broker publishes our will.
    package func drop() {
        precondition(depth == 0, "drop is not for callbacks")
        lost(Int32(MOSQ_ERR_CONN_LOST.rawValue))
        free()
    }

    /// The protocol's words for a code given to `onConnect`.
    package func reason(_ code: Int32) -> String {
        String(
            cString: version == .five
                ? mosquitto_reason_string(code) : mosquitto_connack_string(code))
    }

    /// The words for a code given to `onDisconnect`, with what is to be done where TLS is the reason.
    package func loss(_ code: Int32) -> String { tlsFault?.description ?? Self.fault(code) }

    /// The library's words for a code given to `onDisconnect`, or MQTT 5's, by which a broker says why.
    package static func fault(_ code: Int32) -> String {
        String(cString: code >= 128 ? mosquitto_reason_string(code) : mosquitto_strerror(code))
    }
}

extension MQTTClient {
    private func create() throws(MQTTError) -> OpaquePointer {
        try check(Self.library, .create, "")
        guard let handle = mosquitto_new(id, true, Unmanaged.passUnretained(self).toOpaque()) else {
            throw error(errno == EINVAL ? MOSQ_ERR_INVAL : MOSQ_ERR_NOMEM, .create, id)
        }
        do {
            try configure(handle)
        } catch {
            mosquitto_destroy(handle)
            throw error
        }
        // The context is unretained: this object frees the handle before it goes away, and callbacks
        // run only inside calls made by it.
        mosquitto_connect_v5_callback_set(handle) { _, context, code, _, _ in
            MQTTClient.from(context).answered(code)
        }
        mosquitto_disconnect_v5_callback_set(handle) { _, context, code, _ in
            MQTTClient.from(context).lost(code)
        }
        mosquitto_publish_v5_callback_set(handle) { _, context, message, code, _ in
            let client = MQTTClient.from(context)
            if code >= 128 { client.onRefused(message, code) }
            client.onPublished(message)
        }
        mosquitto_subscribe_v5_callback_set(handle) { _, context, message, count, granted, _ in
            let codes = UnsafeBufferPointer(start: granted, count: Int(count))
            MQTTClient.from(context).onSubscribed(message, Array(codes))
        }
        mosquitto_message_v5_callback_set(handle) { _, context, message, _ in
            guard let message = message?.pointee, let topic = message.topic else { return }
            let bytes = UnsafeRawBufferPointer(
                start: message.payload, count: Int(message.payloadlen))
            bytes.withMemoryRebound(to: UInt8.self) { payload in
                MQTTClient.from(context).onMessage(
                    String(cString: topic), payload.span, message.retain, Int(message.qos))
            }
        }
        return handle
    }

    private func configure(_ handle: OpaquePointer) throws(MQTTError) {
        for (option, value) in [
            (MOSQ_OPT_PROTOCOL_VERSION, version.option), (MOSQ_OPT_TCP_NODELAY, 1),
            (MOSQ_OPT_SEND_MAXIMUM, Self.window), (MOSQ_OPT_RECEIVE_MAXIMUM, Self.window),
        ] {
            try check(mosquitto_int_option(handle, option, value), .create, id)
        }
        guard let will else { return }
        let code = will.payload.withUnsafeBufferPointer { bytes in
            mosquitto_will_set(
                handle, will.topic, Int32(clamping: bytes.count), bytes.baseAddress,
                Int32(clamping: will.quality), will.isRetained)
        }
        try check(code, .create, will.topic)
    }

    /// Has the next connection say the largest packet we take, Maximum Packet Size of MQTT 5 (3.1.2.11.4):
    /// a broker leaves out what is larger.
    ///
    /// libmosquitto takes properties only together with a connection that is waited for. It keeps
    /// them before it looks at the host, so that one without a host is refused at once and leaves
    /// them for the connection that nobody waits for. A test against a real broker holds it to that.
    private func limitPackets(of handle: OpaquePointer) throws(MQTTError) {
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        try check(
            mosquitto_property_add_int32(
                &properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue),
                UInt32(clamping: PacketSize.most)), .connect, "packet size")
        let code = mosquitto_connect_bind_v5(handle, nil, 0, 60, nil, properties)
        guard code != MOSQ_ERR_INVAL.rawValue else { return }  // It has no host, as expected.
        try check(code, .connect, "packet size")
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> MQTTClient {
        guard let context else { preconditionFailure("libmosquitto lost our context") }
        return Unmanaged<MQTTClient>.fromOpaque(context).takeUnretainedValue()
    }

    private func answered(_ code: Int32) {
        if code == 0 { state = .connected }
        if tls != nil, let handle { mosquitto_log_callback_set(handle, nil) }
        onConnect(code)
    }

    /// Tells the caller once, however many ways the library and we notice.
    private func lost(_ code: Int32) {
        guard state != .idle else { return }
        state = .idle
        onDisconnect(code)
    }

    /// Calls into the library, then looks whether the connection survived it.
    private func enter(_ call: (OpaquePointer) -> Int32) {
        guard state != .idle, let handle else { return }
        depth += 1
        let code = call(handle)
        depth -= 1
        if code != 0 { lost(code) }
        if state == .idle, depth == 0 { free() }
    }

    private func free() {
        guard let handle else { return }
        self.handle = nil
        mosquitto_destroy(handle)
    }

    private func connected(
        _ operation: MQTTError.Operation, _ subject: String
    ) throws(MQTTError) -> OpaquePointer {
        guard state == .connected, let handle else {
            throw error(MOSQ_ERR_NO_CONN, operation, subject)
        }
        return handle
    }

    func check(
        _ code: Int32, _ operation: MQTTError.Operation, _ subject: String
    ) throws(MQTTError) {
        guard code != 0 else { return }
        let number = errno
        let isSystem = code == Int32(MOSQ_ERR_ERRNO.rawValue) && tlsFault == nil
        throw MQTTError(
            operation: operation, subject: subject, code: code,
            reason: isSystem ? String(cString: strerror(number)) : loss(code))
    }

    func error(
        _ code: mosq_err_t, _ operation: MQTTError.Operation, _ subject: String
    ) -> MQTTError {
        MQTTError(
            operation: operation, subject: subject, code: code.rawValue,
            reason: loss(code.rawValue))
    }
}
