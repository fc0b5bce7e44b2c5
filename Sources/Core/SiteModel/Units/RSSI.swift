import Basics

/// Received signal strength in dBm. Radios report −127 ... +20; nearer is greater.
@usableFromInline package struct RSSI: Hashable, Comparable, Sendable, Codable {
    /// The level in dBm.
    @usableFromInline package var dBm: Double

    @inlinable package init(dBm: Double) { self.dBm = dBm }

    /// A byte as an HCI event carries it, or `nil` for 127, which means “not available”
    /// (Bluetooth Core 5.4, Vol 4 Part E 7.7.65.2), and for values no radio reports.
    package init?(hci byte: UInt8) {
        let value = Int8(bitPattern: byte)
        guard value <= 20 else { return nil }
        dBm = Double(value)
    }

    /// Weaker first.
    @inlinable package static func < (a: RSSI, b: RSSI) -> Bool { a.dBm < b.dBm }

    @inlinable package static func == (a: RSSI, b: RSSI) -> Bool { a.dBm == b.dBm }

    @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(dBm) }

    /// Reads a number of dBm.
    @usableFromInline package init(from decoder: any Decoder) throws {
        dBm = try decoder.singleValueContainer().decode(Double.self)
    }

    /// Writes the number of dBm.
    @usableFromInline package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(dBm)
    }
}

/// How a level falls with distance: `level = power − 10 · exponent · log10(metres)`.
///
/// Good for “certainly not in this hall”, not for telling metres: bodies and walls take more than
/// distance does.
package enum PathLoss {
    /// 2 in free space, 3 and more through walls; 2.5 is a hall with people in it.
    package static let exponent = 2.5
    /// The level at one metre of a transmitter that does not say: Apple's figure for an iPhone that
    /// sends iBeacon, and about that of most tags.
    package static let presumedPower = RSSI(dBm: -59)
    /// Levels at one metre that a tag can have. What claims another one is not believed.
    static let plausiblePower = RSSI(dBm: -100)...RSSI(dBm: -20)

    /// How much weaker than at one metre a level is at `metres`, in dB. `metres` is positive.
    package static func loss(metres: Double) -> Double {
        10 * exponent * Exponential.log10(metres)
    }

    /// What a transmitter claims to have at one metre, where a tag can have that; else `nil`.
    package static func believed(_ claimed: RSSI?) -> RSSI? {
        claimed.flatMap { plausiblePower.contains($0) ? $0 : nil }
    }

    /// The level at one metre to reckon with, given what the transmitter claims.
    package static func power(claimed: RSSI?) -> RSSI { believed(claimed) ?? presumedPower }
}
