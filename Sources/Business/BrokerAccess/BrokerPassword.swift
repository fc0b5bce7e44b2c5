import Ciphers
import Foundation

/// A password of the broker, and what mosquitto keeps of it.
package enum BrokerPassword {
    /// 120 bits.
    static let length = 24
    /// As mosquitto_passwd of 2.0 writes. Few, but what is random needs none.
    static let iterations = 101

    /// A new one, from the system's generator. It is shown once and kept nowhere.
    package static func random() -> String {
        TypedLetters.random(length)
    }

    /// What follows the name in mosquitto's password file: `$7$`, the iterations, salt and key of
    /// PBKDF2-HMAC-SHA-512, in base64.
    package static func hash(of password: String) -> String {
        hash(of: password, salt: (0..<12).map { _ in UInt8.random(in: 0...255) })
    }

    static func hash(of password: String, salt: [UInt8]) -> String {
        let key = PBKDF2.key(of: password, salt: salt, iterations: iterations, count: 64)
        let (salt, text) = (Data(salt).base64EncodedString(), Data(key).base64EncodedString())
        return "$7$\(iterations)$\(salt)$\(text)"
    }
}
