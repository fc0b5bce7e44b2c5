/// What the objects of BTHome are: their lengths and meanings by id (bthome.io/format).
struct BTHomeKind: Sendable {
    /// How the bytes of a value are read. Numbers are little-endian.
    enum Meaning: Sendable {
        /// A number, multiplied by `times / per`.
        case unsigned(times: Int = 1, per: Int = 1)
        /// The same in two's complement.
        case signed(times: Int = 1, per: Int = 1)
        case flag
        case button
        case dimmer
        case text
        case raw
        case version

        /// Whether a length stands before the value.
        var isVariable: Bool {
            switch self {
            case .text, .raw: true
            case .unsigned, .signed, .flag, .button, .dimmer, .version: false
            }
        }
    }

    /// What it measures; several ids may share a name.
    var name: String
    /// Bytes of the value; 0 if a length stands before it.
    var length: Int
    /// How they are read.
    var meaning: Meaning

    /// Every kind by its id.
    static let all: [UInt8: BTHomeKind] = Dictionary(
        uniqueKeysWithValues: rows.map { id, name, length, meaning in
            (id, BTHomeKind(name: name, length: length, meaning: meaning))
        })

    private static let rows: [(UInt8, String, Int, Meaning)] = [
        (0x00, "packet_id", 1, .unsigned()),
        (0x01, "battery", 1, .unsigned()),
        (0x02, "temperature", 2, .signed(per: 100)),
        (0x03, "humidity", 2, .unsigned(per: 100)),
        (0x04, "pressure", 3, .unsigned(per: 100)),
        (0x05, "illuminance", 3, .unsigned(per: 100)),
        (0x06, "mass", 2, .unsigned(per: 100)),
        (0x07, "mass", 2, .unsigned(per: 100)),
        (0x08, "dew_point", 2, .signed(per: 100)),
        (0x09, "count", 1, .unsigned()),
        (0x0A, "energy", 3, .unsigned(per: 1_000)),
        (0x0B, "power", 3, .unsigned(per: 100)),
        (0x0C, "voltage", 2, .unsigned(per: 1_000)),
        (0x0D, "pm25", 2, .unsigned()),
        (0x0E, "pm10", 2, .unsigned()),
        (0x0F, "generic", 1, .flag),
        (0x10, "power", 1, .flag),
        (0x11, "opening", 1, .flag),
        (0x12, "carbon_dioxide", 2, .unsigned()),
        (0x13, "volatile_organic_compounds", 2, .unsigned()),
        (0x14, "moisture", 2, .unsigned(per: 100)),
        (0x15, "battery", 1, .flag),
        (0x16, "battery_charging", 1, .flag),
        (0x17, "carbon_monoxide", 1, .flag),
        (0x18, "cold", 1, .flag),
        (0x19, "connectivity", 1, .flag),
        (0x1A, "door", 1, .flag),
        (0x1B, "garage_door", 1, .flag),
        (0x1C, "gas", 1, .flag),
        (0x1D, "heat", 1, .flag),
        (0x1E, "light", 1, .flag),
        (0x1F, "lock", 1, .flag),
        (0x20, "moisture", 1, .flag),
        (0x21, "motion", 1, .flag),
        (0x22, "moving", 1, .flag),
        (0x23, "occupancy", 1, .flag),
        (0x24, "plug", 1, .flag),
        (0x25, "presence", 1, .flag),
        (0x26, "problem", 1, .flag),
        (0x27, "running", 1, .flag),
        (0x28, "safety", 1, .flag),
        (0x29, "smoke", 1, .flag),
        (0x2A, "sound", 1, .flag),
        (0x2B, "tamper", 1, .flag),
        (0x2C, "vibration", 1, .flag),
        (0x2D, "window", 1, .flag),
        (0x2E, "humidity", 1, .unsigned()),
        (0x2F, "moisture", 1, .unsigned()),
        (0x3A, "button", 1, .button),
        (0x3C, "dimmer", 2, .dimmer),
        (0x3D, "count", 2, .unsigned()),
        (0x3E, "count", 4, .unsigned()),
        (0x3F, "rotation", 2, .signed(per: 10)),
        (0x40, "distance", 2, .unsigned()),
        (0x41, "distance", 2, .unsigned(per: 10)),
        (0x42, "duration", 3, .unsigned(per: 1_000)),
        (0x43, "current", 2, .unsigned(per: 1_000)),
        (0x44, "speed", 2, .unsigned(per: 100)),
        (0x45, "temperature", 2, .signed(per: 10)),
        (0x46, "uv_index", 1, .unsigned(per: 10)),
        (0x47, "volume", 2, .unsigned(per: 10)),
        (0x48, "volume", 2, .unsigned()),
        (0x49, "volume_flow_rate", 2, .unsigned(per: 1_000)),
        (0x4A, "voltage", 2, .unsigned(per: 10)),
        (0x4B, "gas", 3, .unsigned(per: 1_000)),
        (0x4C, "gas", 4, .unsigned(per: 1_000)),
        (0x4D, "energy", 4, .unsigned(per: 1_000)),
        (0x4E, "volume", 4, .unsigned(per: 1_000)),
        (0x4F, "water", 4, .unsigned(per: 1_000)),
        (0x50, "timestamp", 4, .unsigned()),
        (0x51, "acceleration", 2, .unsigned(per: 1_000)),
        (0x52, "gyroscope", 2, .unsigned(per: 1_000)),
        (0x53, "text", 0, .text),
        (0x54, "raw", 0, .raw),
        (0x55, "volume_storage", 4, .unsigned(per: 1_000)),
        (0x56, "conductivity", 2, .unsigned()),
        (0x57, "temperature", 1, .signed()),
        (0x58, "temperature", 1, .signed(times: 35, per: 100)),
        (0x59, "count", 1, .signed()),
        (0x5A, "count", 2, .signed()),
        (0x5B, "count", 4, .signed()),
        (0x5C, "power", 4, .signed(per: 100)),
        (0x5D, "current", 2, .signed(per: 1_000)),
        (0x5E, "direction", 2, .unsigned(per: 100)),
        (0x5F, "precipitation", 2, .unsigned(per: 10)),
        (0x60, "channel", 1, .unsigned()),
        (0x61, "rotational_speed", 2, .unsigned()),
        (0x62, "speed", 4, .signed(per: 1_000_000)),
        (0x63, "acceleration", 4, .signed(per: 1_000_000)),
        (0x64, "light_level", 1, .unsigned()),
        (0x65, "settings_revision", 1, .unsigned()),
        (0xF0, "device_type_id", 2, .unsigned()),
        (0xF1, "firmware_version", 4, .version),
        (0xF2, "firmware_version", 3, .version),
    ]
}
