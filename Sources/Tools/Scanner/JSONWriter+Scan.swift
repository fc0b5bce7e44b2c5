import Basics
import SiteModel
import Wire

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
