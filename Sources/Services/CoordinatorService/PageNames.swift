import Wire

/// The names the page shows beside slugs, as JSON. They travel over HTTP only, never over MQTT.
enum PageNames {
    static func json(_ names: Names) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("site")
        writer.beginObject()
        writer.field("id", names.site)
        writer.field("name", names.siteName)
        writer.field("demo", names.isDemo)
        writer.endObject()
        write("rooms", names.rooms, to: &writer)
        write("stations", names.stations, to: &writer)
        write("nodes", names.nodes, to: &writer)
        write("users", names.users, to: &writer)
        write("beacons", names.beacons, to: &writer)
        writer.endObject()
        return writer.bytes
    }

    private static func write<Of>(
        _ key: String, _ table: NameTable<Of>, to writer: inout JSONWriter
    ) {
        writer.key(key)
        writer.beginObject()
        for entry in table.entries { writer.field(entry.slug, entry.name) }
        writer.endObject()
    }
}
