import Foundation
import JSON
import Reporting
import SiteModel

/// Writes detections as a file, some after the other.
package struct DetectionWriter: Sendable {
    package enum Format: String, CaseIterable, Sendable {
        case csv
        case json
        case jsonl
        case gpx
        /// The CSV in which wardrivers exchange what they heard (WigleWifi-1.4).
        case wigle
    }

    package let format: Format
    private var text = ""
    private var isFirst = true

    package init(_ format: Format) { self.format = format }

    package static let columns = [
        "id", "source", "source_id", "type", "said", "address", "name", "ssid", "rssi",
        "confidence", "latitude", "longitude", "position_age_ms", "speed_m_s", "heading_deg",
        "activity", "first", "last", "hits", "node", "room",
    ]

    /// Takes what was written since.
    package mutating func take() -> String {
        defer { text = "" }
        return text
    }

    package mutating func begin() {
        switch format {
        case .csv: line(Self.columns)
        case .json: text += "["
        case .jsonl: break
        case .gpx:
            text += """
                <?xml version="1.0" encoding="UTF-8"?>
                <gpx version="1.1" creator="Beaconmesh" xmlns="\(Self.gpxName)">

                """
        case .wigle:
            text +=
                "WigleWifi-1.4,appRelease=Beaconmesh,model=,release=,device=,display=,board=,brand=\n"
            line([
                "MAC", "SSID", "AuthMode", "FirstSeen", "Channel", "RSSI", "CurrentLatitude",
                "CurrentLongitude", "AltitudeMeters", "AccuracyMeters", "Type",
            ])
        }
    }

    package mutating func end() {
        switch format {
        case .json: text += isFirst ? "]\n" : "\n]\n"
        case .gpx: text += "</gpx>\n"
        case .csv, .jsonl, .wigle: break
        }
    }

    /// A detection. Those without a position are in no GPX file and in none for WiGLE; the latter has no shortened
    /// addresses either.
    package mutating func add(_ one: Detection) {
        switch format {
        case .csv: line(Self.cells(one))
        case .json:
            text += (isFirst ? "\n" : ",\n") + one.json
            isFirst = false
        case .jsonl: text += one.json + "\n"
        case .gpx: point(one)
        case .wigle: wigle(one)
        }
    }

    private static func cells(_ one: Detection) -> [String] {
        [
            "\(one.id)", one.source, words(one.sourceID), one.type ?? "", words(one.said),
            one.address ?? "", words(one.name), words(one.ssid), figure(one.rssi),
            figure(one.confidence), figure(one.latitude), figure(one.longitude),
            one.positionAge.map { "\($0)" } ?? "", figure(one.speed),
            figure(one.heading), words(one.activity), moment(one.first), moment(one.last),
            "\(one.hits)", one.node ?? "", one.room ?? "",
        ]
    }

    /// What a spreadsheet takes for no formula, and comes back as it was (`CSVText.unguarded`).
    private static func words(_ text: String?) -> String { CSVText.guarded(text ?? "") }

    private static func figure(_ number: Double?) -> String { number.map { "\($0)" } ?? "" }

    static func moment(_ time: Timestamp) -> String {
        Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private mutating func line(_ cells: [String]) {
        text += CSVText.line(cells, .comma)
    }

    private static let gpxName = "http://www.topografix.com/GPX/1/1"

    private mutating func point(_ one: Detection) {
        guard let latitude = one.latitude, let longitude = one.longitude else { return }
        let title = one.name ?? one.ssid ?? one.said ?? one.type ?? "Device"
        let about = [
            one.said, one.address, one.rssi.map { "\($0) dBm" },
            one.confidence.map { "\(Int(($0 * 100).rounded())) %" }, "\(one.hits)×",
        ].compactMap(\.self).joined(separator: " · ")
        text += """
            <wpt lat="\(Self.degrees(latitude))" lon="\(Self.degrees(longitude >= Self.dateLine ? -180 : longitude))"><time>\(Self.moment(one.first))</time>\
            <name>\(Self.escaped(title))</name><desc>\(Self.escaped(about))</desc>\
            <type>\(Self.escaped(one.type ?? one.said ?? "other"))</type></wpt>

            """
    }

    /// What is written as 180 degrees, which GPX has as −180.
    private static let dateLine = 179.9999999995

    /// A decimal, which has no exponent: a billionth of a degree is a tenth of a millimetre.
    private static func degrees(_ number: Double) -> String { String(format: "%.9f", number) }

    /// Text for XML 1.0, which has no control characters at all.
    static func escaped(_ text: String) -> String {
        var safe = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": safe += "&amp;"
            case "<": safe += "&lt;"
            case ">": safe += "&gt;"
            case "\"": safe += "&quot;"
            case "\t", "\n", "\r": safe += " "
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": safe += "\u{FFFD}"
            default: safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }

    private mutating func wigle(_ one: Detection) {
        guard let latitude = one.latitude, let longitude = one.longitude, let address = one.address,
            address.utf8.count == 12
        else { return }
        let pairs = stride(from: 0, to: 12, by: 2).map { start in
            String(address.dropFirst(start).prefix(2)).uppercased()
        }
        // `2026-05-28 20:26:40`
        let seen = Self.moment(one.first).replacing("T", with: " ").prefix(19)
        line([
            pairs.joined(separator: ":"), Self.words(one.ssid ?? one.name),
            Self.words(one.said ?? one.type),
            String(seen), "0", one.rssi.map { "\(Int($0.rounded()))" } ?? "0", "\(latitude)",
            "\(longitude)", "0", "0", one.ssid == nil ? "BLE" : "WIFI",
        ])
    }
}

extension Detection {
    /// As it is taken in again, with its row and where it was heard.
    package var json: String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("id", sourceID ?? "\(id)")
        writer.field("source", source)
        func text(_ name: String, _ value: String?) { if let value { writer.field(name, value) } }
        func number(_ name: String, _ value: Double?) {
            if let value { writer.field(name, value) }
        }
        text("type", type)
        text("said", said)
        text("address", address)
        text("name", name)
        text("ssid", ssid)
        number("rssi", rssi)
        number("confidence", confidence)
        number("latitude", latitude)
        number("longitude", longitude)
        number("speed_m_s", speed)
        number("heading_deg", heading)
        text("activity", activity)
        if let positionAge { writer.field("position_age_ms", positionAge) }
        writer.field("first_ms", first.milliseconds)
        writer.field("last_ms", last.milliseconds)
        writer.field("hits", hits)
        text("node", node)
        text("room", room)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
