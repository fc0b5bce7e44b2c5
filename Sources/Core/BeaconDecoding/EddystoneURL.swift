import SiteModel

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
