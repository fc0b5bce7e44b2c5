import BeaconDecoding
import JSON
import SiteModel
import Wire

/// How `beaconmesh decode` writes advertisements. What has no value is null or left out.
extension JSONWriter {
    /// Status, errors and reports of a packet. `isClassified` says whether somebody wants to know what
    /// sort of devices sent them.
    package mutating func fields(of packet: DecodedPacket, isClassified: Bool) {
        field("status", packet.status.rawValue)
        field("errors", packet.faults.map(\.rawValue))
        key("reports")
        beginArray()
        for decoded in packet.reports { report(decoded, isClassified: isClassified) }
        endArray()
    }

    private mutating func report(_ report: DecodedReport, isClassified: Bool) {
        beginObject()
        field("source", report.header?.source.rawValue ?? "ad")
        if let sender = report.sender { self.sender(sender) }
        if let header = report.header { self.header(header) }
        field("ad_hex", HexText.text(report.data))
        contents(report.contents)
        field("resolved", report.owner)
        if isClassified { device(report.device) }
        endObject()
    }

    private mutating func sender(_ sender: DecodedReport.Sender) {
        field("address", sender.address.map { HexText.text(address: $0) })
        field("address_type", sender.kind?.text)
        guard sender.kind == .random, let address = sender.address else { return }
        let subtypes = ["non-resolvable", "resolvable", "reserved", "static"]
        field("random_subtype", subtypes[Int(address >> 46 & 3)])
    }

    private mutating func header(_ header: AdvertisingHeader) {
        field("pdu", header.pdu.rawValue)
        field("connectable", header.report.isConnectable)
        field("scannable", header.report.isScannable)
        field("directed", header.report.isDirected)
        field("scan_response", header.report.isScanResponse)
        field("legacy_pdu", header.report.isLegacy)
        field("data_status", header.report.dataStatus.rawValue)
        if let extended = header.extended {
            field("primary_phy", extended.primary?.text)
            field("secondary_phy", extended.secondary?.text)
            field("sid", extended.set)
            field("tx_power", extended.txPower)
            field(
                "periodic_interval_ms", number: extended.periodicInterval.map { Double($0) * 1.25 })
        }
        field("rssi", header.level)
        if header.report.isDirected {
            field("direct_address", header.called.map { HexText.text(address: $0) })
        }
    }

    private mutating func contents(_ contents: AdvertisingContents) {
        key("ad")
        beginArray()
        for structure in contents.structures {
            beginObject()
            field("type", structure.type)
            field("data", HexText.text(structure.payload))
            endObject()
        }
        endArray()
        field("ad_ok", contents.isWellFormed)
        if let flags = contents.flags { field("flags", flags) }
        if let name = contents.name {
            field("name", name.text)
            field("name_kind", name.isComplete ? "complete" : "short")
        }
        if let power = contents.txPower { field("ad_tx_power", power) }
        if let appearance = contents.appearance { field("appearance", appearance) }
        field("service_uuids", contents.services.map(\.text))
        key("service_data")
        beginArray()
        for data in contents.serviceData {
            beginObject()
            field("uuid", data.service.text)
            field("data", HexText.text(data.bytes))
            endObject()
        }
        endArray()
        key("manufacturer_data")
        beginArray()
        for data in contents.manufacturerData {
            beginObject()
            field("company", data.company)
            field("data", HexText.text(data.bytes))
            endObject()
        }
        endArray()
        key("beacons")
        beginArray()
        for frame in contents.beacons { beacon(frame) }
        endArray()
    }

    private mutating func device(_ rule: DeviceRule?) {
        key("device")
        beginObject()
        field("class", rule?.deviceClass ?? "unknown")
        field("rule", rule?.id)
        field("confidence", rule?.confidence ?? 0.0)
        endObject()
    }

    /// A number or null.
    package mutating func field(_ name: String, number value: Double?) {
        key(name)
        if let value { number(value) } else { null() }
    }
}

extension AdvertisingReport.AddressKind {
    /// The kind in a word.
    package var text: String {
        switch self {
        case .public: "public"
        case .random: "random"
        case .publicIdentity: "public-identity"
        case .randomIdentity: "random-identity"
        case .anonymous: "anonymous"
        }
    }
}

extension ServiceUUID {
    /// The digits of its own length, not shortened.
    package var text: String {
        switch self {
        case .short(let number): HexText.text(number, bytes: 2)
        case .medium(let number): HexText.text(number, bytes: 4)
        case .long(let number): HexText.text(uuid: number)
        }
    }
}
