/// One difference between what is stored and a document to be imported.
public struct Change: Equatable, Sendable, CustomStringConvertible {
    /// What becomes of the thing.
    public enum Kind: String, Sendable {
        /// New, or back after it was retired; then it has its old row.
        case added
        case changed
        case retired
    }

    /// What kind of thing it is.
    public enum Subject: String, Sendable {
        case site
        case policy
        case room
        case station
        case node
        case user
        case beacon
    }

    /// What becomes of it.
    public var kind: Kind
    /// What kind of thing it is.
    public var subject: Subject
    /// Its slug.
    public var slug: String
    /// What is new about it, safe for a terminal: names are quoted, control characters escaped.
    public var detail: String

    /// A line for people, for example `station rack-1 changed: slots 1 → 2`.
    public var description: String {
        let line = "\(subject.rawValue) \(slug) \(kind.rawValue)"
        return detail.isEmpty ? line : "\(line): \(detail)"
    }

    /// A difference.
    init(_ kind: Kind, _ subject: Subject, _ slug: String, _ detail: String) {
        self.kind = kind
        self.subject = subject
        self.slug = slug
        self.detail = detail
    }
}

extension String {
    /// In quotation marks, with everything escaped that moves a cursor or could be mistaken for
    /// an escape; different texts stay different.
    var quoted: String {
        let scalars = unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                "\\u{\(Self(scalar.value, radix: 16))}"
            default: scalar == "\\" ? "\\\\" : Self(scalar)
            }
        }
        return "“\(scalars.joined())”"
    }
}
