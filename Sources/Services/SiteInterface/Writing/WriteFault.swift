import Accounts
import Notifications
import Platform
import Records
import SiteModel
import SiteStore

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
        case let refusal as BooksRefusal: self.init(.refused, Exit(refusal))
        case let error as RosterError:
            self.init(.refused, code: error.exitCode, "\(error.code): \(error)")
        case let refusal as AccountRefusal:
            self.init(.refused, code: refusal.exitCode, refusal.description)
        case let fault as WebhookAddress.Fault: self.init(.refused, code: 64, "\(fault)")
        case StoreError.full: self.init(.full, code: 1, "\(error)")
        case let exit as Exit: self.init(.refused, exit)
        default: self.init(.database, code: 1, "\(error)")
        }
    }

    private init(_ kind: Kind, _ exit: Exit) { self.init(kind, code: exit.code, exit.text) }
}

extension Exit {
    /// A refusal by the books: 64 for a wrong question, 3 not found, 4 in conflict with what is
    /// there, 5 refused.
    package init(_ refusal: BooksRefusal) {
        let code: Int32 =
            switch refusal.code {
            case .badRequest: 64
            case .notFound: 3
            case .overlap, .revisionConflict, .alreadyIn, .notIn, .alreadyActive, .stationInUse: 4
            case .unavailable: 75
            case .badState, .badTime, .ambiguousTime, .nonexistentTime, .lockedPeriod,
                .reasonRequired, .consentRequired, .forbidden:
                5
            }
        self.init(code: code, text: "\(refusal.code.rawValue): \(refusal.text)")
    }
}

extension AccountRefusal {
    /// 3 not found, 4 in conflict with what is there, 5 refused, 64 a wrong value.
    package var exitCode: Int32 {
        switch code {
        case .notFound: 3
        case .alreadyExists: 4
        case .badState, .expired, .forbidden: 5
        case .badRequest: 64
        }
    }
}

extension RosterError {
    /// 3 not found, 4 in conflict with what is there, 64 a wrong value.
    package var exitCode: Int32 {
        switch self {
        case .unknownUser, .unknownShift, .unknownAssignment, .unknownLeave, .unknownFeed: 3
        case .shiftExists, .overlap: 4
        case .badValue: 64
        case .store: 1
        }
    }
}
