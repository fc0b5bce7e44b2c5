import CCrypto
import Foundation

/// A key pair of the curve P-256.
package struct PushKey: Equatable, Sendable {
    /// 65 bytes: uncompressed (SEC 1 2.3.3).
    package let shared: [UInt8]
    /// 32 bytes.
    package let own: [UInt8]

    /// A new one.
    package init() {
        var (shared, own) = ([UInt8](repeating: 0, count: 65), [UInt8](repeating: 0, count: 32))
        precondition(mesh_p256_generate(&shared, &own) == 1, "libcrypto has no P-256")
        self.init(shared: shared, own: own)
    }

    package init(shared: [UInt8], own: [UInt8]) {
        precondition(shared.count == 65 && own.count == 32)
        self.shared = shared
        self.own = own
    }

    /// The secret it has in common with somebody else's, 32 bytes; `nil`: theirs is no point of the curve.
    func secret(with other: [UInt8]) -> [UInt8]? {
        guard other.count == 65 else { return nil }
        var secret = [UInt8](repeating: 0, count: 32)
        return mesh_p256_agree(own, shared, other, &secret) == 1 ? secret : nil
    }

    /// ECDSA with SHA-256: 64 bytes.
    func signature(of message: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: 64)
        let isSigned = mesh_p256_sign(own, shared, message, message.count, &signature) == 1
        precondition(isSigned, "libcrypto could not sign")
        return signature
    }
}

/// Messages that only a browser reads, through a service that hands them on: RFC 8291, in one record of RFC 8188; and
/// who sends them, RFC 8292.
package enum WebPush {
    /// Push services take no more (RFC 8291 4): a message of so many bytes, with its head, its mark and its tag.
    package static let longest = 3993

    /// The body of a message to a browser.
    ///
    /// - Parameters:
    ///   - theirs: The browser's key `p256dh`, 65 bytes.
    ///   - auth: Its secret `auth`, 16 bytes.
    ///   - key: Used for this message only.
    ///   - salt: 16 random bytes, for this message only.
    /// - Returns: `nil` if the browser's key is none.
    package static func sealed(
        _ text: [UInt8], for theirs: [UInt8], auth: [UInt8], key: PushKey = PushKey(),
        salt: [UInt8] = (0..<16).map { _ in UInt8.random(in: 0...255) }
    ) -> [UInt8]? {
        precondition(text.count <= longest && auth.count == 16 && salt.count == 16)
        guard let shared = key.secret(with: theirs) else { return nil }
        let start = derived(
            secret: shared, salt: auth, Array("WebPush: info".utf8) + [0] + theirs + key.shared, 32)
        let content = derived(
            secret: start, salt: salt, Array("Content-Encoding: aes128gcm".utf8) + [0], 16)
        let nonce = derived(
            secret: start, salt: salt, Array("Content-Encoding: nonce".utf8) + [0], 12)
        // The only record is the last one: 2.
        let record = text + [2]
        var body = [UInt8](repeating: 0, count: record.count + 16)
        let isSealed =
            mesh_aes128gcm_seal(content, nonce, record, Int32(record.count), &body) == 1
        precondition(isSealed, "libcrypto has no AES-128-GCM")
        return salt + [0, 0, 16, 0] + [UInt8(key.shared.count)] + key.shared + body
    }

    /// The header `Authorization` for a push service: a token of `key` for its origin, good until `end`, in seconds
    /// since 1970, at most a day from now.
    package static func authorization(
        _ key: PushKey, origin: String, contact: String, until end: Int64
    ) -> String {
        let head = encoded(Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8))
        let claims = encoded(Array(#"{"aud":"\#(origin)","exp":\#(end),"sub":"\#(contact)"}"#.utf8))
        let signed = "\(head).\(claims)"
        let token = "\(signed).\(encoded(key.signature(of: Array(signed.utf8))))"
        return "vapid t=\(token), k=\(encoded(key.shared))"
    }

    /// Base64 for addresses, without padding (RFC 4648 5).
    package static func encoded(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// What `encoded` made; `nil` if it is something else.
    package static func decoded(_ text: String) -> [UInt8]? {
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") }) else {
            return nil
        }
        let padded =
            text.replacing("-", with: "+").replacing("_", with: "/")
            + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: padded).map(Array.init)
    }

    /// HKDF with SHA-256 (RFC 5869), of at most 32 bytes.
    private static func derived(
        secret: [UInt8], salt: [UInt8], _ info: [UInt8], _ count: Int
    ) -> [UInt8] {
        let key = SHA256.code(of: secret, key: salt)
        return Array(SHA256.code(of: info + [1], key: key).prefix(count))
    }
}
