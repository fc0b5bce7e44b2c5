/// A beacon format decoded from one structure of an advertisement.
package enum BeaconFrame: Equatable, Sendable {
    /// A format, by the name that `beaconmesh decode` prints.
    package enum Format: String, Sendable {
        case iBeacon = "ibeacon"
        case altBeacon = "altbeacon"
        case eddystoneUID = "eddystone-uid"
        case eddystoneURL = "eddystone-url"
        case eddystoneTLM = "eddystone-tlm"
        case eddystoneETLM = "eddystone-etlm"
        case eddystoneEID = "eddystone-eid"
        case eddystoneUnknown = "eddystone-unknown"
        case exposureNotification = "exposure-notification"
        case bthome = "bthome"
        case ruuviTag = "ruuvi"
    }

    case iBeacon(IBeacon)
    case altBeacon(AltBeacon)
    case eddystoneUID(EddystoneUID)
    case eddystoneURL(EddystoneURL)
    case eddystoneTLM(EddystoneTLM)
    case eddystoneETLM(EddystoneETLM)
    case eddystoneEID(EddystoneEID)
    /// An Eddystone frame of another kind, such as `40` of the networks that find things.
    case eddystoneUnknown(frame: UInt8)
    case exposureNotification(ExposureNotification)
    case bthome(BTHome)
    case ruuviTag(RuuviTag)
    /// It begins like a format and cannot be read.
    case unreadable(Format, DecodingFault)

    package var format: Format {
        switch self {
        case .iBeacon: .iBeacon
        case .altBeacon: .altBeacon
        case .eddystoneUID: .eddystoneUID
        case .eddystoneURL: .eddystoneURL
        case .eddystoneTLM: .eddystoneTLM
        case .eddystoneETLM: .eddystoneETLM
        case .eddystoneEID: .eddystoneEID
        case .eddystoneUnknown: .eddystoneUnknown
        case .exposureNotification: .exposureNotification
        case .bthome: .bthome
        case .ruuviTag: .ruuviTag
        case .unreadable(let format, _): format
        }
    }

    /// What could not be read of it, and why. A missing key is told here and is no fault of the
    /// advertisement.
    package var fault: DecodingFault? {
        switch self {
        case .unreadable(_, let fault): fault
        case .bthome(let bthome): bthome.fault
        default: nil
        }
    }
}

extension BeaconFrame {
    /// Reads a manufacturer's structure (type `FF`, company included), in the first format it fits.
    package static func beacon(manufacturerData payload: Span<UInt8>) -> BeaconFrame? {
        if let beacon = IBeacon(manufacturerData: payload) { return .iBeacon(beacon) }
        if let beacon = AltBeacon(manufacturerData: payload) { return .altBeacon(beacon) }
        return RuuviTag.beacon(manufacturerData: payload)
    }

    /// Reads a 16-bit service data structure (type `16`, UUID included). Throws if it is too short
    /// even to say what it is. `sender` is the address that sent it, if one is known.
    package static func beacon(
        serviceData payload: Span<UInt8>, sender: UInt64?, keys: DecodingKeys
    ) throws(DecodingFault) -> BeaconFrame? {
        guard payload.count >= 2 else { return nil }
        switch payload.littleEndian16(at: 0) {
        case 0xFEAA:
            guard let beacon = Eddystone.beacon(serviceData: payload, keys: keys) else {
                throw .eddystoneTruncated
            }
            return beacon
        case 0xFD6F:
            let data = payload.extracting(2..<payload.count)
            return ExposureNotification(data: data).map { .exposureNotification($0) }
        case 0xFCD2:
            let data = payload.extracting(2..<payload.count)
            guard data.count > 0 else { throw .bthomeTruncated }
            return BTHome.beacon(in: data, sender: sender, keys: keys)
        default:
            return nil
        }
    }
}
