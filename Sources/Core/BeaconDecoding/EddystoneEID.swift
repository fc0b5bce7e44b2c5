import SiteModel

/// The Eddystone frame with a name that changes: `30`, level at 0 m 1 (signed dBm), name 8. Only who
/// has the key knows whose it is.
package struct EddystoneEID: Equatable, Sendable {
    /// The level it claims to have at 0 m.
    package var powerAtZero: RSSI
    /// The name of the moment.
    package var name: UInt64
    /// The label of the key that made the name, or `nil` if none of those at hand did.
    package var resolved: String?

    /// Reads a frame, from its first byte on, and looks for its key.
    init(frame: Span<UInt8>, keys: DecodingKeys) throws(DecodingFault) {
        guard frame.count >= 10 else { throw .eddystoneTruncated }
        powerAtZero = frame.level(at: 1)
        name = frame.bigEndian64(at: 2)
        var trials = EddystoneIdentityKey.mostTrials
        for key in keys.identities where key.made(name, keys.cryptography, &trials) {
            resolved = key.label
            return
        }
    }

    /// The changing name in a 16-bit service data structure (type `16`, UUID included), if it has
    /// one.
    package static func ephemeral(serviceData payload: Span<UInt8>) -> AdvertisedNames.Ephemeral? {
        guard payload.count >= 12, payload[0] == 0xAA, payload[1] == 0xFE, payload[2] == 0x30
        else { return nil }
        let power = RSSI(dBm: payload.level(at: 3).dBm - EddystoneUID.firstMetre)
        return AdvertisedNames.Ephemeral(name: payload.bigEndian64(at: 4), measuredPower: power)
    }
}

/// The key of a beacon with changing names, and what is known about its clock.
package struct EddystoneIdentityKey: Sendable {
    /// The names tried at most for one frame, with all keys, so that a wide search ends: six days
    /// either side for one key at 1 s a name, or half a second of work.
    package static let mostTrials = 1 << 20

    /// What to call the beacon.
    package var label: String
    package var key: Identity.Bytes16
    /// The name changes every 2^exponent seconds, 0 ... 15.
    package var exponent: UInt8
    /// Seconds the beacon's clock should show now.
    package var time: UInt32
    /// Seconds by which it may differ, either way.
    package var window: UInt32

    /// `nil` if the exponent is none the format knows.
    package init?(
        label: String, key: Identity.Bytes16, exponent: UInt8, time: UInt32, window: UInt32
    ) {
        guard exponent <= 15 else { return nil }
        self.label = label
        self.key = key
        self.exponent = exponent
        self.time = time
        self.window = window
    }

    /// Whether it made `name` at a time in the window. The likeliest times are tried first, and each
    /// takes one of `trials`.
    package func made(_ name: UInt64, _ cryptography: Cryptography, _ trials: inout Int) -> Bool {
        let (now, reach) = (Int64(time), Int64(window))
        let first = max(0, now - reach) >> exponent
        let last = min(Int64(UInt32.max), now + reach) >> exponent
        let middle = now >> exponent
        var temporary: (period: UInt32, key: Identity.Bytes16)?
        for distance in 0...max(middle - first, last - middle) {
            for step in distance == 0 ? [middle] : [middle - distance, middle + distance]
            where (first...last).contains(step) {
                guard trials > 0 else { return false }
                trials -= 1
                let time = UInt32(step << exponent)
                let key = temporary?.period == time >> 16 ? temporary?.key : nil
                let present = key ?? temporaryKey(at: time, cryptography)
                temporary = (time >> 16, present)
                if self.name(at: time, present, cryptography) == name { return true }
            }
        }
        return false
    }

    /// The name at a time that is a multiple of the period, by the key of the hours around it.
    package func name(
        at time: UInt32, _ temporaryKey: Identity.Bytes16, _ cryptography: Cryptography
    ) -> UInt64 {
        let block = Identity.Bytes16(high: 0, low: UInt64(exponent) << 32 | UInt64(time))
        return cryptography.encrypt(block, temporaryKey).high
    }

    /// The key of the 18 hours around a time (Eddystone-EID, “EID Computation”): eleven zeros, `FF`,
    /// two zeros, the upper half of the time.
    package func temporaryKey(
        at time: UInt32, _ cryptography: Cryptography
    ) -> Identity.Bytes16 {
        cryptography.encrypt(
            Identity.Bytes16(high: 0, low: 0xFF << 32 | UInt64(time >> 16)), key)
    }
}
