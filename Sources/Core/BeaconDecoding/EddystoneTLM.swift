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
