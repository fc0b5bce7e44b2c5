import Basics
import JSON
import SiteModel

/// `node/{n}/sightings`: devices of known types that nobody registered, as a node hears them. Each is told once it was heard
/// for two seconds, then each half minute while it is there, and once more when it has gone.
package struct SightingsPayload: Payload {
    /// One device since it came.
    package struct Sighting: Equatable, Sendable {
        /// 12 hexadecimal digits.
        package var addr: String
        package var addrType: RawPayload.AddressType
        /// The slug of its device type, by the node's rules.
        package var type: String
        /// How sure that is, 0 ... 1.
        package var confidence: Double
        /// What it calls itself. Hostile text: only ever shown as text.
        package var name: String?
        /// The strongest level since then, in dBm.
        package var rssi: Double
        /// By the node's clock, as `t_ms` is.
        package var firstMs: Int64
        package var lastMs: Int64
        /// Advertisements since then.
        package var hits: Int64

        package init(
            addr: String, addrType: RawPayload.AddressType, type: String, confidence: Double,
            name: String? = nil, rssi: Double, firstMs: Int64, lastMs: Int64, hits: Int64
        ) {
            self.addr = addr
            self.addrType = addrType
            self.type = type
            self.confidence = confidence
            self.name = name
            self.rssi = rssi
            self.firstMs = firstMs
            self.lastMs = lastMs
            self.hits = hits
        }
    }

    /// 32 KiB: `most` of them whatever they are called.
    package static let limit = 32 * 1024
    /// The most devices of a message.
    package static let most = 32
    /// The longest name, in Unicode scalars; of a longer one the beginning is told.
    package static let longestName = 60

    /// The most advertisements of a device: 1,000 a second for eleven days.
    package static let mostHits: Int64 = 1_000_000_000

    package var boot: UInt64
    package var tMs: Int64
    /// At most `most`.
    package var sightings: [Sighting]

    package init(boot: UInt64, tMs: Int64, sightings: [Sighting]) {
        self.boot = boot
        self.tMs = tMs
        self.sightings = sightings
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        boot = try object.required("boot", json).boot(json)
        tMs = try object.required("t_ms", json).time(json)
        sightings = try object.required("sightings", json).list(json, atMost: Self.most) {
            (element, json) throws(PayloadError) in
            let one = try element.object(json)
            let addr = try one.required("addr", json).text(json)
            guard Hex.value(addr, count: 12) != nil else {
                throw PayloadError.unknownValue(field: "addr")
            }
            return Sighting(
                addr: addr,
                addrType: try one.required("addr_type", json).choice(
                    json, of: RawPayload.AddressType.self),
                type: try one.required("type", json).slug(json),
                confidence: try one.required("confidence", json).number(json, in: 0...1),
                name: try one.optional("name", json)?.text(json, limit: Self.longestName),
                rssi: try one.required("rssi", json).level(json),
                firstMs: try one.required("first_ms", json).time(json),
                lastMs: try one.required("last_ms", json).time(json),
                hits: try one.required("hits", json).integer(json, from: 1, through: Self.mostHits))
        }
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("boot", boot: boot)
        writer.field("t_ms", tMs)
        writer.key("sightings")
        writer.beginArray()
        for one in sightings {
            writer.beginObject()
            writer.field("addr", one.addr)
            writer.field("addr_type", one.addrType.rawValue)
            writer.field("type", one.type)
            writer.field("confidence", one.confidence)
            if let name = one.name { writer.field("name", name) }
            writer.field("rssi", one.rssi)
            writer.field("first_ms", one.firstMs)
            writer.field("last_ms", one.lastMs)
            writer.field("hits", one.hits)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }
}
