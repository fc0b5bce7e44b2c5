import Basics

/// Why a payload was refused. Whatever comes over MQTT is untrusted, so these are counted by
/// `reason`, never fatal.
package enum PayloadError: Error, Hashable, Sendable {
    /// More bytes than the kind of payload may have.
    case oversize(limit: Int)
    /// No JSON text in UTF-8; `offset` is the byte where that became clear.
    case notJSON(offset: Int)
    /// Arrays and objects nested deeper than `JSONReader.deepest`.
    case tooDeep(offset: Int)
    /// A number at `offset` that no double can hold, or longer than `JSONReader.longestNumber`.
    case unreadableNumber(offset: Int)
    /// A required key is not there.
    case missing(field: String)
    /// A value of another type than its key demands; an empty field means the whole payload.
    case wrongType(field: String)
    /// A number too small or large, a text or list too short or long.
    case outOfRange(field: String)
    /// A text that is none of those its key allows, or not of the required form.
    case unknownValue(field: String)
    /// A member that its object does not have, as the sender spelt it; only where a misspelt one would
    /// be passed over.
    case unknownMember(field: String)
    /// A member that comes twice; only where it matters which of them is meant.
    case repeatedMember(field: String)
    /// An object of more members than anybody sends.
    case tooManyMembers(limit: Int)

    /// A short name of the case, as used for counting.
    package var reason: String {
        switch self {
        case .oversize: "oversize"
        case .notJSON: "not-json"
        case .tooDeep: "too-deep"
        case .unreadableNumber: "unreadable-number"
        case .missing: "missing-field"
        case .wrongType: "wrong-type"
        case .outOfRange: "out-of-range"
        case .unknownValue: "unknown-value"
        case .unknownMember: "unknown-member"
        case .repeatedMember: "repeated-member"
        case .tooManyMembers: "too-many-members"
        }
    }

    /// The fault for people, with the key it is about.
    package var words: String {
        switch self {
        case .oversize(let limit): "more than \(limit) bytes"
        case .notJSON(let offset): "no JSON at byte \(offset)"
        case .tooDeep(let offset): "nested too deep at byte \(offset)"
        case .unreadableNumber(let offset): "an unreadable number at byte \(offset)"
        case .missing(let field): "\(field) is missing"
        case .wrongType(let field): "\(field.isEmpty ? "it" : field) is of the wrong type"
        case .outOfRange(let field): "\(field) is out of range"
        case .unknownValue(let field): "\(field) has an unknown value"
        case .unknownMember(let field): "\(Self.shown(field)) is no member of it"
        case .repeatedMember(let field): "\(Self.shown(field)) comes twice"
        case .tooManyMembers(let limit): "an object has more than \(limit) members"
        }
    }

    /// A key of somebody else's, short and harmless.
    private static func shown(_ key: String) -> String {
        let start = String(String.UnicodeScalarView(key.unicodeScalars.prefix(longestShown)))
        return start.quoted + (start.unicodeScalars.count < key.unicodeScalars.count ? "…" : "")
    }

    /// The most characters of a key of somebody else's that are repeated.
    private static let longestShown = 32
}
