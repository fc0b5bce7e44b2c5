/// `core/{c}/info`, retained: what a coordinator is and owns.
public struct CoreInfoPayload: Payload {
    /// The version of the program.
    public var version: String
    /// The slugs of its sites.
    public var sites: [String]
    /// When its process started, in ms since 1970.
    public var startedMs: Int64

    /// A coordinator's description.
    public init(
        version: String, sites: [String], startedMs: Int64
    ) {
        self.version = version
        self.sites = sites
        self.startedMs = startedMs
    }

    /// Takes the values out of a checked text.
    public init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        version = try object.required("version", json).text(json)
        sites = try object.required("sites", json).slugs(json)
        startedMs = try object.required("started_ms", json).time(json)
    }

    /// Writes the object.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("version", version)
        writer.field("sites", sites)
        writer.field("started_ms", startedMs)
        writer.endObject()
    }
}
