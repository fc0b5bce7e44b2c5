/// An address that changes and that only the holder of a key can recognise (Bluetooth Core 5.4, Vol 6
/// Part B 1.3.2.2): two bits `01`, 22 random bits, then 24 bits of their encryption.
enum PrivateAddress {
    /// The label of the first key that made `address`, a random one; `nil` if none did.
    static func owner(of address: UInt64, keys: DecodingKeys) -> String? {
        guard address >> 46 == 0b01 else { return nil }
        let (random, hash) = (address >> 24, address & 0xFF_FFFF)
        return keys.resolving.first { owner in
            // A key of zeros says that its owner has none (Vol 3 Part H 2.4.2.1).
            guard owner.key != Identity.Bytes16(high: 0, low: 0) else { return false }
            let block = Identity.Bytes16(high: 0, low: random)
            return keys.cryptography.encrypt(block, owner.key).low & 0xFF_FFFF == hash
        }?.label
    }
}
