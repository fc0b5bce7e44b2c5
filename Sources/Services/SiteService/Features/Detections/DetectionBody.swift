import Basics
import Detections
import JSON
import SiteModel
import Synchronization
import Wire

/// A detection in a body, with or without what it means: one that cannot be read is refused by itself.
struct DetectionBody: Sendable {
    /// Its members; `id`, and `t_ms` or `first_ms` and `last_ms`, are needed.
    static let names = [
        "id", "type", "said", "address", "name", "ssid", "rssi", "confidence", "latitude",
        "longitude", "speed_m_s", "heading_deg", "activity", "t_ms", "first_ms", "last_ms", "hits",
    ]
    /// The same as other programs call them.
    static let others = ["deviceType", "macAddress", "speed", "heading", "timestamp"]
    /// What an export has beside them, which is found out anew.
    private static let ignored = ["source", "node", "room"]

    /// Who is this far ahead of our clock has a wrong one, in ms.
    private static let ahead: Int64 = 5 * 60_000
    /// Older than this it would be deleted at once.
    private static let oldest: Int64 = 30 * 86_400_000

    let id: String
    let detection: Detection?
    /// What is wrong with it, in words.
    let fault: String?

    init(
        _ one: JSONObject, _ json: Span<UInt8>, of source: String, at now: Timestamp
    ) throws(PayloadError) {
        let called = try one.required("id", json)
        id =
            try called.kind(json) == .number
            ? "\(try called.integer(json))" : try called.words(json, limit: 64)
        do throws(PayloadError) {
            detection = try Self.read(id, one, json, of: source, at: now)
            fault = nil
        } catch {
            detection = nil
            fault = error.words
        }
    }

    private static func read(
        _ id: String, _ one: JSONObject, _ json: Span<UInt8>, of source: String, at now: Timestamp
    ) throws(PayloadError) -> Detection {
        let known = names + others + ignored
        for member in try one.members(json) where !known.contains(member.name) {
            throw .unknownMember(field: member.name)
        }
        func value(_ names: String...) throws(PayloadError) -> JSONValue? {
            for name in names {
                if let value = try one.optional(name, json), try value.kind(json) != .null {
                    return value
                }
            }
            return nil
        }
        var detection = Detection()
        detection.source = source
        detection.sourceID = id
        detection.type = try value("type")?.slug(json)
        detection.said = try value("said", "deviceType")?.words(json, limit: 64)
        if let address = try value("address", "macAddress") {
            detection.address = try self.address(address, json)
        }
        detection.name = try value("name")?.words(json, limit: 248)
        detection.ssid = try value("ssid")?.words(json, limit: 32)
        detection.rssi = try value("rssi")?.number(json, in: -127...20)
        detection.confidence = try value("confidence")?.number(json, in: 0...1)
        detection.latitude = try value("latitude")?.number(json, in: -90...90)
        detection.longitude = try value("longitude")?.number(json, in: -180...180)
        guard (detection.latitude == nil) == (detection.longitude == nil) else {
            throw .missing(field: detection.latitude == nil ? "latitude" : "longitude")
        }
        detection.speed = try value("speed_m_s", "speed")?.number(json, in: 0...1000)
        detection.heading = try value("heading_deg", "heading")?.number(json, in: 0...360)
        detection.activity = try value("activity")?.words(json, limit: 32)
        detection.hits =
            try value("hits")?.integer(
                json, from: 1, through: SightingsPayload.mostHits) ?? 1
        (detection.first, detection.last) = try moments(one, json)
        guard detection.last.milliseconds <= now.milliseconds + ahead,
            detection.last.milliseconds >= now.milliseconds - oldest
        else { throw .outOfRange(field: "t_ms") }
        return detection
    }

    private static func moments(
        _ one: JSONObject, _ json: Span<UInt8>
    ) throws(PayloadError) -> (Timestamp, Timestamp) {
        if let first = try one.optional("first_ms", json) {
            let last = try one.required("last_ms", json).time(json)
            let from = try first.time(json)
            guard from <= last else { throw .outOfRange(field: "last_ms") }
            return (Timestamp(milliseconds: from), Timestamp(milliseconds: last))
        }
        if let text = try one.optional("timestamp", json) {
            guard let moment = Timestamp(zoned: try text.text(json)) else {
                throw .unknownValue(field: "timestamp")
            }
            return (moment, moment)
        }
        let moment = Timestamp(milliseconds: try one.required("t_ms", json).time(json))
        return (moment, moment)
    }

    private static func address(
        _ value: JSONValue, _ json: Span<UInt8>
    ) throws(PayloadError) -> String {
        let text = try value.text(json).lowercased()
        let digits = text.filter { $0 != ":" && $0 != "-" }
        let isAddress = Hex.value(digits, count: 12) != nil
        // What was exported may have been shortened before.
        let isShortened = text.wholeMatch(of: /x-[0-9a-f]{16}/) != nil
        guard isAddress || isShortened else { throw .unknownValue(field: value.name) }
        return isShortened ? text : digits
    }
}

/// How many detections are taken within a minute.
final class DetectionBudget: Sendable {
    private let aMinute: Int
    private let taken = Mutex<(minute: Int64, count: Int)>((0, 0))

    init(aMinute: Int) { self.aMinute = aMinute }

    /// Takes so many; else after how many seconds they may be taken.
    func wait(for count: Int, at now: Timestamp) -> Int? {
        let minute = now.milliseconds / 60_000
        return taken.withLock { taken in
            if taken.minute != minute { taken = (minute, 0) }
            guard taken.count + count <= aMinute else {
                return Int(60 - now.milliseconds / 1000 % 60)
            }
            taken.count += count
            return nil
        }
    }
}
