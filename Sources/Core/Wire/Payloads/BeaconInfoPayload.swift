/// `beacon/{b}/info`, retained: what a registered beacon is. Beacons are things, not people.
package struct BeaconInfoPayload: Payload {
    /// What a beacon can be recognised by.
    package enum Kind: String, Sendable, CaseIterable {
        case iBeacon = "ibeacon"
        case altBeacon = "altbeacon"
        case eddystoneUID = "eddystone-uid"
        case eddystoneEID = "eddystone-eid"
        case address
        case irk
        case name
    }

    /// What it is recognised by.
    package var kind: Kind
    /// What people call it. Hostile text: only ever shown as text.
    package var title: String

    package init(
        kind: Kind, title: String
    ) {
        self.kind = kind
        self.title = title
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        kind = try object.required("kind", json).choice(json, of: Kind.self)
        title = try object.required("title", json).text(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("kind", kind.rawValue)
        writer.field("title", title)
        writer.endObject()
    }
}
