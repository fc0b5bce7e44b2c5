import SiteModel

/// The secrets that make encrypted and disguised advertisements readable, and the ciphers for it.
package struct DecodingKeys: Sendable {
    /// The key that resolves somebody's private addresses.
    package struct Resolving: Sendable {
        /// What to call the owner.
        package var label: String
        /// The identity resolving key, most significant byte first.
        package var key: Identity.Bytes16

        /// A key and whose it is.
        package init(label: String, key: Identity.Bytes16) {
            self.label = label
            self.key = key
        }
    }

    /// Keys of private addresses. The first that fits counts.
    package var resolving: [Resolving] = []
    /// Keys of encrypted BTHome, by the sender's address.
    package var sensors: [UInt64: Identity.Bytes16] = [:]
    /// Keys of Eddystone beacons with changing names. The first that fits counts.
    package var identities: [EddystoneIdentityKey] = []
    /// What the keys are used with.
    package var cryptography: Cryptography

    package init(cryptography: Cryptography) { self.cryptography = cryptography }
}
