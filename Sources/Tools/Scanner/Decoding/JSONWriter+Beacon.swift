import BeaconDecoding
import JSON
import SiteModel
import Wire

/// How `beaconmesh decode` writes what stands in a beacon format.
extension JSONWriter {
    /// A beacon as an object.
    package mutating func beacon(_ frame: BeaconFrame) {
        beginObject()
        field("type", frame.format.rawValue)
        fields(of: frame)
        if let fault = frame.fault { field("error", fault.rawValue) }
        endObject()
    }

    private mutating func fields(of frame: BeaconFrame) {
        switch frame {
        case .iBeacon(let beacon):
            field("uuid", HexText.text(uuid: beacon.uuid))
            field("major", beacon.major)
            field("minor", beacon.minor)
            field("measured_power", beacon.measuredPower.dBm)
        case .altBeacon(let beacon):
            field("company", beacon.company)
            field("id", text(beacon.head) + HexText.text(beacon.tail, bytes: 4))
            field("reference_rssi", beacon.measuredPower.dBm)
            field("mfg_reserved", beacon.reserved)
        case .eddystoneUID(let beacon):
            let name = text(beacon.name)
            field("tx_power_0m", beacon.powerAtZero.dBm)
            field("namespace", String(name.prefix(20)))
            field("instance", String(name.suffix(12)))
        case .eddystoneURL(let beacon):
            field("tx_power_0m", beacon.powerAtZero.dBm)
            field("url", beacon.url)
        case .eddystoneTLM(let beacon):
            field("version", 0)
            field("battery_mv", beacon.battery)
            field("temperature_c", number: beacon.temperature)
            field("adv_count", beacon.advertisements)
            field("uptime_s", number: Double(beacon.uptime) / 10)
        case .eddystoneETLM(let beacon):
            field("version", 1)
            field("etlm", HexText.text(beacon.readings))
            field("salt", HexText.text(beacon.salt, bytes: 2))
            field("mic", HexText.text(beacon.check, bytes: 2))
        case .eddystoneEID(let beacon):
            field("tx_power_0m", beacon.powerAtZero.dBm)
            field("eid", HexText.text(beacon.name, bytes: 8))
            field("resolved", beacon.resolved)
        case .eddystoneUnknown(let frame): field("frame", frame)
        case .exposureNotification(let beacon):
            field("rpi", text(beacon.identifier))
            field("aem", HexText.text(beacon.metadata, bytes: 4))
        case .bthome(let bthome): fields(of: bthome)
        case .ruuviTag(let tag): fields(of: tag)
        case .unreadable: break
        }
    }

    private func text(_ bytes: Identity.Bytes16) -> String {
        HexText.text(bytes.high, bytes: 8) + HexText.text(bytes.low, bytes: 8)
    }

    private mutating func fields(of bthome: BTHome) {
        field("version", 2)
        field("encrypted", bthome.encryption != nil)
        field("trigger", bthome.isTriggered)
        if let address = bthome.address { field("mac", HexText.text(address: address)) }
        if let encryption = bthome.encryption {
            field("counter", encryption.counter)
            field("decrypted", encryption.isDecrypted)
            guard encryption.isDecrypted else { return }
        }
        if let packet = bthome.packet { field("packet_id", packet) }
        key("objects")
        beginArray()
        for object in bthome.objects {
            beginObject()
            field("id", object.id)
            field("name", object.name)
            value(object.value)
            endObject()
        }
        endArray()
    }

    private mutating func value(_ value: BTHomeObject.Value) {
        switch value {
        case .number(let number): field("value", number)
        case .flag(let flag): field("value", flag)
        case .press(let word), .text(let word): field("value", word)
        case .raw(let bytes): field("value", HexText.text(bytes))
        case .version(let parts): field("value", parts.map { "\($0)" }.joined(separator: "."))
        case .unknown: field("value", nil as String?)
        case .turn(let direction, let steps):
            key("value")
            beginObject()
            field(direction, steps)
            endObject()
        }
    }

    private mutating func fields(of tag: RuuviTag) {
        field("format", tag.format)
        field("temperature_c", number: tag.temperature)
        field("humidity_pct", number: tag.humidity)
        field("pressure_pa", tag.pressure)
        key("accel_g")
        beginArray()
        for axis in tag.acceleration {
            if let axis { number(axis) } else { null() }
        }
        endArray()
        field("battery_mv", tag.battery)
        guard let more = tag.more else { return }
        field("tx_power", more.txPower)
        field("movement", more.movement)
        field("sequence", more.sequence)
        field("mac", more.address.map { HexText.text(address: $0) })
    }
}
