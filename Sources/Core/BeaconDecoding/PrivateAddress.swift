import SiteModel

/// An address that changes and that only the holder of a key can recognise (Bluetooth Core 5.4, Vol 6
/// Part B 1.3.2.2): two bits `01`, 22 random bits, then 24 bits of their encryption.
package enum PrivateAddress {
    /// The label of the first key that made `address`, a random one; `nil` if none did.
    package static func owner(of address: UInt64, keys: DecodingKeys) -> String? {
        guard isResolvable(address) else { return nil }
        return keys.resolving.first { made(address, by: $0.key, keys.cryptography) }?.label
    }

    /// Whether a random address is one that a key can recognise.
    package static func isResolvable(_ address: UInt64) -> Bool { address >> 46 == 0b01 }

    /// Whether the holder of `key` made a resolvable address.
    package static func made(
        _ address: UInt64, by key: Identity.Bytes16, _ cryptography: Cryptography
    ) -> Bool {
        // A key of zeros says that its owner has none (Vol 3 Part H 2.4.2.1).
        guard key != Identity.Bytes16(high: 0, low: 0) else { return false }
        let block = Identity.Bytes16(high: 0, low: address >> 24)
        return cryptography.encrypt(block, key).low & 0xFF_FFFF == address & 0xFF_FFFF
    }
}
