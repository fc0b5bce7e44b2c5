import CCrypto

/// PBKDF2 with HMAC-SHA-512 (RFC 8018) by libcrypto: a key from a password.
package enum PBKDF2 {
    /// The key, `count` bytes of it. `iterations` is at least 1.
    package static func key(
        of password: String, salt: [UInt8], iterations: Int, count: Int
    ) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: count)
        let bytes = Array(password.utf8)
        let isMade = bytes.withUnsafeBufferPointer { password in
            password.withMemoryRebound(to: CChar.self) { password in
                PKCS5_PBKDF2_HMAC(
                    password.baseAddress, Int32(password.count), salt, Int32(salt.count),
                    Int32(iterations), EVP_sha512(), Int32(count), &key)
            }
        }
        precondition(isMade == 1, "libcrypto has no PBKDF2 with SHA-512")
        return key
    }
}
