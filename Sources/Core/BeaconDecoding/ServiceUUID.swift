import Basics
import SiteModel

/// The number of a service, in the length it was sent.
package enum ServiceUUID: Hashable, Sendable {
    case short(UInt16)
    case medium(UInt32)
    case long(Identity.Bytes16)

    /// Reads 2, 4 or 16 bytes, least significant first, as advertisements have them.
    package init(_ bytes: Span<UInt8>) {
        switch bytes.count {
        case 2: self = .short(bytes.littleEndian16(at: 0))
        case 4: self = .medium(bytes.littleEndian32(at: 0))
        default:
            let (low, high) = (bytes.bigEndian64(at: 0), bytes.bigEndian64(at: 8))
            self = .long(Identity.Bytes16(high: high.byteSwapped, low: low.byteSwapped))
        }
    }

    /// Reads 4, 8 or 32 hexadecimal digits, most significant first, hyphens left out.
    package init?(text: String) {
        let digits = text.filter { $0 != "-" }
        guard let high = Hex.number(digits.utf8.prefix(16)) else { return nil }
        switch digits.utf8.count {
        case 4: self = .short(UInt16(high))
        case 8: self = .medium(UInt32(high))
        case 32:
            guard let low = Hex.number(digits.utf8.suffix(16)) else { return nil }
            self = .long(Identity.Bytes16(high: high, low: low))
        default: return nil
        }
    }
}
