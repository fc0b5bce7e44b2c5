import Testing

@testable import Operations

extension Verb: CustomTestStringConvertible {
    /// Its name.
    public var testDescription: String { name }
}

extension Verb {
    /// Arguments that it takes, as JSON: a value for each parameter that is needed.
    var example: String {
        let members = parameters.filter { $0.isNeeded || $0.name == subject.parameter }
            .map { "\"\($0.name)\":\($0.kind.example)" }
        return "{" + members.joined(separator: ",") + "}"
    }
}

extension Parameter.Kind {
    /// A value of this kind, as JSON.
    var example: String {
        switch self {
        case .text(let length), .freeText(let length):
            "\"" + String(repeating: "x", count: max(length.lowerBound, 1)) + "\""
        case .slug: #""u-ann""#
        case .word(let words): "\"\(words[0])\""
        case .integer(let range): "\(range.lowerBound)"
        case .time: "1780000000000"
        case .date: #""2026-03-31""#
        case .flag: "true"
        case .number: "1.5"
        case .list(let kind): "[\(kind.example)]"
        case .object, .map, .value: "{}"
        }
    }

    /// Values that are none of this kind, as JSON.
    var wrong: [String] {
        switch self {
        case .text(let length):
            ["1", "\"" + String(repeating: "x", count: length.upperBound + 1) + "\""]
                + (length.lowerBound > 0 ? [#""""#] : [])
        case .freeText(let length):
            [
                "1", #""""#, #""a\u0000b""#,
                "\"" + String(repeating: "x", count: length.upperBound + 1) + "\"",
            ]
        case .slug: ["1", #""""#, #""U-Ann""#, #""a/b""#, #""u ann""#]
        case .word: ["1", #""""#, #""fly""#]
        case .integer(let range): [#""1""#, "1.5", "1e300", "\(range.lowerBound - 1)"]
        case .time: [#""1""#, "-1", "1.5", "253402300800000"]
        case .date: ["1", "20260331"]
        case .flag: ["0", #""true""#]
        case .number, .list, .object, .map, .value: []
        }
    }
}
