import SiteModel

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

/// Apple's beacon format, in manufacturer's data: company `4C 00`, `02 15`, UUID 16, major 2, minor
/// 2 (big-endian, unsigned), level at 1 m 1 (signed dBm). Some tags append a battery level.
package struct IBeacon: Equatable, Sendable {
    package var uuid: Identity.Bytes16
    /// Which group of them.
    package var major: UInt16
    /// Which of the group.
    package var minor: UInt16
    /// The level it claims to have at 1 m.
    package var measuredPower: RSSI

    /// The beacon in a manufacturer's structure (type `FF`, company included), if it is one.
    init?(manufacturerData payload: Span<UInt8>) {
        guard payload.count >= 25, payload[0] == 0x4C, payload[1] == 0x00, payload[2] == 0x02,
            payload[3] == 0x15
        else { return nil }
        uuid = payload.bytes16(at: 4)
        major = payload.bigEndian16(at: 20)
        minor = payload.bigEndian16(at: 22)
        measuredPower = payload.level(at: 24)
    }

    /// What it stands for.
    package var identified: Identified {
        Identified(
            identity: .iBeacon(uuid: uuid, major: major, minor: minor),
            measuredPower: measuredPower)
    }
}

/// The AltBeacon format, in manufacturer's data: company 2 (any), `BE AC`, id 20, level at 1 m 1
/// (signed dBm), reserved 1.
package struct AltBeacon: Equatable, Sendable {
    /// The company that made it, by Bluetooth's assigned numbers.
    package var company: UInt16
    /// The first 16 bytes of its name.
    package var head: Identity.Bytes16
    /// The last 4 bytes of its name.
    package var tail: UInt32
    /// The level it claims to have at 1 m.
    package var measuredPower: RSSI
    /// For the company's own use.
    package var reserved: UInt8

    /// The beacon in a manufacturer's structure (type `FF`, company included), if it is one.
    package init?(manufacturerData payload: Span<UInt8>) {
        guard payload.count >= 26, payload[2] == 0xBE, payload[3] == 0xAC else { return nil }
        company = payload.littleEndian16(at: 0)
        head = payload.bytes16(at: 4)
        tail = payload.bigEndian32(at: 20)
        measuredPower = payload.level(at: 24)
        reserved = payload[25]
    }

    /// What it stands for.
    package var identified: Identified {
        Identified(
            identity: .altBeacon(head: head, tail: tail), measuredPower: measuredPower)
    }
}

/// What phones sent to record who met whom, in service data of UUID `6F FD`: identifier 16,
/// encrypted metadata 4.
package struct ExposureNotification: Equatable, Sendable {
    /// The rolling proximity identifier.
    package var identifier: Identity.Bytes16
    /// The associated encrypted metadata.
    package var metadata: UInt32

    /// Reads what follows the UUID; `nil` if it is too short.
    init?(data: Span<UInt8>) {
        guard data.count >= 20 else { return nil }
        identifier = data.bytes16(at: 0)
        metadata = data.bigEndian32(at: 16)
    }
}
