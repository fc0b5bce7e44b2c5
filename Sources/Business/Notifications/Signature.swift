import CCrypto
import SiteModel

/// Proves to a receiver that a delivery is ours and new.
package enum Signature {
    /// The header it travels in.
    package static let header = "Beaconmesh-Signature"

    /// `t=<ms>,v1=<64 hexadecimal digits>`: the moment of the attempt, and HMAC-SHA-256 of
    /// `<ms>.<body>` under the bytes of the secret's text. A receiver that refuses old moments cannot
    /// be told the same twice by an eavesdropper.
    package static func value(secret: String, at now: Timestamp, body: [UInt8]) -> String {
        let signed = Array("\(now.milliseconds).".utf8) + body
        return "t=\(now.milliseconds),v1=\(hex(mac(Array(secret.utf8), signed)))"
    }

    /// HMAC-SHA-256.
    package static func mac(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count = 0
        let isDone = EVP_Q_mac(
            nil, "HMAC", nil, "SHA256", nil, key, key.count, message, message.count, &code,
            code.count, &count)
        precondition(isDone != nil && count == 32, "libcrypto has no HMAC-SHA-256")
        return Array(code.prefix(count))
    }

    /// Two lower-case hexadecimal digits a byte.
    package static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
