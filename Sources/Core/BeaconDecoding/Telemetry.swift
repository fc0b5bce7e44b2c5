import SiteModel

/// A transmitter's telemetry (battery, temperature and the like), read while its advertisement is
/// decoded.
package struct Telemetry: Equatable, Sendable {
    /// What it says about its battery.
    package var battery: Battery?
    /// How long it has run since it was started.
    package var uptime: Timestamp.Span?

    /// How full a battery is, as far as that is said.
    package enum Battery: Equatable, Sendable {
        /// Per cent.
        case percent(Int)
        case millivolts(Int)
        /// Only that it is low, or that it is not.
        case flag(isLow: Bool)
    }

    /// Reads a 16-bit service data structure (type `16`, UUID included): an Eddystone TLM, a plain
    /// BTHome 2, or the battery service's level (`0F 18`, per cent 1).
    package static func telemetry(serviceData payload: Span<UInt8>) -> Telemetry? {
        guard payload.count >= 3 else { return nil }
        switch payload.littleEndian16(at: 0) {
        case 0xFEAA:
            // `20`, version `00`, battery 2, temperature 2, packets 4, uptime 4 in 0.1 s.
            guard payload.count >= 16, payload[2] == 0x20, payload[3] == 0x00 else { return nil }
            let volts = Int(payload.bigEndian16(at: 4))
            return Telemetry(
                battery: volts == 0 ? nil : .millivolts(volts),
                uptime: .milliseconds(Int64(payload.bigEndian32(at: 12)) * 100))
        case 0x180F: return payload[2] <= 100 ? Telemetry(battery: .percent(Int(payload[2]))) : nil
        case 0xFCD2: return bthome(payload)
        default: return nil
        }
    }

    /// Reads a manufacturer's structure (type `FF`, company included): a RuuviTag's format 5.
    package static func telemetry(manufacturerData payload: Span<UInt8>) -> Telemetry? {
        guard payload.count >= 26, payload.littleEndian16(at: 0) == 0x0499, payload[2] == 5
        else { return nil }
        let volts = Int(payload.bigEndian16(at: 15) >> 5)
        return volts == 0x7FF ? nil : Telemetry(battery: .millivolts(volts + 1600))
    }

    /// The first battery among objects of fixed length; what is sealed is left alone.
    private static func bthome(_ payload: Span<UInt8>) -> Telemetry? {
        guard payload[2] >> 5 == 2, payload[2] & 1 == 0 else { return nil }
        var offset = payload[2] & 2 == 0 ? 3 : 9
        while offset + 1 < payload.count {
            let id = payload[offset]
            switch id {
            case 0x01: return Telemetry(battery: .percent(min(100, Int(payload[offset + 1]))))
            case 0x15: return Telemetry(battery: .flag(isLow: payload[offset + 1] != 0))
            default: break
            }
            guard let kind = BTHomeKind.all[id], !kind.meaning.isVariable else { return nil }
            offset += 1 + kind.length
        }
        return nil
    }
}

extension Telemetry.Battery {
    /// From here on down a battery is low, in per cent.
    static let lowPercent = 15
    /// From here on down a coin cell is low, in mV: CR2032 and CR2477 keep 2.9 to 3.0 V until nearly
    /// empty and then fall quickly, and chips of tags run down to 1.7 to 2.0 V.
    static let lowMillivolts = 2300

    /// Whether it should be changed soon.
    package var isLow: Bool {
        switch self {
        case .percent(let percent): percent <= Self.lowPercent
        case .millivolts(let volts): volts <= Self.lowMillivolts
        case .flag(let isLow): isLow
        }
    }
}
