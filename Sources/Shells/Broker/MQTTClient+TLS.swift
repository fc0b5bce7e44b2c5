import CMosquitto
import Glibc

/// Encrypted connections.
extension MQTTClient {
    /// TLS 1.2 or newer, and only with a broker that proves who it is. Without a file that it can read the
    /// library would connect in the clear, and says so by this code alone.
    func encrypt(_ handle: OpaquePointer, with tls: BrokerTLS) throws(MQTTError) {
        tlsFault = tls.fault
        guard tlsFault == nil else { throw error(MOSQ_ERR_TLS, .connect, host) }
        mosquitto_log_callback_set(handle) { _, context, _, line in
            if let line { MQTTClient.from(context).noted(String(cString: line)) }
        }
        // A key with a passphrase is refused; OpenSSL would ask at the terminal.
        try check(
            mosquitto_tls_set(handle, tls.authority, nil, tls.certificate, tls.key) { _, _, _, _ in
                0
            }, .connect, tls.authority)
        try check(mosquitto_tls_opts_set(handle, 1, "tlsv1.2", nil), .connect, tls.authority)
    }

    /// The first line that says anything is the cause.
    func noted(_ line: String) {
        if let tls, tlsFault == nil { tlsFault = TLSFault(line: line, tls: tls, host: host) }
    }

    /// How a connection with TLS ended before it stood, or `nil`: libmosquitto 2.0.11 does not notice.
    func end(of handle: OpaquePointer) -> Int32? {
        guard tls != nil, state == .connecting else { return nil }
        let socket = mosquitto_socket(handle)
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        if count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR) { return nil }
        // Once the other end has reset it, it looks like one that was refused, but for the time that its answer to
        // the first packet took (tcp(7), TCP_INFO).
        var info = tcp_info()
        var length = socklen_t(MemoryLayout<tcp_info>.size)
        let isKnown = getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0
        guard isKnown, info.tcpi_rtt > 0 else { return Int32(MOSQ_ERR_CONN_REFUSED.rawValue) }
        tlsFault = tlsFault ?? .noTLS
        return Int32(MOSQ_ERR_CONN_LOST.rawValue)
    }
}
