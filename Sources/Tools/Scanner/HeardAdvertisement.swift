import Basics
import BeaconDecoding
import JSON
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

/// How `beaconmesh scan --json` writes. The same JSON as ever, but what could draw on a terminal is
/// escaped, because people look at it there.
extension JSONWriter {
    /// One transmitter at a moment.
    package mutating func row(_ row: ScanRow, at now: Timestamp) {
        beginObject()
        field("at_ms", now.milliseconds)
        field("id", escaped: row.id)
        field("name", escaped: row.name)
        field("address", escaped: row.address)
        field("address_type", escaped: row.addressKind)
        field("formats", row.formats.map(\.rawValue))
        field("class", escaped: row.device?.deviceClass)
        key("rssi")
        if let level = row.smoother.level { tenths(level.dBm) } else { null() }
        field("raw", row.newest)
        field("per_s", tenths: row.rate(at: now))
        field("age_s", tenths: max(0, (now - row.last).seconds))
        field("count", row.count)
        key("levels")
        beginArray()
        for level in row.levels(at: now) {
            if let level { number(level) } else { null() }
        }
        endArray()
        endObject()
    }

    /// One advertisement; the names of fields are those of a node's `raw`.
    package mutating func advertisement(
        _ advertisement: HeardAdvertisement, _ row: ScanRow, at moment: Timestamp, leftOut: Int64?
    ) {
        beginObject()
        field("t_ms", moment.milliseconds)
        field("rssi", advertisement.level)
        field("addr", escaped: advertisement.address)
        field("addr_type", escaped: advertisement.addressKind)
        field("event", escaped: advertisement.event)
        field("id", escaped: row.id)
        field("name", escaped: advertisement.contents.name?.text)
        field("formats", advertisement.formats.map(\.rawValue))
        field("class", escaped: advertisement.device?.deviceClass)
        field("data", HexText.text(advertisement.data))
        if let leftOut { field("left_out", leftOut) }
        endObject()
    }

    private mutating func field(_ name: String, escaped text: String?) {
        key(name)
        guard let text else { return null() }
        raw(Self.quoted(text))
    }
}

extension HeardAdvertisement {
    /// The advertisement on one line: time, level, sender, packet, what it is, bytes.
    func line(_ row: ScanRow, at time: String) -> String {
        var parts = [time, level.map { "\($0) dBm" } ?? "? dBm"]
        parts.append(address.isEmpty ? addressKind : "\(address) (\(addressKind))")
        if !event.isEmpty { parts.append(event) }
        if row.id != address { parts.append(row.id) }
        parts += formats.map(\.title)
        if let name = contents.name { parts.append("“\(name.text)”") }
        if let device { parts.append(device.deviceClass) }
        parts.append(data.isEmpty ? "(withheld)" : HexText.text(data))
        return TerminalText.harmless(parts.joined(separator: "  "))
    }
}
