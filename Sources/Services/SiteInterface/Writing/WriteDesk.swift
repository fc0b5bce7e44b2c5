import Accounts
import Notifications
import Platform
import Records
import SiteModel
import SitePipeline
import SiteStore
import WebServer
import Wire

/// Where everything is written that is asked over HTTP or the socket: on the thread of the store, a
/// slice at a time. Whoever may sign in is read anew afterwards.
package struct WriteDesk: Sendable {
    package let store: Store
    package let mailbox: LoopMailbox
    package let clock: AnchoredClock
    package let directory: AccountDirectory
    private let feed: LiveFeed

    package init(
        store: Store, mailbox: LoopMailbox, clock: AnchoredClock, directory: AccountDirectory,
        feed: LiveFeed
    ) {
        self.store = store
        self.mailbox = mailbox
        self.clock = clock
        self.directory = directory
        self.feed = feed
    }

    /// Writes, and returns after it is stored and what follows from it. Each slice is a transaction of
    /// its own, between which others are done.
    ///
    /// - Throws: A `RouteProblem` if it is not known to be done or was not begun; else what the write
    ///   throws.
    package func perform(
        _ write: SiteWrite, by asker: String, via: AuditEntry.Via
    ) async throws -> SiteWritten {
        defer { followAccounts() }
        var run = WriteRun(write, by: asker, via: via)
        let clock = clock
        do {
            while true {
                let begun = run
                let (next, written) = try await mailbox.ask(
                    within: LocalRequest.patience, renames: begun.renames, storing: begun.storing
                ) { store in
                    var run = begun
                    let written = try run.step(on: store, at: clock.now)
                    return (run, written)
                }
                if let written { return written }
                // Who is being erased is out before the rest of them is gone.
                if !begun.hasBegun { followAccounts() }
                run = next
                if run.pause > 0 { try await Task.sleep(for: .seconds(run.pause)) }
            }
        } catch  where run.hasBegun {
            throw run.fault(error)
        } catch let stopping as LoopMailbox.Stopping {
            throw ProblemCode.problem("unavailable", stopping.message)
        } catch LoopMailbox.Unanswered.refused {
            throw ProblemCode.problem("unavailable", ProblemCode.unavailable.message)
        } catch LoopMailbox.Unanswered.late {
            throw ProblemCode.problem(
                "in_doubt",
                "There is no answer yet. Look whether it is done before asking again.")
        }
    }

    /// The same for a route: refusals are problem documents.
    package func perform(
        _ write: SiteWrite, for request: RouteRequest
    ) async throws -> SiteWritten {
        do {
            let via: AuditEntry.Via = request.visitor?.credential == .broker ? .mqtt : .rest
            return try await perform(write, by: request.asker, via: via)
        } catch let problem as RouteProblem {
            throw problem
        } catch RosterError.store(let error) {
            throw Self.problem(error)
        } catch let refusal as any Refusing {
            throw RouteProblem(refusal)
        } catch let error as StoreError {
            throw Self.problem(error)
        }
    }

    private static func problem(_ error: StoreError) -> RouteProblem {
        switch error {
        case .document(let faults):
            ProblemCode.problem(
                "schema", "The site would be wrong: \(faults.joined(separator: "; ")).")
        case .full, .busy: ProblemCode.problem("unavailable", error.description)
        default: ProblemCode.problem("internal", "The database failed.")
        }
    }

    /// Reads who may sign in anew; streams of those who may not any more end.
    package func followAccounts() {
        // What cannot be read now is read with the next change; until then the old rights hold.
        guard (try? directory.reload(store)) != nil else { return }
        feed.share(directory.sharing)
        feed.review()
    }
}
