import Basics
import Ciphers
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
        let code = SHA256.code(of: signed, key: Array(secret.utf8))
        return "t=\(now.milliseconds),v1=\(Hex.text(code))"
    }
}
