import Accounts
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
    /// How much people may still store.
    package let rows = RowBudget()
    private let feed: LiveFeed
    /// Called when somebody else may sign in at the broker than before.
    private let onEnrolment: @Sendable () -> Void

    package init(
        store: Store, mailbox: LoopMailbox, clock: AnchoredClock, directory: AccountDirectory,
        feed: LiveFeed, onEnrolment: @escaping @Sendable () -> Void = {}
    ) {
        self.store = store
        self.mailbox = mailbox
        self.clock = clock
        self.directory = directory
        self.feed = feed
        self.onEnrolment = onEnrolment
    }

    /// The latest payloads of the site's topics that begin so, relative to the site.
    func latest(_ prefix: String) -> [(topic: String, payload: [UInt8])] { feed.latest(prefix) }

    /// The slug of the site; `nil` before anything is told of it.
    var site: String? { feed.site }

    /// The latest payload of a topic, relative to the site.
    func newest<P: Payload>(_ topic: String, as type: P.Type = P.self) -> P? {
        feed.newest(topic).flatMap { try? P(json: $0.span) }
    }

    /// Writes, and returns after it is stored and what follows from it. Each slice is a transaction of
    /// its own, between which others are done.
    ///
    /// - Throws: A `RouteProblem` if it is not known to be done or was not begun; else what the write
    ///   throws.
    package func perform(
        _ write: SiteWrite, by asker: String, via: AuditEntry.Via, paidBy payer: String? = nil
    ) async throws -> SiteWritten {
        let budget = write.budget(of: payer)
        if let budget { try rows.check(budget.kind, of: budget.person) }
        defer { followAccounts() }
        var run = WriteRun(write, by: asker, via: via)
        let clock = clock
        do {
            while true {
                let begun = run
                let (next, written, changed) = try await mailbox.ask(
                    within: LocalRequest.patience, renames: begun.renames, storing: begun.storing
                ) { store in
                    var run = begun
                    let (written, rows) = try store.counting {
                        try run.step(on: store, at: clock.now)
                    }
                    return (run, written, rows)
                }
                if let budget { rows.use(changed, budget.kind, of: budget.person) }
                if let written {
                    follow(write)
                    return written
                }
                // Who is being erased is out before the rest of them is gone.
                if !begun.hasBegun { followAccounts() }
                run = next
                if run.pause > 0 { try await Task.sleep(for: .seconds(run.pause)) }
            }
        } catch  where run.hasBegun {
            throw run.fault(error)
        } catch {
            throw Self.unanswered(error)
        }
    }

    /// The same for a route: refusals are problem documents.
    package func perform(
        _ write: SiteWrite, for request: RouteRequest
    ) async throws -> SiteWritten {
        let caller = request.caller
        return try await Self.refusing {
            try await perform(
                write, by: caller.name, via: caller.via, paidBy: caller.payer)
        }
    }

    /// Writes for a route and answers it: what is written, the answer and the key of the request are one transaction.
    /// Asked again with its key, it is answered alike and does nothing. `answer` reads what was written, on the thread
    /// of the store; what it throws undoes it.
    package func perform(
        _ write: SiteWrite, for request: RouteRequest,
        _ answer: @escaping @Sendable (SiteWritten, Store) throws -> RouteAnswer
    ) async throws -> RouteAnswer {
        precondition(
            WriteRun(write, by: "").storing == .together, "a write in slices has no one transaction"
        )
        let caller = request.caller
        let budget = write.budget(of: caller.payer)
        if let budget { try rows.check(budget.kind, of: budget.person) }
        defer { follow(write) }
        let done = try await once(caller) { [clock] store in
            let (written, rows) = try store.counting {
                try Self.written(
                    write, by: caller.name, via: caller.via, on: store, at: clock.now)
            }
            return Done(answer: try answer(written, store), rows: rows)
        }
        if let budget { rows.use(done.rows, budget.kind, of: budget.person) }
        return done.answer
    }

    /// Does what an operation writes: with the answer and the key of the request in one transaction, which what it throws
    /// undoes.
    func perform(
        by caller: Caller, _ write: Operation.Write,
        _ work: @escaping @Sendable (Store, Timestamp) throws -> (RouteAnswer, Publication?)
    ) async throws -> RouteAnswer {
        if !write.isEnding { try rows.check(.others, of: caller.payer) }
        // It may be stored though no answer came in time.
        defer {
            if write.changesDay { followDay(of: caller.person ?? caller.principal?.user) }
            if write.wakesNotifier { mailbox.notifier.ring() }
        }
        let done = try await once(caller, renames: write.renames, erases: write.erases) {
            [clock] store in
            let ((answer, message), rows) = try store.counting { try work(store, clock.now) }
            return Done(answer: answer, rows: rows, message: message)
        }
        if !write.isFree { rows.use(done.rows, .others, of: caller.payer) }
        return done.answer
    }

    /// Does writes of one slice each, all of them in one transaction; what one throws undoes that one alone. They come
    /// over MQTT by the hundreds, and are answered after they are stored.
    ///
    /// - Throws: What there is to say of all, where nothing is known to be stored.
    package func perform(
        _ writes: [SiteWrite], by asker: String
    ) async throws -> [Result<SiteWritten, any Error>] {
        defer { for write in writes { follow(write) } }
        let clock = clock
        let done = try await mailbox.ask(within: LocalRequest.patience, storing: .together) {
            store in
            writes.map { write in
                Result {
                    try store.counting {
                        try store.undoing {
                            try Self.written(write, by: asker, via: .mqtt, on: store, at: clock.now)
                        }
                    }
                }
            }
        }
        for case (let write, .success(let one)) in zip(writes, done) {
            guard let budget = write.budget(of: nil) else { continue }
            rows.use(one.rows, budget.kind, of: budget.person)
        }
        return done.map { $0.map(\.value) }
    }

    private static func written(
        _ write: SiteWrite, by asker: String, via: AuditEntry.Via, on store: Store,
        at now: Timestamp
    ) throws -> SiteWritten {
        var run = WriteRun(write, by: asker, via: via)
        guard let written = try run.step(on: store, at: now) else {
            preconditionFailure("it has another slice")
        }
        return written
    }

    /// Wakes whoever tells of what a write changes. A goal may be reached by samples, and a reminder be due earlier
    /// than any other.
    private func follow(_ write: SiteWrite) {
        switch write {
        case .activity(let call): followDay(of: call.user)
        case .broker: onEnrolment()
        default: break
        }
    }

    private func followDay(of user: String?) {
        mailbox.days.changed(user)
        mailbox.notifier.ring()
    }

    /// Notes that a request which writes nothing was answered, so that it is not done again. What cannot be noted
    /// is answered all the same, and is done again when it is asked again.
    func note(_ answer: RouteAnswer, to caller: Caller) async -> RouteAnswer {
        guard caller.claim != nil else { return answer }
        return (try? await once(caller) { _ in Done(answer: answer) })?.answer ?? answer
    }

    /// What came of a transaction.
    private struct Done: Sendable {
        var answer: RouteAnswer
        /// How many rows it changed.
        var rows = 0
        /// Told to the broker when it is stored.
        var message: Publication?
    }

    /// Does what is asked for in one transaction with the row of its key, unless that row is there.
    private func once(
        _ caller: Caller, renames: Bool = false, erases: Bool = false,
        _ work: @escaping @Sendable (Store) throws -> Done
    ) async throws -> Done {
        defer { followAccounts() }
        let (claim, keepsBody, clock) = (caller.claim, caller.keepsBody, clock)
        return try await Self.refusing {
            do {
                return try await mailbox.ask(
                    within: LocalRequest.patience, renames: renames, erases: erases,
                    storing: .together
                ) { done in
                    LoopMailbox.Write.Sequel(
                        used: claim.map { Answer.Key(client: $0.asker, id: $0.key) },
                        message: done.message)
                } _: { store in
                    try store.undoing {
                        let requests = AnsweredRequests(store)
                        if let claim,
                            let answer = try requests.known(claim, at: clock.now).answer()
                        {
                            return Done(answer: answer)
                        }
                        let done = try work(store)
                        if let claim {
                            var body: String?
                            if case .bytes(let bytes) = done.answer.body, keepsBody {
                                body = String(decoding: bytes, as: UTF8.self)
                            }
                            try requests.keep(
                                claim, status: done.answer.status, body: body, at: clock.now)
                        }
                        return done
                    }
                }
            } catch let error where claim != nil && Self.isUnsure(error) {
                throw RouteProblem(
                    .unavailable, "There is no answer yet. Ask again with the same Idempotency-Key."
                )
            } catch {
                throw Self.unanswered(error)
            }
        }
    }

    /// Whether it may be done all the same.
    private static func isUnsure(_ error: any Error) -> Bool {
        switch error {
        case LoopMailbox.Unanswered.late: true
        case let stopping as LoopMailbox.Stopping: stopping.isDone == nil
        default: false
        }
    }

    /// What somebody is told whom the loop has not answered.
    private static func unanswered(_ error: any Error) -> any Error {
        switch error {
        case let stopping as LoopMailbox.Stopping: RouteProblem(.unavailable, stopping.message)
        case LoopMailbox.Unanswered.refused:
            RouteProblem(.unavailable, ProblemCode.unavailable.message)
        case LoopMailbox.Unanswered.late:
            RouteProblem(
                .inDoubt, "There is no answer yet. Look whether it is done before asking again.")
        default: error
        }
    }

    /// What a write throws, as problem documents.
    package static func refusing<Value: Sendable>(
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let problem as RouteProblem {
            throw problem
        } catch RosterError.store(let error) {
            throw Self.problem(error)
        } catch let fault as WriteFault where fault.kind == .unanswered {
            throw RouteProblem(.inDoubt, fault.text)
        } catch let refusal as any Refusing {
            throw RouteProblem(refusal)
        } catch let error as StoreError {
            throw Self.problem(error)
        }
    }

    package static func problem(_ error: StoreError) -> RouteProblem {
        switch error {
        case .document(let faults):
            RouteProblem(.schema, "The site would be wrong: \(faults.joined(separator: "; ")).")
        case .full, .busy: RouteProblem(.unavailable, error.description)
        default: RouteProblem(.internal, "The database failed.")
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
