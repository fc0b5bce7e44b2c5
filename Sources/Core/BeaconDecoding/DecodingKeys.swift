/// The secrets that make encrypted and disguised advertisements readable, and the ciphers for it.
public struct DecodingKeys: Sendable {
    /// The key that resolves somebody's private addresses.
    public struct Resolving: Sendable {
        /// What to call the owner.
        public var label: String
        /// The identity resolving key, most significant byte first.
        public var key: Identity.Bytes16

        /// A key and whose it is.
        public init(label: String, key: Identity.Bytes16) {
            self.label = label
            self.key = key
        }
    }

    /// Keys of private addresses. The first that fits counts.
    public var resolving: [Resolving] = []
    /// Keys of encrypted BTHome, by the sender's address.
    public var sensors: [UInt64: Identity.Bytes16] = [:]
    /// Keys of Eddystone beacons with changing names. The first that fits counts.
    public var identities: [EddystoneIdentityKey] = []
    /// What the keys are used with.
    public var cryptography: Cryptography

    /// No keys yet.
    public init(cryptography: Cryptography) { self.cryptography = cryptography }
}
