/// The ciphers that decoding needs, done by a library outside the core.
public struct Cryptography: Sendable {
    /// A message that only the holder of a key can have made.
    public struct Sealed: Sendable {
        /// The encrypted bytes.
        public var ciphertext: [UInt8]
        /// The message integrity check, 4 bytes for BTHome.
        public var tag: [UInt8]
        /// What makes each message different, 13 bytes.
        public var nonce: [UInt8]
    }

    /// Encrypts one block with AES-128: the block, then the key.
    public var encrypt: @Sendable (Identity.Bytes16, Identity.Bytes16) -> Identity.Bytes16
    /// Opens a message with AES-128-CCM and a key; `nil` if the tag does not fit.
    public var open: @Sendable (Sealed, Identity.Bytes16) -> [UInt8]?

    /// These ciphers.
    public init(
        encrypt: @escaping @Sendable (Identity.Bytes16, Identity.Bytes16) -> Identity.Bytes16,
        open: @escaping @Sendable (Sealed, Identity.Bytes16) -> [UInt8]?
    ) {
        self.encrypt = encrypt
        self.open = open
    }
}
