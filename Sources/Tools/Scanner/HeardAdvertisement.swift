import BeaconDecoding
import SiteModel
import Wire

/// One advertisement as a person wants to see it, wherever it was heard.
package struct HeardAdvertisement {
    /// The level in dBm as the controller said it, or `nil` if it had none.
    var level: Int8?
    /// The address as people write it, or what a node left of it; empty for none.
    var address: String
    /// What sort of address that is: `public`, `random-static`, `rpa`, `nrpa`, `anonymous`, …
    var addressKind: String
    /// The packet that was in the air, `ADV_IND` and so on; empty if nobody said.
    var event: String
    /// The advertising data; empty where a node withholds them.
    var data: [UInt8]
    /// What the data say.
    var contents: AdvertisingContents
    /// The stable name, or `nil` of one whose name changes.
    var identity: Identity?
    /// The beacon's own name, of an advertisement that holds a beacon format.
    var beacon: Identity?
    /// What sort of device it is, by rules, and how sure that is.
    var device: DeviceRule?
    /// The label of the key that resolves the address, or `nil`.
    var owner: String?

    /// The formats it holds, each once, in the order met, by the names `beaconmesh decode` prints.
    var formats: [BeaconFrame.Format] {
        var formats: [BeaconFrame.Format] = []
        for beacon in contents.beacons where !formats.contains(beacon.format) {
            formats.append(beacon.format)
        }
        return formats
    }
}

extension HeardAdvertisement {
    init(_ report: DecodedReport) {
        level = report.header?.level
        event = report.header?.pdu.rawValue ?? ""
        data = report.data
        contents = report.contents
        device = report.device
        owner = report.owner
        beacon = Identification.beacon(in: report.data.span)?.identity
        let fixed = report.header?.report.fixedAddress
        identity = beacon ?? fixed.map { .address($0) }
        guard let number = report.sender?.address else {
            (address, addressKind) = ("", report.sender?.kind?.text ?? "")
            return
        }
        address = HexText.text(address: number)
        addressKind = Self.kind(report.sender?.kind, of: number)
    }

    /// The words a node uses on `node/{n}/raw`.
    private static func kind(
        _ kind: AdvertisingReport.AddressKind?, of address: UInt64
    ) -> String {
        switch kind {
        case .random:
            switch address >> 46 & 3 {
            case 0b00: "nrpa"
            case 0b01: "rpa"
            case 0b11: "random-static"
            default: "random"
            }
        case let kind?: kind.text
        case nil: ""
        }
    }
}
