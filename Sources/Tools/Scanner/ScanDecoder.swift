import BeaconDecoding
import Ciphers

/// Turns HCI packets into what a person wants to see of them.
package struct ScanDecoder {
    private var decoder: AdvertisementDecoder
    /// Packets that were damaged in some way.
    package private(set) var faults = 0

    /// A decoder that tells devices by `rules`.
    package init(rules: [DeviceRule]) {
        decoder = AdvertisementDecoder(
            keys: DecodingKeys(cryptography: LibCrypto.cryptography), rules: rules)
    }

    /// The advertisements of one H4 packet.
    package mutating func advertisements(in packet: Span<UInt8>) -> [HeardAdvertisement] {
        guard packet.count > 0, packet[0] == 0x04 else { return [] }
        var decoded = DecodedPacket()
        decoder.decode(event: packet, into: &decoded)
        if decoded.status == .error { faults += 1 }
        return decoded.reports.map { HeardAdvertisement($0) }
    }

    /// The advertisement of which a node tells only sender and data.
    package func contents(
        of data: [UInt8], address: UInt64?, kind: AdvertisingReport.AddressKind?
    ) -> DecodedReport? {
        var decoded = DecodedPacket()
        decoder.decode(
            data: data.span, from: DecodedReport.Sender(address: address, kind: kind),
            into: &decoded)
        return decoded.reports.first
    }
}
