/// `core/{c}/info`, retained: what a coordinator is and owns.
package struct CoreInfoPayload: Payload {
    /// The version of the program.
    package var version: String
    /// The slugs of its sites.
    package var sites: [String]
    /// When its process started, in ms since 1970.
    package var startedMs: Int64

    package init(
        version: String, sites: [String], startedMs: Int64
    ) {
        self.version = version
        self.sites = sites
        self.startedMs = startedMs
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        version = try object.required("version", json).text(json)
        sites = try object.required("sites", json).slugs(json)
        startedMs = try object.required("started_ms", json).time(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("version", version)
        writer.field("sites", sites)
        writer.field("started_ms", startedMs)
        writer.endObject()
    }
}
