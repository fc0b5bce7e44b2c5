import Operations

/// Arguments of a verb: the members of a JSON object, each with its value as JSON.
package struct VerbArguments {
    package private(set) var members: [(name: String, value: String)]

    package init() { members = [] }

    /// What a verb needs, each of its kind.
    package init(of verb: Verb) {
        members = verb.parameters.filter { verb.needs($0) }.map {
            (name: $0.name, value: $0.isNullable ? "null" : $0.kind.example)
        }
    }

    package var json: String {
        "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    package subscript(name: String) -> String? {
        get { members.first { $0.name == name }?.value }
        set {
            members.removeAll { $0.name == name }
            if let newValue { members.append((name: name, value: newValue)) }
        }
    }

    /// The same with another value of a member, or without it.
    package func with(_ name: String, _ value: String?) -> VerbArguments {
        var changed = self
        changed[name] = value
        return changed
    }

    /// The same with a member more, whether there is one of that name or not.
    package func adding(_ name: String, _ value: String) -> VerbArguments {
        var changed = self
        changed.members.insert((name: name, value: value), at: 0)
        return changed
    }
}

extension Parameter.Kind {
    /// A value of this kind, as JSON.
    package var example: String {
        switch self {
        case .text(let length), .freeText(let length):
            "\"" + String(repeating: "x", count: max(length.lowerBound, 1)) + "\""
        case .slug, .reference: #""u-ann""#
        case .word(let words): "\"\(words[0])\""
        case .integer(let range): "\(range.lowerBound)"
        case .time: "1780000000000"
        case .date: #""2026-03-31""#
        case .flag: "true"
        case .number: "1.5"
        case .decimal(let range): "\(range.lowerBound)"
        case .kilograms(let range): "\(Double(range.lowerBound) / 1000)"
        case .list(let kind): "[\(kind.example)]"
        case .uuid: #""123e4567-e89b-12d3-a456-426614174000""#
        case .object(let members):
            "{"
                + members.filter(\.isNeeded).map { "\"\($0.name)\":\($0.kind.example)" }
                .joined(separator: ",") + "}"
        case .map, .value: "{}"
        }
    }

    /// Values that are none of this kind, as JSON.
    package var wrong: [String] {
        switch self {
        case .text(let length) where length.upperBound == .max: ["1"]
        case .text(let length):
            ["1", "\"" + String(repeating: "x", count: length.upperBound + 1) + "\""]
                + (length.lowerBound > 0 ? [#""""#] : [])
        case .freeText(let length):
            [
                "1", #""""#, #""a\u0000b""#,
                "\"" + String(repeating: "x", count: length.upperBound + 1) + "\"",
            ]
        case .slug, .reference: ["1", #""""#, #""U-Ann""#, #""a/b""#, #""u ann""#]
        case .word: ["1", #""""#, #""fly""#]
        case .integer(let range): [#""1""#, "1.5", "1e300", "\(range.lowerBound - 1)"]
        case .time: [#""1""#, "-1", "1.5", "253402300800000"]
        case .date: ["1", #""2026-02-30""#, "20260331"]
        case .flag: ["0", #""true""#]
        case .decimal(let range): ["\(range.upperBound + 1)", #""1""#]
        case .kilograms(let range):
            ["\(Double(range.upperBound) / 1000 + 1)", "1.0005", #""80""#, "1e308"]
        case .uuid: ["1", #""""#, #""123e4567-e89b-12d3-a456-42661417400""#]
        case .object: ["1", "[]"]
        case .number, .list, .map, .value: []
        }
    }
}
