import SiteModel

/// BTHome 2, in service data of UUID `D2 FC`: information 1 (bit 0 encrypted, bit 1 address follows,
/// bit 2 sent on a trigger, bits 5 to 7 version), perhaps address 6 (least significant byte first),
/// objects. Encrypted, the objects are followed by counter 4 (little-endian) and check 4, and
/// stand under AES-CCM with the nonce address (most significant byte first), `D2 FC`, information,
/// counter.
package struct BTHome: Equatable, Sendable {
    /// Whether it was sent because something happened, and not at intervals.
    package var isTriggered: Bool
    /// The sender's address, if the advertisement has it.
    package var address: UInt64?
    /// What only encrypted advertisements have.
    package var encryption: Encryption?
    /// What is measured, in the order sent, as far as it could be read.
    package var objects: [BTHomeObject] = []
    /// Why the rest could not be read.
    package var fault: DecodingFault?

    /// What only encrypted advertisements have.
    package struct Encryption: Equatable, Sendable {
        /// Goes up with each advertisement.
        package var counter: UInt32
        /// Whether a key opened it.
        package var isDecrypted = false
    }

    /// The number that repetitions of an advertisement share.
    package var packet: UInt8? {
        for object in objects {
            if object.id == 0, case .number(let number) = object.value { return UInt8(number) }
        }
        return nil
    }

    /// Reads what follows the UUID, at least one byte. `sender` is the address that sent it.
    package static func beacon(
        in data: Span<UInt8>, sender: UInt64?, keys: DecodingKeys
    ) -> BeaconFrame {
        let information = data[0]
        guard information >> 5 == 2 else { return .unreadable(.bthome, .bthomeVersion) }
        let start = information & 2 == 0 ? 1 : 7
        let isEncrypted = information & 1 != 0
        guard data.count >= start + (isEncrypted ? 8 : 0) else {
            return .unreadable(.bthome, .bthomeTruncated)
        }
        var bthome = BTHome(isTriggered: information & 4 != 0)
        if start == 7 { bthome.address = data.address(at: 1) }
        let payload = data.extracting(start..<data.count)
        if isEncrypted {
            bthome.open(payload, information, sender: sender, keys: keys)
        } else {
            (bthome.objects, bthome.fault) = BTHomeObject.objects(in: payload)
        }
        return .bthome(bthome)
    }

    private mutating func open(
        _ payload: Span<UInt8>, _ information: UInt8, sender: UInt64?, keys: DecodingKeys
    ) {
        let end = payload.count - 8
        encryption = Encryption(counter: payload.littleEndian32(at: end))
        let found = [address, sender].lazy.compactMap { $0 }.compactMap { keys.sensors[$0] }.first
        guard let key = found, let maker = address ?? sender else {
            fault = .bthomeNoKey
            return
        }
        var nonce = (0..<6).map { UInt8(truncatingIfNeeded: maker >> UInt64(40 - 8 * $0)) }
        nonce += [0xD2, 0xFC, information] + payload.bytes(end..<end + 4)
        let sealed = Cryptography.Sealed(
            ciphertext: payload.bytes(0..<end), tag: payload.bytes(end + 4..<end + 8),
            nonce: nonce)
        guard let opened = keys.cryptography.open(sealed, key) else {
            fault = .bthomeBadCheck
            return
        }
        encryption?.isDecrypted = true
        (objects, fault) = BTHomeObject.objects(in: opened.span)
    }
}

/// One thing a BTHome sensor says: id 1, then a value as long as the id has it (bthome.io/format).
package struct BTHomeObject: Equatable, Sendable {
    /// What a value is.
    package enum Value: Equatable, Sendable {
        /// In the unit of the id.
        case number(Double)
        /// Something is or is not so.
        case flag(Bool)
        /// What was done with a button; `unknown` where the code is not assigned.
        case press(String)
        /// The steps by which a dimmer was turned.
        case turn(direction: String, steps: UInt8)
        case text(String)
        case raw([UInt8])
        /// A version, its most significant part first.
        case version([UInt8])
        /// A direction that is not assigned.
        case unknown
    }

    /// Says what it is and how long.
    package var id: UInt8
    /// The usual name of that.
    package var name: String
    /// How much of it there is.
    package var value: Value

    /// The objects in `payload` up to the first that cannot be read, and why that is.
    package static func objects(in payload: Span<UInt8>) -> ([BTHomeObject], DecodingFault?) {
        var objects: [BTHomeObject] = []
        var offset = 0
        while offset < payload.count {
            let id = payload[offset]
            guard let kind = BTHomeKind.all[id] else { return (objects, .bthomeUnknownObject) }
            offset += 1
            var length = kind.length
            if kind.meaning.isVariable {
                guard offset < payload.count else { return (objects, .bthomeTruncated) }
                length = Int(payload[offset])
                offset += 1
            }
            guard offset + length <= payload.count else { return (objects, .bthomeTruncated) }
            let value = Self.value(kind, payload.extracting(offset..<offset + length))
            objects.append(BTHomeObject(id: id, name: kind.name, value: value))
            offset += length
        }
        return (objects, nil)
    }

    private static func value(_ kind: BTHomeKind, _ bytes: Span<UInt8>) -> Value {
        switch kind.meaning {
        case .unsigned(let times, let per):
            .number(Double(unsigned(bytes) * times) / Double(per))
        case .signed(let times, let per):
            .number(Double(signed(bytes) * times) / Double(per))
        case .flag: .flag(bytes[0] != 0)
        case .button: .press(press(bytes[0]))
        case .dimmer: direction(bytes[0]).map { .turn(direction: $0, steps: bytes[1]) } ?? .unknown
        case .text: .text(String(decoding: bytes.bytes, as: UTF8.self))
        case .raw: .raw(bytes.bytes)
        case .version: .version(bytes.bytes.reversed())
        }
    }

    /// At most four bytes, least significant first.
    private static func unsigned(_ bytes: Span<UInt8>) -> Int {
        bytes.indices.reduce(0) { $0 | Int(bytes[$1]) << (8 * $1) }
    }

    /// The same in two's complement.
    private static func signed(_ bytes: Span<UInt8>) -> Int {
        let unused = Int.bitWidth - 8 * bytes.count
        return (unsigned(bytes) << unused) >> unused
    }

    private static func press(_ code: UInt8) -> String {
        switch code {
        case 0x00: "none"
        case 0x01: "press"
        case 0x02: "double_press"
        case 0x03: "triple_press"
        case 0x04: "long_press"
        case 0x05: "long_double_press"
        case 0x06: "long_triple_press"
        case 0x80: "hold_press"
        default: "unknown"
        }
    }

    private static func direction(_ code: UInt8) -> String? {
        switch code {
        case 0: "none"
        case 1: "left"
        case 2: "right"
        default: nil
        }
    }
}

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
