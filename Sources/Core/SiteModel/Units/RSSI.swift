/// Received signal strength in dBm. Radios report −127 ... +20; nearer is greater.
package struct RSSI: Hashable, Comparable, Sendable, Codable {
    /// The level in dBm.
    package var dBm: Double

    package init(dBm: Double) { self.dBm = dBm }

    /// A byte as an HCI event carries it, or `nil` for 127, which means “not available”
    /// (Bluetooth Core 5.4, Vol 4 Part E 7.7.65.2), and for values no radio reports.
    package init?(hci byte: UInt8) {
        let value = Int8(bitPattern: byte)
        guard value <= 20 else { return nil }
        dBm = Double(value)
    }

    /// Weaker first.
    package static func < (a: RSSI, b: RSSI) -> Bool { a.dBm < b.dBm }

    /// Reads a number of dBm.
    package init(from decoder: any Decoder) throws {
        dBm = try decoder.singleValueContainer().decode(Double.self)
    }

    /// Writes the number of dBm.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(dBm)
    }
}
