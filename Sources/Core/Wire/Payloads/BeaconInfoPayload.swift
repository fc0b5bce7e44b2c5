/// `beacon/{b}/info`, retained: what a registered beacon is. Beacons are things, not people.
public struct BeaconInfoPayload: Payload {
    /// What a beacon can be recognised by.
    public enum Kind: String, Sendable, CaseIterable {
        case iBeacon = "ibeacon"
        case altBeacon = "altbeacon"
        case eddystoneUID = "eddystone-uid"
        case eddystoneEID = "eddystone-eid"
        case address
        case irk
        case name
    }

    /// What it is recognised by.
    public var kind: Kind
    /// What people call it. Hostile text: only ever shown as text.
    public var title: String

    /// A beacon's description.
    public init(
        kind: Kind, title: String
    ) {
        self.kind = kind
        self.title = title
    }

    /// Takes the values out of a checked text.
    public init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        kind = try object.required("kind", json).choice(json, of: Kind.self)
        title = try object.required("title", json).text(json)
    }

    /// Writes the object.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("kind", kind.rawValue)
        writer.field("title", title)
        writer.endObject()
    }
}
