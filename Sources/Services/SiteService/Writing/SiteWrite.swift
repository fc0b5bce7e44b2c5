import Accounts
import Activities
import BrokerAccess
import Records
import Registry
import SiteModel
import SiteStore
import Workouts

/// What is written that no operation declares: imports, erasure and other work in slices, samples, sessions, and verbs of
/// the command line, which go over the coordinator's socket as such values.
package enum SiteWrite: Codable, Sendable {
    /// A correction, a decision, a lock or an excuse.
    case books(BooksCall)
    /// Somebody may sign in at the broker, or may not any more.
    case broker(BrokerCall)
    case models(ModelCall)
    /// Everything about a person goes, but attendance without a name.
    case erase(String, reason: String, options: ErasureOptions)
    /// Everything about a person is read, which the audit notes.
    case export(String)
    /// What is older than it may be goes.
    case retain
    /// `force`: also where days change that are locked.
    case importSite(SiteDocument, force: Bool = false)
    /// What somebody trained elsewhere is stored.
    case importHistory(HistoryImport)
    /// Samples of somebody's activity, and what they set.
    case activity(ActivityCall)
    /// The same as `importSite` for a document that was made from that revision; refused if there is another one.
    case replaceSite(SiteDocument, revision: Int64, force: Bool = false)
    /// A change of accounts, sessions or tokens.
    case accounts(AccountCall)
}

/// What came of a write.
package enum SiteWritten: Codable, Sendable {
    case books(BooksOutcome)
    /// The rows of what was added.
    case rows([Int64])
    /// A count or a revision.
    case number(Int64)
    case erased(Erasure)
    case exported(PersonExport)
    case imported(HistoryImport.Counts)
    case retained([Retention.Proof])
    /// What it is called.
    case named(String)
    /// Why each of several things is refused; `nil`: it is done.
    case refused([ProblemCode?])
}

/// What a verb expects. Each throws a `WriteFault` if the coordinator says something else, as one of
/// another release may.
extension SiteWritten {
    package var outcome: BooksOutcome {
        get throws(WriteFault) {
            guard case .books(let outcome) = self else { throw .strange }
            return outcome
        }
    }

    package var rows: [Int64] {
        get throws(WriteFault) {
            guard case .rows(let rows) = self else { throw .strange }
            return rows
        }
    }

    package var number: Int64 {
        get throws(WriteFault) {
            guard case .number(let number) = self else { throw .strange }
            return number
        }
    }

    package var erasure: Erasure {
        get throws(WriteFault) {
            guard case .erased(let erasure) = self else { throw .strange }
            return erasure
        }
    }

    package var export: PersonExport {
        get throws(WriteFault) {
            guard case .exported(let export) = self else { throw .strange }
            return export
        }
    }

    package var counts: HistoryImport.Counts {
        get throws(WriteFault) {
            guard case .imported(let counts) = self else { throw .strange }
            return counts
        }
    }

    package var codes: [ProblemCode?] {
        get throws(WriteFault) {
            guard case .refused(let codes) = self else { throw .strange }
            return codes
        }
    }

    package var name: String {
        get throws(WriteFault) {
            guard case .named(let name) = self else { throw .strange }
            return name
        }
    }

    package var proofs: [Retention.Proof] {
        get throws(WriteFault) {
            guard case .retained(let proofs) = self else { throw .strange }
            return proofs
        }
    }
}

extension WriteFault {
    fileprivate static var strange: WriteFault {
        WriteFault(
            .unanswered, code: 1,
            "it is done, but the answer is of another release: restart the coordinator with this one"
        )
    }
}
