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
