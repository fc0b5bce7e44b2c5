import Basics
import JSON
import SiteModel
import Wire

/// A site file as a tree: what `beaconmesh import` reads, in the order it is written.
package indirect enum SiteTree: Equatable, Sendable {
    case section([(key: String, value: SiteTree)])
    case list([SiteTree])
    case text(String)
    /// A number or a flag as it is written.
    case scalar(String)
    case null

    /// Byte for byte: two ways to write “é” are two texts.
    package static func == (a: SiteTree, b: SiteTree) -> Bool {
        switch (a, b) {
        case (.section(let a), .section(let b)):
            a.count == b.count && zip(a, b).allSatisfy { $0.key == $1.key && $0.value == $1.value }
        case (.list(let a), .list(let b)): a == b
        case (.text(let a), .text(let b)), (.scalar(let a), .scalar(let b)):
            a.utf8.elementsEqual(b.utf8)
        case (.null, .null): true
        default: false
        }
    }

    /// A number. Infinite, or not a number: a text, which no rule takes for one.
    package static func number(_ value: Double) -> SiteTree {
        guard value.isFinite else { return .text("\(value)") }
        var json = JSONWriter()
        json.number(value)
        return .scalar(String(decoding: json.bytes, as: UTF8.self))
    }

    package static func flag(_ value: Bool) -> SiteTree { .scalar(value ? "true" : "false") }

    /// The member of a section, or `nil`.
    package subscript(key: String) -> SiteTree? {
        guard case .section(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// Sets a member of a section, at its place, or at the end.
    package mutating func set(_ key: String, _ value: SiteTree) {
        guard case .section(var members) = self else { return }
        if let index = members.firstIndex(where: { $0.key == key }) {
            members[index].value = value
        } else {
            members.append((key, value))
        }
        self = .section(members)
    }

    /// A section without a member.
    package func without(_ key: String) -> SiteTree {
        guard case .section(let members) = self else { return self }
        return .section(members.filter { $0.key != key })
    }

    /// The items of a list, or `nil`.
    package var items: [SiteTree]? { if case .list(let items) = self { items } else { nil } }

    /// The text of a text, or `nil`.
    package var string: String? { if case .text(let text) = self { text } else { nil } }

    /// Reads an object of a JSON text that was checked. No key may come twice.
    package init(_ object: JSONObject, _ json: Span<UInt8>) throws(PayloadError) {
        var members: [(key: String, value: SiteTree)] = []
        for member in try object.members(json) {
            members.append((member.name, try SiteTree(member, json)))
        }
        self = .section(members)
    }

    /// Reads a value of a JSON text that was checked.
    package init(_ value: JSONValue, _ json: Span<UInt8>) throws(PayloadError) {
        switch try value.kind(json) {
        case .object:
            self = try SiteTree(value.object(json), json)
        case .array:
            self = .list(
                try value.list(json) { (element, json) throws(PayloadError) in
                    try SiteTree(element, json)
                })
        case .string: self = .text(try value.text(json))
        case .null: self = .null
        default:
            let range = try value.range(json)
            var bytes: [UInt8] = []
            for index in range { bytes.append(json[index]) }
            self = .scalar(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// One line of JSON, which is YAML, too: what YAML does not print is escaped.
    package var json: String {
        switch self {
        case .section(let members):
            let text = members.map { "\(Self.quoted($0.key)): \($0.value.json)" }
            return "{" + text.joined(separator: ", ") + "}"
        case .list(let items): return "[" + items.map(\.json).joined(separator: ", ") + "]"
        case .text(let text): return Self.quoted(text)
        case .scalar(let text): return text
        case .null: return "null"
        }
    }

    private static func quoted(_ text: String) -> String {
        var json = JSONWriter()
        json.string(text)
        var quoted = ""
        for scalar in String(decoding: json.bytes, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF:
                let bytes = [UInt8(scalar.value >> 8), UInt8(scalar.value & 0xFF)]
                quoted += "\\u" + Hex.text(bytes)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "_")
    }

    /// The whole file: a key of the top a line, of lists an item a line.
    package var file: String {
        guard case .section(let members) = self else { return json + "\n" }
        var text = ""
        for (key, value) in members {
            let key = key.utf8.allSatisfy(Self.isPlain) ? key : Self.quoted(key)
            if case .list(let items) = value, !items.isEmpty {
                text += "\(key):\n" + items.map { "  - \($0.json)\n" }.joined()
            } else {
                text += "\(key): \(value.json)\n"
            }
        }
        // Before a word it looks like an alias of YAML. It stands in quotes only.
        return text.utf8.contains(UInt8(ascii: "*"))
            ? text.replacing("*", with: "\\u002A") : text
    }
}

extension SiteTree: Codable {
    /// The value of a JSON text.
    ///
    /// - Throws: A `PayloadError` if it is none.
    package init(json text: String) throws(PayloadError) {
        let bytes = Array("{\"value\":\(text)}".utf8)
        let json = bytes.span
        let tree = try SiteTree(JSONObject(document: json, limit: .max), json)
        self = tree["value"] ?? .null
    }

    package init(from decoder: any Decoder) throws {
        try self.init(json: try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(json)
    }
}
