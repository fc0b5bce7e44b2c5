/// Why there is no encrypted connection, and what to do about it.
package enum TLSFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// A file cannot be read.
    case unreadable(file: String, reason: String)
    /// A file can be read, and does not hold what it should.
    case useless(file: String)
    /// A certificate of our own without its key, or a key without its certificate.
    case keyMissing, certificateMissing
    /// Others may read the key of our own certificate.
    case keyIsOpen(file: String)
    /// The broker's certificate is of nobody whom the file names, or not valid now.
    case untrusted(authority: String)
    /// The broker's certificate is for other names.
    case otherName(host: String)
    /// The broker took TLS and not us: it asks for a certificate of our own, or does not trust it.
    case certificateWanted
    /// What listens there does not speak TLS, or ended the connection at once.
    case noTLS
    /// Anything else, in the words of OpenSSL.
    case failed(String)

    /// What the library says in a line of its log, or `nil` if that is no fault.
    init?(line: String, tls: BrokerTLS, host: String) {
        if line.contains("host name verification failed") {
            self = .otherName(host: host)
        } else if line.contains("certificate verify failed") {
            self = .untrusted(authority: tls.authority)
        } else if line.contains("Unable to load CA certificates") {
            self = .useless(file: tls.authority)
        } else if line.contains("Unable to load client certificate"), let file = tls.certificate {
            self = .useless(file: file)
        } else if line.contains("client key") || line.contains("certificate/key"),
            let file = tls.key
        {
            self = .useless(file: file)
        } else if line.contains("certificate required") {
            self = .certificateWanted
        } else if line.contains("unexpected eof") || line.contains("wrong version number") {
            self = .noTLS
        } else if line.hasPrefix("OpenSSL Error") {
            self = .failed(String(line.split(separator: ":").last ?? ""))
        } else {
            return nil
        }
    }

    /// What is wrong and what to do, in one line.
    package var description: String {
        switch self {
        case .unreadable(let file, let reason):
            "\(file): cannot be read: \(reason)"
        case .useless(let file):
            "\(file): holds no certificate or key in PEM that fits; copy it again"
        case .keyMissing: "the certificate has no key: set tls.key, too"
        case .certificateMissing: "the key has no certificate: set tls.certificate, too"
        case .keyIsOpen(let file): "others may read this key; run chmod 600 \(file)"
        case .untrusted(let authority):
            """
            the broker's certificate is of no authority in \(authority), or not valid at the time of this \
            machine: copy the broker's ca.pem again, and look at the clock
            """
        case .otherName(let host):
            """
            the broker's certificate is not for \(host): name the broker as its certificate does, or make \
            one with beaconmesh broker config --tls --host \(host)
            """
        case .certificateWanted:
            """
            the broker ended the connection once TLS stood: if it asks for a certificate, set tls.certificate \
            and tls.key to one that it trusts
            """
        case .noTLS:
            "it ended the connection before TLS began: is this the port with TLS (usually 8883)?"
        case .failed(let words): "TLS failed: \(words)"
        }
    }
}

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
