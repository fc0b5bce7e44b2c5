import Basics
import CCrypto

/// SHA-256 by libcrypto, of a whole or bit by bit.
package final class SHA256 {
    private let context: OpaquePointer

    package init() {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
        else { preconditionFailure("libcrypto has no SHA-256") }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Takes in more bytes.
    package func add(_ bytes: [UInt8]) {
        let isTaken = EVP_DigestUpdate(context, bytes, bytes.count)
        precondition(isTaken == 1, "libcrypto refused \(bytes.count) bytes")
    }

    /// The digest, 32 bytes. Takes no more afterwards.
    package func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        let isDone = EVP_DigestFinal_ex(context, &digest, &count)
        precondition(isDone == 1 && count == 32, "libcrypto could not finish a digest")
        return Array(digest.prefix(32))
    }

    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        let whole = SHA256()
        whole.add(bytes)
        return whole.finish()
    }

    /// The digest of a text's UTF-8, as 64 lower-case hexadecimal digits.
    package static func hexadecimal(of text: String) -> String {
        Hex.text(digest(of: Array(text.utf8)))
    }

    /// HMAC-SHA-256 (RFC 2104) of a message.
    package static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count = 0
        let isDone = EVP_Q_mac(
            nil, "HMAC", nil, "SHA256", nil, key, key.count, message, message.count, &code,
            code.count, &count)
        precondition(isDone != nil && count == 32, "libcrypto has no HMAC-SHA-256")
        return Array(code.prefix(count))
    }

    /// 16 random bytes as 32 hexadecimal digits: with them before it, a short text cannot be
    /// guessed from its digest.
    package static func salt() -> String {
        Hex.text((0..<16).map { _ in UInt8.random(in: 0...255) })
    }
}
