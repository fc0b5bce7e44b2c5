import SiteModel

/// Google's beacon formats, in service data of UUID `AA FE`. The first byte after the UUID says
/// which frame it is.
package enum Eddystone {
    /// Reads a 16-bit service data structure of this UUID, which is included. `nil` if it is too
    /// short to tell its frame.
    package static func beacon(serviceData payload: Span<UInt8>, keys: DecodingKeys) -> BeaconFrame?
    {
        guard payload.count >= 3 else { return nil }
        let frame = payload.extracting(2..<payload.count)
        guard let format = format(frame[0], version: frame.count > 1 ? frame[1] : 0) else {
            return .eddystoneUnknown(frame: frame[0])
        }
        do throws(DecodingFault) {
            switch format {
            case .eddystoneUID:
                guard let uid = EddystoneUID(serviceData: payload) else {
                    throw .eddystoneTruncated
                }
                return .eddystoneUID(uid)
            case .eddystoneURL: return .eddystoneURL(try EddystoneURL(frame: frame))
            case .eddystoneETLM: return .eddystoneETLM(try EddystoneETLM(frame: frame))
            case .eddystoneEID: return .eddystoneEID(try EddystoneEID(frame: frame, keys: keys))
            default:
                guard frame.count < 2 || frame[1] == 0 else { throw .eddystoneVersion }
                return .eddystoneTLM(try EddystoneTLM(frame: frame))
            }
        } catch {
            return .unreadable(format, error)
        }
    }

    /// What a frame is, by its first two bytes; `nil` if we do not know it.
    private static func format(_ frame: UInt8, version: UInt8) -> BeaconFrame.Format? {
        switch frame {
        case 0x00: .eddystoneUID
        case 0x10: .eddystoneURL
        case 0x20: version == 1 ? .eddystoneETLM : .eddystoneTLM
        case 0x30: .eddystoneEID
        default: nil
        }
    }
}

/// The Eddystone frame with a name: `00`, level at 0 m 1 (signed dBm), namespace 10, instance 6,
/// and perhaps 2 reserved bytes.
package struct EddystoneUID: Equatable, Sendable {
    /// What 1 m takes from the level at 0 m that these beacons state (Eddystone-UID, Tx Power).
    static let firstMetre = 41.0

    /// The level it claims to have at 0 m.
    package var powerAtZero: RSSI
    /// Ten bytes of namespace, six of instance.
    package var name: Identity.Bytes16

    /// The beacon in a 16-bit service data structure (type `16`, UUID included), if it is one.
    init?(serviceData payload: Span<UInt8>) {
        guard payload.count >= 20, payload[0] == 0xAA, payload[1] == 0xFE, payload[2] == 0x00
        else { return nil }
        powerAtZero = payload.level(at: 3)
        name = payload.bytes16(at: 4)
    }

    /// What it stands for.
    package var identified: Identified {
        Identified(
            identity: .eddystoneUID(name),
            measuredPower: RSSI(dBm: powerAtZero.dBm - Self.firstMetre))
    }
}

/// The Eddystone frame with a web address: `10`, level at 0 m 1 (signed dBm), scheme 1, then
/// characters, of which `00` ... `0D` stand for frequent endings.
package struct EddystoneURL: Equatable, Sendable {
    private static let schemes = ["http://www.", "https://www.", "http://", "https://"]
    private static let endings = [
        ".com/", ".org/", ".edu/", ".net/", ".info/", ".biz/", ".gov/",
        ".com", ".org", ".edu", ".net", ".info", ".biz", ".gov",
    ]

    /// The level it claims to have at 0 m.
    package var powerAtZero: RSSI
    /// The address, written out.
    package var url: String

    /// Reads a frame, from its first byte on.
    init(frame: Span<UInt8>) throws(DecodingFault) {
        guard frame.count >= 3 else { throw .eddystoneTruncated }
        powerAtZero = frame.level(at: 1)
        guard frame[2] < Self.schemes.count else { throw .eddystoneScheme }
        url = Self.schemes[Int(frame[2])]
        for index in 3..<frame.count {
            switch frame[index] {
            case 0..<14: url += Self.endings[Int(frame[index])]
            case 0x21...0x7E: url.unicodeScalars.append(Unicode.Scalar(frame[index]))
            default: throw .eddystoneCharacter
            }
        }
    }
}

/// The Eddystone frame with readings of the beacon itself: `20`, version `00`, battery 2, temperature
/// 2 (signed, 1/256 °C), advertisements 4, time since start 4 (0.1 s). All big-endian.
package struct EddystoneTLM: Equatable, Sendable {
    /// The battery in mV, or `nil` if it is not measured.
    package var battery: UInt16?
    /// The temperature in °C, or `nil` if it is not measured.
    package var temperature: Double?
    /// Advertisements sent since the start.
    package var advertisements: UInt32
    /// Tenths of a second since the start.
    package var uptime: UInt32

    /// Reads a frame of version 0, from its first byte on.
    init(frame: Span<UInt8>) throws(DecodingFault) {
        guard frame.count >= 14 else { throw .eddystoneTruncated }
        battery = frame.bigEndian16(at: 2) == 0 ? nil : frame.bigEndian16(at: 2)
        let steps = frame.signed16(at: 4)
        temperature = steps == .min ? nil : Double(steps) / 256
        advertisements = frame.bigEndian32(at: 6)
        uptime = frame.bigEndian32(at: 10)
    }
}

/// The same, encrypted: `20`, version `01`, readings 12, salt 2, check 2. It takes the key of an
/// Eddystone-EID to read it; we do not.
package struct EddystoneETLM: Equatable, Sendable {
    /// The encrypted readings.
    package var readings: [UInt8]
    /// The salt, as it was sent.
    package var salt: UInt16
    /// The message integrity check, as it was sent.
    package var check: UInt16

    /// Reads a frame of version 1, from its first byte on.
    init(frame: Span<UInt8>) throws(DecodingFault) {
        guard frame.count >= 18 else { throw .eddystoneTruncated }
        readings = frame.bytes(2..<14)
        salt = frame.bigEndian16(at: 14)
        check = frame.bigEndian16(at: 16)
    }
}

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
