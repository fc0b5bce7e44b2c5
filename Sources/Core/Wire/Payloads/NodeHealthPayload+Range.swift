import JSON

/// What of a node's health tells of registered beacons that seem too far away.
extension NodeHealthPayload {
    /// A registered beacon that is received and seems to be beyond the range.
    package struct OutOfRange: Equatable, Sendable {
        /// Its slug.
        package var beacon: String
        /// Advertisements kept out.
        package var count: Int64
        /// The level of the latest, in dBm.
        package var rssi: Double
        /// What that claims to have at 1 m, in dBm; `nil` if nothing.
        package var tx: Double?

        package init(beacon: String, count: Int64, rssi: Double, tx: Double? = nil) {
            self.beacon = beacon
            self.count = count
            self.rssi = rssi
            self.tx = tx
        }
    }

    /// The most such beacons of a message.
    package static let mostOutOfRange = 16

    static func outOfRange(
        _ object: JSONObject, _ json: Span<UInt8>
    ) throws(PayloadError) -> [OutOfRange] {
        try object.optional("out_of_range", json)?.list(json, atMost: Self.mostOutOfRange) {
            (element, json) throws(PayloadError) in
            let far = try element.object(json)
            return OutOfRange(
                beacon: try far.required("beacon", json).slug(json),
                count: try far.required("count", json).integer(json),
                rssi: try far.required("rssi", json).level(json),
                tx: try far.optional("tx", json)?.number(json, in: -128...127))
        } ?? []
    }

    func writeOutOfRange(to writer: inout JSONWriter) {
        if !outOfRange.isEmpty {
            writer.key("out_of_range")
            writer.beginArray()
            for far in outOfRange {
                writer.beginObject()
                writer.field("beacon", far.beacon)
                writer.field("count", far.count)
                writer.field("rssi", far.rssi)
                if let tx = far.tx { writer.field("tx", tx) }
                writer.endObject()
            }
            writer.endArray()
        }
    }
}
