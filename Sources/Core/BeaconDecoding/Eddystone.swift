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
