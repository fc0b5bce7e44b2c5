import Platform
import Records
import SiteModel
import SiteStore
import WebServer

/// Why a write was not done, in what a program ends with: the same whether the coordinator was asked or
/// the file was written here.
package struct WriteFault: Error, Equatable, Codable, Sendable, CustomStringConvertible {
    /// What kind of reason it is.
    package enum Kind: String, Codable, Sendable {
        /// It was asked wrongly, or may not be done. Nothing was written.
        case refused
        /// The disk is full. Nothing was written.
        case full
        /// The database failed. Nothing was written.
        case database
        /// The coordinator has not answered: whether it was done is not known.
        case unanswered
    }

    /// What kind of reason it is.
    package var kind: Kind
    /// The exit code of a verb.
    package var code: Int32
    /// For people.
    package var text: String

    package var description: String { text }

    package init(_ kind: Kind, code: Int32, _ text: String) {
        self.kind = kind
        self.code = code
        self.text = text
    }

    package init(_ error: any Error) {
        switch error {
        case let fault as WriteFault: self = fault
        case let refusal as any Refusing: self.init(.refused, Exit(refusal))
        case StoreError.full: self.init(.full, code: 1, "\(error)")
        case let exit as Exit: self.init(.refused, exit)
        default: self.init(.database, code: 1, "\(error)")
        }
    }

    private init(_ kind: Kind, _ exit: Exit) { self.init(kind, code: exit.code, exit.text) }
}

extension Exit {
    /// A refusal.
    package init(_ refusal: any Refusing) {
        self.init(code: refusal.code.exitCode, text: refusal.description)
    }
}

extension ProblemCode {
    /// The exit code of a verb that is refused with a code of whatever release.
    package static func exitCode(of code: String) -> Int32 {
        (ProblemCode(rawValue: code) ?? .internal).exitCode
    }
}
