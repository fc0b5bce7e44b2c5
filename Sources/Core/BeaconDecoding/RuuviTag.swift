/// RuuviTag's formats 3 and 5, in manufacturer's data: company `99 04`, format 1, then big-endian
/// (Ruuvi, “Data format 3 (RAWv1)” and “Data format 5 (RAWv2)”)
/// - 3: humidity 1 (0.5 %), temperature 1 and hundredths 1 (bit 7 is the sign), pressure 2 (from
///   50,000 Pa), acceleration 3 × 2 (mg), battery 2 (mV);
/// - 5: temperature 2 (0.005 °C), humidity 2 (0.0025 %), pressure 2, acceleration 3 × 2, battery and
///   power 2 (11 bits from 1,600 mV, 5 bits in 2 dBm from −40), movement 1, sequence 2, address 6.
///
/// What is not available is `nil`.
package struct RuuviTag: Equatable, Sendable {
    /// The format, 3 or 5.
    package var format: UInt8
    /// °C.
    package var temperature: Double?
    /// Relative, in per cent. More than 100 is sent by sensors that are wet.
    package var humidity: Double?
    /// Pa.
    package var pressure: Int?
    /// x, y and z, in g.
    package var acceleration: [Double?]
    /// mV.
    package var battery: Int?
    /// What only format 5 says.
    package var more: More?

    /// What only format 5 says.
    package struct More: Equatable, Sendable {
        /// dBm.
        package var txPower: Int?
        /// Movements counted, modulo 255.
        package var movement: UInt8?
        /// Measurements counted, modulo 65,535.
        package var sequence: UInt16?
        /// The tag's address.
        package var address: UInt64?
    }

    /// Reads a manufacturer's structure; `nil` if it is not Ruuvi's, or in a format of theirs that
    /// is assigned to something else.
    package static func beacon(manufacturerData payload: Span<UInt8>) -> BeaconFrame? {
        guard payload.count >= 3, payload.littleEndian16(at: 0) == 0x0499 else { return nil }
        let data = payload.extracting(2..<payload.count)
        switch data[0] {
        case 3: return RuuviTag(format3: data).map { .ruuviTag($0) } ?? truncated
        case 5: return RuuviTag(format5: data).map { .ruuviTag($0) } ?? truncated
        // Air quality, encrypted, cut-off motion and extended air quality: not tags of ours.
        case 6, 7, 8, 0xC5, 0xE1: return nil
        default: return .unreadable(.ruuviTag, .ruuviFormat)
        }
    }

    private static var truncated: BeaconFrame { .unreadable(.ruuviTag, .ruuviTruncated) }

    private init?(format3 data: Span<UInt8>) {
        guard data.count >= 14 else { return nil }
        format = 3
        humidity = Double(data[1]) / 2
        let hundredths = Int(data[2] & 0x7F) * 100 + Int(data[3])
        temperature = Double(data[2] & 0x80 == 0 ? hundredths : -hundredths) / 100
        pressure = Int(data.bigEndian16(at: 4)) + 50_000
        acceleration = [6, 8, 10].map { Double(data.signed16(at: $0)) / 1000 }
        battery = Int(data.bigEndian16(at: 12))
    }

    private init?(format5 data: Span<UInt8>) {
        guard data.count >= 24 else { return nil }
        format = 5
        temperature = Self.signed(data.signed16(at: 1)).map { $0 / 200 }
        let (moist, air) = (data.bigEndian16(at: 3), data.bigEndian16(at: 5))
        humidity = moist == .max ? nil : Double(moist) / 400
        pressure = air == .max ? nil : Int(air) + 50_000
        acceleration = []
        for offset in [7, 9, 11] {
            acceleration.append(Self.signed(data.signed16(at: offset)).map { $0 / 1000 })
        }
        let (volts, power) = (data.bigEndian16(at: 13) >> 5, data[14] & 0x1F)
        battery = volts == 0x7FF ? nil : Int(volts) + 1600
        let address = data.bigEndian64(at: 16) & 0xFFFF_FFFF_FFFF
        more = More(
            txPower: power == 0x1F ? nil : Int(power) * 2 - 40,
            movement: data[15] == .max ? nil : data[15],
            sequence: data.bigEndian16(at: 16) == .max ? nil : data.bigEndian16(at: 16),
            address: address == 0xFFFF_FFFF_FFFF ? nil : address)
    }

    private static func signed(_ value: Int16) -> Double? { value == .min ? nil : Double(value) }
}
