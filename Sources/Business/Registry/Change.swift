/// One difference between what is stored and a document to be imported.
package struct Change: Equatable, Sendable, CustomStringConvertible {
    /// What becomes of the thing.
    package enum Kind: String, Sendable {
        /// New, or back after it was retired; then it has its old row.
        case added
        case changed
        case retired
    }

    /// What kind of thing it is.
    package enum Subject: String, Sendable {
        case site
        case policy
        case room
        case station
        case node
        case user
        case beacon
    }

    /// What becomes of it.
    package var kind: Kind
    /// What kind of thing it is.
    package var subject: Subject
    package var slug: String
    /// What is new about it, safe for a terminal: names are quoted, control characters escaped.
    package var detail: String

    /// A line for people, for example `station rack-1 changed: slots 1 → 2`.
    package var description: String {
        let line = "\(subject.rawValue) \(slug) \(kind.rawValue)"
        return detail.isEmpty ? line : "\(line): \(detail)"
    }

    package init(_ kind: Kind, _ subject: Subject, _ slug: String, _ detail: String) {
        self.kind = kind
        self.subject = subject
        self.slug = slug
        self.detail = detail
    }
}
