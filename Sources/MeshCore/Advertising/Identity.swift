/// The stable name of a transmitter. A rolling minor or a rotating address does not change it.
///
/// Fixed-size, so that a lookup per advertisement allocates nothing.
public enum Identity: Hashable, Sendable, Codable {
    /// An iBeacon.
    case iBeacon(uuid: Bytes16, major: UInt16, minor: UInt16)
    /// An iBeacon whose minor changes with time and is no part of its name.
    case iBeaconRolling(uuid: Bytes16, major: UInt16)
    /// An AltBeacon: 20 bytes, the first 16 in `head`, the last 4 in `tail`.
    case altBeacon(head: Bytes16, tail: UInt32)
    /// An Eddystone UID: 10 bytes of namespace, then 6 of instance.
    case eddystoneUID(Bytes16)
    /// A public or static random address, most significant byte first, in the low 48 bits.
    case address(UInt64)

    /// Sixteen bytes, most significant first.
    public struct Bytes16: Hashable, Comparable, Sendable, Codable {
        /// Bytes 0...7.
        public var high: UInt64
        /// Bytes 8...15.
        public var low: UInt64

        /// Sixteen bytes from two big-endian halves.
        public init(high: UInt64, low: UInt64) {
            self.high = high
            self.low = low
        }

        /// Numerical order.
        public static func < (a: Bytes16, b: Bytes16) -> Bool { (a.high, a.low) < (b.high, b.low) }
    }
}
