import Accounts
import Operations
import Permissions
import Platform
import Records
import SiteModel
import SiteStore
import WebServer

/// Who asks for something, whatever the way.
package struct Caller: Sendable {
    package let principal: Principal?
    package let via: AuditEntry.Via
    /// What the request is called by whoever asks, so that it is done once; up to 64 visible characters.
    package let key: String?
    /// The tag that a row must still have which they change; `*`: any.
    package let tag: String?
    /// The slug of whom it is about, if it is about somebody.
    fileprivate(set) var person: String?
    /// The slugs of those whose training they may see, theirs among them; `nil`: everybody's.
    fileprivate(set) var visible: [String]?
    /// When it is done.
    package private(set) var moment = Timestamp(milliseconds: 0)
    /// That the request is done once, from when its key is claimed.
    var claim: AnsweredRequests.Claim?
    /// Whether what is answered to it may be kept: it has no secret.
    var keepsBody = false

    package init(
        _ principal: Principal?, via: AuditEntry.Via, key: String?, tag: String? = nil
    ) {
        self.principal = principal
        self.via = via
        self.key = key
        self.tag = tag
    }

    /// What the audit calls them.
    package var name: String { principal?.name ?? "nobody" }

    /// What the machines call whoever asks: the client's level on MQTT, past it no slug, so that nobody on MQTT can be
    /// mistaken for it.
    package var client: String {
        let prefix = "mqtt:"
        guard via == .mqtt, name.hasPrefix(prefix) else { return "http:\(name)" }
        return String(name.dropFirst(prefix.count))
    }

    /// Whose budget of rows it is: that of people who write about themselves and whom they train. Who runs the site
    /// and what they have made a token for is not limited.
    package var payer: String? {
        guard let principal, !principal.role.isPrivileged else { return nil }
        // A trainer may be nobody who is registered. No id has a colon.
        return principal.user ?? principal.account.map { "account:" + $0 }
    }

    var keyless: Caller { Caller(principal, via: via, key: nil, tag: tag) }

    /// Whether they typed it at this machine, as its owner.
    var isAtMachine: Bool { via == .cli }

    func at(_ now: Timestamp) -> Caller {
        var caller = self
        caller.moment = now
        return caller
    }

    /// Who asks and when, for the audit.
    package var asker: Asker { Asker(name: name, via: via, at: moment) }

    /// Whether they may read, or do, this of everybody.
    package func reachesAll(_ right: Right) -> Bool { principal?.reach(right) == .site }

    /// The slug of the only person they may ask about; `nil` if they may about anybody.
    package func onlyUser(_ right: Right) -> String? {
        reachesAll(right) ? nil : principal?.user ?? ""
    }
}

/// Does what is asked, whatever the way: here alone it is decided who may, about whom, whether it was done before, and
/// what is written with it, in this order.
package struct Executor: Sendable {
    private let desk: WriteDesk
    private let replays: Replays

    init(_ desk: WriteDesk, once: Replays) {
        self.desk = desk
        replays = once
    }

    /// What is answered: JSON, or nothing. After `end` nothing is done: what was done before is answered alike.
    ///
    /// - Throws: A `RouteProblem` where it is refused.
    func perform(
        _ operation: Operation, _ given: Given, by caller: Caller, until end: Timestamp? = nil
    ) async throws -> RouteAnswer {
        let reach = caller.principal?.reach(operation.right) ?? .nothing
        guard reach >= operation.least else {
            throw RouteProblem(.forbidden, ProblemCode.forbidden.message)
        }
        let call: Operation.Call
        let own = reach < .site ? caller.principal?.user ?? "" : nil
        do throws(InputFault) {
            call = try operation.prepare(given, own)
        } catch {
            throw RouteProblem(error)
        }
        var caller = caller
        caller.person = try await WriteDesk.refusing { [store = desk.store] in
            operation.subject == .found
                ? try await Blocking.run { try call.person(store) } : try call.person(store)
        }
        if let principal = caller.principal, principal.needsConsent(of: nil, for: operation.right) {
            let sharing = desk.directory.sharing(.training)
            if let person = caller.person,
                principal.needsConsent(of: person, for: operation.right),
                !sharing.contains(person)
            {
                throw Self.notAgreed
            }
            caller.visible = sharing.union([principal.user].compactMap(\.self)).sorted()
        }
        return try await done(call.act, of: operation, given, caller, until: end)
    }

    static let notAgreed = RouteProblem(
        .consentRequired, "They have not agreed that others see what they train.")

    private func done(
        _ act: Operation.Act, of operation: Operation, _ given: Given, _ caller: Caller,
        until end: Timestamp?
    ) async throws -> RouteAnswer {
        switch act {
        case .read(let read): return try await answer(operation, by: caller, read)
        case .noted(let note, let read):
            _ = try await desk.perform(by: caller.keyless, note) { store, now in
                let outcome = try note.perform(store, caller.at(now))
                return (Self.answer(operation, outcome), outcome.message)
            }
            return try await answer(operation, by: caller, read)
        case .outside(let ask):
            let (store, clock) = (desk.store, desk.clock)
            return try await once(operation, given, caller) { caller in
                let outcome = try await WriteDesk.refusing {
                    let caller = caller.at(clock.now)
                    return try await LoopThread.run { try ask(store, caller) }
                }
                return await desk.note(Self.answer(operation, outcome), to: caller)
            }
        case .transaction(let write):
            let clock = desk.clock
            return try await once(operation, given, caller) { caller in
                if let end, clock.now > end {
                    throw RouteProblem(.expired, "It came too late.")
                }
                return try await desk.perform(by: caller, write) { store, now in
                    let outcome = try write.perform(store, caller.at(now))
                    return (Self.answer(operation, outcome), outcome.message)
                }
            }
        }
    }

    private func answer(
        _ operation: Operation, by caller: Caller,
        _ read: @escaping @Sendable (Store, Caller) throws -> Operation.Outcome
    ) async throws -> RouteAnswer {
        let (store, caller) = (desk.store, caller.at(desk.clock.now))
        return try await WriteDesk.refusing {
            Self.answer(operation, try await Blocking.run { try read(store, caller) })
        }
    }

    private func once(
        _ operation: Operation, _ given: Given, _ caller: Caller,
        _ work: @escaping @Sendable (Caller) async throws -> RouteAnswer
    ) async throws -> RouteAnswer {
        // Of what is taken away or replaced a key means nothing: done twice it is as done once.
        guard operation.method == .post else { return try await work(caller.keyless) }
        return try await replays.once(caller, keepsBody: !operation.isShownOnce) {
            Array("\(operation.name)\n".utf8) + given.bytes
        } _: {
            try await work($0)
        }
    }

    private static func answer(_ operation: Operation, _ outcome: Operation.Outcome) -> RouteAnswer
    {
        var headers = outcome.tag.map { [("ETag", $0)] } ?? []
        guard let name = outcome.fileName else {
            return RouteAnswer(
                status: operation.status, contentType: operation.type, headers: headers,
                body: .bytes(outcome.body.map { $0 + [UInt8(ascii: "\n")] } ?? []))
        }
        headers.append(("Content-Disposition", "attachment; filename=\"\(name)\""))
        return RouteAnswer(
            status: operation.status,
            contentType: operation.type == "text/csv"
                ? "text/csv; charset=utf-8; header=present" : operation.type,
            headers: headers, body: .bytes(outcome.body ?? []))
    }
}
