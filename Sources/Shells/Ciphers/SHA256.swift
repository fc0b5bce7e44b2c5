import CCrypto
import Foundation

/// SHA-256 by libcrypto.
package enum SHA256 {
    /// The digest of a text's UTF-8, as 64 lower-case hexadecimal digits.
    package static func hexadecimal(of text: String) -> String {
        let input = Data(text.utf8)
        var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        let isDone = input.withUnsafeBytes {
            EVP_Digest($0.baseAddress, $0.count, &bytes, &count, EVP_sha256(), nil)
        }
        precondition(isDone == 1 && count == 32, "libcrypto has no SHA-256")
        return hexadecimal(bytes.prefix(32))
    }

    /// 16 random bytes as 32 hexadecimal digits: with them before it, a short text cannot be
    /// guessed from its digest.
    package static func salt() -> String {
        hexadecimal((0..<16).map { _ in UInt8.random(in: 0...255) })
    }

    private static func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
