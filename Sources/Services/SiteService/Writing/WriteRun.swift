import Accounts
import Activities
import BrokerAccess
import Platform
import Records
import Registry
import SiteModel
import SiteStore
import Workouts

/// A write under way. What needs long is done a slice at a time, each in its own transaction, so that
/// no fact waits for the whole.
package struct WriteRun: Sendable {
    private let write: SiteWrite
    private let asker: String
    private let via: AuditEntry.Via
    private var retention: Retention?
    private var erasure: ErasureRun?
    private var history: HistoryImport?
    /// Seconds to wait before the next step.
    package private(set) var pause = 0.0

    /// A write that has not begun. `asker` is who asks, for the audit.
    package init(_ write: SiteWrite, by asker: String, via: AuditEntry.Via = .cli) {
        self.write = write
        self.asker = asker
        self.via = via
        if case .importHistory(let history) = write { self.history = history }
    }

    /// Whether names change by it, or who shares: that is part of the plan, and raises no revision.
    package var renames: Bool {
        switch write {
        case .erase: erasure == nil
        default: false
        }
    }

    /// How its slices are stored.
    package var storing: LoopMailbox.Write.Storing {
        switch write {
        case .erase, .retain, .importHistory: .alone
        default: .together
        }
    }

    /// Whether a slice of it is stored.
    package var hasBegun: Bool {
        erasure != nil || retention != nil || history?.hasBegun == true
    }

    /// What ended the run, in words: once a slice is stored, that something is done and what is not.
    package func fault(_ error: any Error) -> WriteFault {
        if erasure != nil {
            return WriteFault(
                .unanswered, code: Exit.unfinished,
                """
                they are unreadable, but not all that was written about them is deleted yet (\(error)): the \
                rest goes when a coordinator starts, or with the next erasure
                """)
        }
        if retention != nil {
            return WriteFault(
                .unanswered, code: Exit.unfinished,
                "some of it is deleted, the rest goes at night or when asked again (\(error))")
        }
        if history?.hasBegun == true {
            return WriteFault(
                .unanswered, code: Exit.unfinished,
                """
                some of it is stored (\(error)): import the same file again, what is there is not taken twice
                """)
        }
        return WriteFault(error)
    }

    /// Does the next slice; `nil` if there is more to do. What it throws ends the run: of a write in
    /// one slice nothing is stored then, else what was done before stays.
    package mutating func step(on store: Store, at now: Timestamp) throws -> SiteWritten? {
        switch write {
        case .retain: return try retain(on: store, at: now)
        case .erase(let user, let reason, let options):
            return try erase(user, reason, options, on: store, at: now)
        case .importHistory:
            let asker = Asker(name: asker, via: via, at: now)
            return try history?.step(on: store, by: asker).map { .imported($0) }
        default: return try perform(on: store, at: now)
        }
    }

    private mutating func retain(on store: Store, at now: Timestamp) throws -> SiteWritten? {
        var run = retention ?? Retention(at: now)
        let isMore = try run.step(on: store)
        retention = run
        return isMore ? nil : .retained(run.proofs)
    }

    /// First they become unreadable, with the line in the audit; the slices that follow delete the rest.
    private mutating func erase(
        _ user: String, _ reason: String, _ options: ErasureOptions, on store: Store,
        at now: Timestamp
    ) throws -> SiteWritten? {
        guard var run = erasure else {
            erasure = try Erasures(store).begin(
                user: user, reason: reason, options: options, by: asker, via: via, at: now
            ).get()
            return nil
        }
        let done = try run.step(on: store)
        erasure = run
        pause = run.pause
        return done.map { .erased($0) }
    }

    private func perform(on store: Store, at now: Timestamp) throws -> SiteWritten {
        let roster = Asker(name: asker, via: via, at: now)
        switch write {
        case .books(let call):
            return .books(
                try Books(store).perform(call, by: asker, via: via, at: now).get())
        case .activity(let call):
            return .refused(try ActivityRecords(store).perform(call, by: roster))
        case .broker(let call):
            return .rows(try BrokerIdentities(store).perform(call, by: roster))
        case .models(let call): return .number(try ModelTable(store).perform(call, at: now))
        case .export(let user):
            let exports = PersonExports(store)
            guard try exports.note(user: user, by: roster),
                let export = try exports.export(user: user, at: now)
            else {
                throw BooksRefusal(.notFound, "there is no user \(user)")
            }
            return .exported(export)
        case .erase, .retain, .importHistory: preconditionFailure("done a slice at a time")
        case .importSite(let document, let force):
            let locked = try Self.locked(by: document, force, store)
            return .number(
                try SiteImport(store).importDocument(document, at: now, over: locked).revision)
        case .replaceSite(let document, let revision, let force):
            let locked = try Self.locked(by: document, force, store)
            let made = try SiteImport(store).importDocument(
                document, at: now, by: asker, via: via, instead: revision, over: locked
            ).revision
            guard made >= 0 else {
                throw BooksRefusal(.revisionConflict, "somebody else changed the site")
            }
            return .number(made)
        case .accounts(let call):
            return .named(try Accounts(store).perform(call, by: asker, via: via, at: now))
        }
    }

    /// The last locked date, if a site file changes days up to it and is forced to. All of it runs on the one
    /// thread that writes. Throws `lockedPeriod` if it is not forced.
    private static func locked(
        by document: SiteDocument, _ force: Bool, _ store: Store
    ) throws -> String? {
        guard let through = try SiteImport(store).lockedDays(changedBy: document) else {
            return nil
        }
        guard force else {
            throw BooksRefusal(
                .lockedPeriod,
                """
                another day_start changes days through \(through), which are locked: move the lock back, or \
                say that locked days are to change (--force, or ?force=true)
                """)
        }
        return through
    }
}
