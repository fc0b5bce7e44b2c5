import Basics
import JSON

/// `node/{n}/raw`, only while a lease runs: one advertisement as the node heard it.
package struct RawPayload: Payload {
    /// What sort of address the sender showed.
    package enum AddressType: String, Sendable, CaseIterable {
        /// Assigned for ever.
        case `public`
        /// Random, kept at least until the device restarts.
        case randomStatic = "random-static"
        /// Random, changing, resolvable with the owner's key.
        case rpa
        /// Random, changing, of use to nobody.
        case nrpa
        /// Random, of a form the specification keeps for later.
        case reserved
        /// A private address that the controller itself resolved to a public one.
        case publicIdentity = "public-identity"
        /// A private address that the controller itself resolved to a static random one.
        case randomIdentity = "random-identity"
        /// None at all.
        case anonymous
    }

    /// The kind of packet, as the Bluetooth specification calls it.
    package enum Event: String, Sendable, CaseIterable {
        case connectable = "ADV_IND"
        case directed = "ADV_DIRECT_IND"
        case scannable = "ADV_SCAN_IND"
        case plain = "ADV_NONCONN_IND"
        case scanResponse = "SCAN_RSP"
        /// Any packet of extended advertising.
        case extended = "EXT"
    }

    /// The most bytes of data an advertisement has.
    package static let mostData = 1650

    /// The node's process.
    package var boot: UInt64
    /// Counts the advertisements told in this boot, from 1.
    package var seq: Int64
    /// When it was heard, by the node's clock, in ms since 1970.
    package var tMs: Int64
    /// The level in dBm, or `nil` if the radio had none.
    package var rssi: Double?
    /// The address as 12 digits, most significant first; or eight times `x` and four digits that stand
    /// for the same device as long as the lease lasts.
    package var addr: String
    /// What sort of address it is.
    package var addrType: AddressType
    /// The kind of packet.
    package var event: Event
    /// The AD structures as they came, or `nil` if they are withheld.
    package var data: [UInt8]?
    /// Advertisements left out since the lease began, because there were too many.
    package var leftOut: Int64

    package init(
        boot: UInt64, seq: Int64, tMs: Int64, rssi: Double?, addr: String, addrType: AddressType,
        event: Event, data: [UInt8]?, leftOut: Int64
    ) {
        self.boot = boot
        self.seq = seq
        self.tMs = tMs
        self.rssi = rssi
        self.addr = addr
        self.addrType = addrType
        self.event = event
        self.data = data
        self.leftOut = leftOut
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        boot = try object.required("boot", json).boot(json)
        seq = try object.required("seq", json).integer(json, from: 1)
        tMs = try object.required("t_ms", json).time(json)
        rssi = try object.nullable("rssi", json)?.level(json)
        addr = try object.required("addr", json).text(json)
        guard Self.isAddress(addr) else { throw .unknownValue(field: "addr") }
        addrType = try object.required("addr_type", json).choice(json, of: AddressType.self)
        event = try object.required("event", json).choice(json, of: Event.self)
        data = try object.nullable("data", json).map { (value) throws(PayloadError) in
            try Self.bytes(try value.text(json))
        }
        leftOut = try object.required("left_out", json).integer(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("boot", boot: boot)
        writer.field("seq", seq)
        writer.field("t_ms", tMs)
        writer.key("rssi")
        if let rssi { writer.tenths(rssi) } else { writer.null() }
        writer.field("addr", addr)
        writer.field("addr_type", addrType.rawValue)
        writer.field("event", event.rawValue)
        writer.field("data", data.map(Hex.text))
        writer.field("left_out", leftOut)
        writer.endObject()
    }

    private static func isAddress(_ text: String) -> Bool {
        Hex.value(text, count: 12) != nil
            || text.hasPrefix("xxxxxxxx") && Hex.value(text.dropFirst(8), count: 4) != nil
    }

    private static func bytes(_ text: String) throws(PayloadError) -> [UInt8] {
        guard text.utf8.count <= 2 * mostData else { throw .outOfRange(field: "data") }
        guard let bytes = Hex.bytes(text) else { throw .unknownValue(field: "data") }
        return bytes
    }
}
