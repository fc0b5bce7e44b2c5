import CCrypto
import SiteModel

/// AES by libcrypto.
package enum LibCrypto {
    /// The ciphers that decoding needs.
    package static let cryptography = Cryptography(encrypt: encrypt, open: open)

    /// Fetched once, because looking a cipher up by its name takes longer than using it.
    ///
    /// Unsafe for the compiler only: libcrypto never changes a fetched cipher, and it stays for the
    /// life of the process.
    nonisolated(unsafe) private static let cipher = EVP_CIPHER_fetch(nil, "AES-128-ECB", nil)

    /// The key schedule is made each time: keys are many, and a context for each would be state.
    @Sendable private static func encrypt(
        _ block: Identity.Bytes16, _ key: Identity.Bytes16
    ) -> Identity.Bytes16 {
        let context = context()
        defer { EVP_CIPHER_CTX_free(context) }
        let key = (key.high.bigEndian, key.low.bigEndian)
        let input = (block.high.bigEndian, block.low.bigEndian)
        // A cipher of blocks writes at most one block more than it reads.
        var output: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        let length = Int32(MemoryLayout.size(ofValue: input))
        var count: Int32 = 0
        let isDone = withUnsafeBytes(of: key) { key in
            withUnsafeBytes(of: input) { input in
                withUnsafeMutableBytes(of: &output) { output in
                    EVP_EncryptInit_ex(
                        context, cipher, nil, key.bindMemory(to: UInt8.self).baseAddress, nil) == 1
                        && EVP_CIPHER_CTX_set_padding(context, 0) == 1
                        && EVP_EncryptUpdate(
                            context, output.bindMemory(to: UInt8.self).baseAddress, &count,
                            input.bindMemory(to: UInt8.self).baseAddress, length) == 1
                }
            }
        }
        precondition(isDone && count == length, "libcrypto has no AES-128")
        return Identity.Bytes16(
            high: UInt64(bigEndian: output.0), low: UInt64(bigEndian: output.1))
    }

    @Sendable private static func open(
        _ sealed: Cryptography.Sealed, _ key: Identity.Bytes16
    ) -> [UInt8]? {
        let context = context()
        defer { EVP_CIPHER_CTX_free(context) }
        var tag = sealed.tag
        let isReady =
            EVP_DecryptInit_ex(context, EVP_aes_128_ccm(), nil, nil, nil) == 1
            && EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_SET_IVLEN, Int32(sealed.nonce.count), nil) == 1
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1
            && EVP_DecryptInit_ex(context, nil, nil, bytes(key), sealed.nonce) == 1
        precondition(isReady, "libcrypto has no AES-128-CCM")
        // One byte more than is used, because libcrypto takes no message at no address.
        let ciphertext = sealed.ciphertext + [0]
        var output = [UInt8](repeating: 0, count: ciphertext.count)
        var count: Int32 = 0
        let isGenuine = EVP_DecryptUpdate(
            context, &output, &count, ciphertext, Int32(sealed.ciphertext.count))
        guard isGenuine == 1 else { return nil }
        return Array(output[..<sealed.ciphertext.count])
    }

    /// Seals a message with AES-128-CCM, with a tag of 16 bytes. A nonce of 13 bytes is used once with a key; the message
    /// is shorter than 64 KiB.
    static func seal(
        _ message: [UInt8], nonce: [UInt8], _ key: Identity.Bytes16
    ) -> Cryptography.Sealed {
        precondition(nonce.count == 13 && message.count < 1 << 16, "CCM seals 64 KiB at most")
        let context = context()
        defer { EVP_CIPHER_CTX_free(context) }
        var tag = [UInt8](repeating: 0, count: 16)
        var output = [UInt8](repeating: 0, count: message.count + 1)
        var count: Int32 = 0
        let isSealed =
            EVP_EncryptInit_ex(context, EVP_aes_128_ccm(), nil, nil, nil) == 1
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.count), nil) == 1
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), nil) == 1
            && EVP_EncryptInit_ex(context, nil, nil, bytes(key), nonce) == 1
            && EVP_EncryptUpdate(
                context, &output, &count, message + [0], Int32(message.count)) == 1
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1
        precondition(isSealed, "libcrypto has no AES-128-CCM")
        return Cryptography.Sealed(
            ciphertext: Array(output[..<message.count]), tag: tag, nonce: nonce)
    }

    private static func context() -> OpaquePointer {
        guard let context = EVP_CIPHER_CTX_new() else {
            preconditionFailure("libcrypto is out of memory")
        }
        return context
    }

    private static func bytes(_ value: Identity.Bytes16) -> [UInt8] {
        (0..<16).map { index in
            let half = index < 8 ? value.high : value.low
            return UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * (index % 8)))
        }
    }
}
