/// The ciphers that decoding needs, done by a library outside the core.
package struct Cryptography: Sendable {
    /// A message that only the holder of a key can have made.
    package struct Sealed: Sendable {
        /// The encrypted bytes.
        package var ciphertext: [UInt8]
        /// The message integrity check, 4 bytes for BTHome.
        package var tag: [UInt8]
        /// What makes each message different, 13 bytes.
        package var nonce: [UInt8]

        package init(ciphertext: [UInt8], tag: [UInt8], nonce: [UInt8]) {
            self.ciphertext = ciphertext
            self.tag = tag
            self.nonce = nonce
        }
    }

    /// Encrypts one block with AES-128: the block, then the key.
    package var encrypt: @Sendable (Identity.Bytes16, Identity.Bytes16) -> Identity.Bytes16
    /// Opens a message with AES-128-CCM and a key; `nil` if the tag does not fit.
    package var open: @Sendable (Sealed, Identity.Bytes16) -> [UInt8]?

    package init(
        encrypt: @escaping @Sendable (Identity.Bytes16, Identity.Bytes16) -> Identity.Bytes16,
        open: @escaping @Sendable (Sealed, Identity.Bytes16) -> [UInt8]?
    ) {
        self.encrypt = encrypt
        self.open = open
    }
}
