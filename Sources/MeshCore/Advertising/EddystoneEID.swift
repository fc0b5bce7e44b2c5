/// The Eddystone frame with a name that changes: `30`, level at 0 m 1 (signed dBm), name 8. Only who
/// has the key knows whose it is.
public struct EddystoneEID: Equatable, Sendable {
    /// The level it claims to have at 0 m.
    public var powerAtZero: RSSI
    /// The name of the moment.
    public var name: UInt64
    /// The label of the key that made the name, or `nil` if none of those at hand did.
    public var resolved: String?

    /// Reads a frame, from its first byte on, and looks for its key.
    init(frame: Span<UInt8>, keys: DecodingKeys) throws(DecodingFault) {
        guard frame.count >= 10 else { throw .eddystoneTruncated }
        powerAtZero = frame.level(at: 1)
        name = frame.bigEndian64(at: 2)
        resolved =
            keys.identities.first { [name] in
                $0.made(name, with: keys.cryptography)
            }?.label
    }
}

/// The key of a beacon with changing names, and what is known about its clock.
public struct EddystoneIdentityKey: Sendable {
    /// The names tried at most, so that a wide search ends: 36 hours either side at 1 s a name.
    static let mostTrials: Int64 = 1 << 18

    /// What to call the beacon.
    public var label: String
    /// The identity key.
    public var key: Identity.Bytes16
    /// The name changes every 2^exponent seconds, 0 ... 15.
    public var exponent: UInt8
    /// Seconds the beacon's clock should show now.
    public var time: UInt32
    /// Seconds by which it may differ, either way.
    public var window: UInt32

    /// `nil` if the exponent is none the format knows.
    public init?(
        label: String, key: Identity.Bytes16, exponent: UInt8, time: UInt32, window: UInt32
    ) {
        guard exponent <= 15 else { return nil }
        self.label = label
        self.key = key
        self.exponent = exponent
        self.time = time
        self.window = window
    }

    /// Whether it made `name` at a time in the window. The likeliest times are tried first.
    func made(_ name: UInt64, with cryptography: Cryptography) -> Bool {
        let (now, reach) = (Int64(time), Int64(window))
        let first = max(0, now - reach) >> exponent
        let last = min(Int64(UInt32.max), now + reach) >> exponent
        let middle = now >> exponent
        var temporary: (period: UInt32, key: Identity.Bytes16)?
        for distance in 0...min(max(middle - first, last - middle), Self.mostTrials / 2) {
            for step in distance == 0 ? [middle] : [middle - distance, middle + distance]
            where (first...last).contains(step) {
                let time = UInt32(step << exponent)
                if temporary?.period != time >> 16 {
                    temporary = (time >> 16, temporaryKey(at: time, cryptography))
                }
                guard let temporary else { return false }
                let block = Identity.Bytes16(
                    high: 0, low: UInt64(exponent) << 32 | UInt64(time))
                if cryptography.encrypt(block, temporary.key).high == name { return true }
            }
        }
        return false
    }

    /// The key of the 18 hours around a time (Eddystone-EID, “EID Computation”): eleven zeros, `FF`,
    /// two zeros, the upper half of the time.
    private func temporaryKey(
        at time: UInt32, _ cryptography: Cryptography
    ) -> Identity.Bytes16 {
        cryptography.encrypt(
            Identity.Bytes16(high: 0, low: 0xFF << 32 | UInt64(time >> 16)), key)
    }
}
