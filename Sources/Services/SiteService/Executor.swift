import Accounts
import Ciphers
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
    /// That the request is done once, from when its key is claimed.
    var claim: AnsweredRequests.Claim?
    /// Whether what is answered to it may be kept: it has no secret.
    var keepsBody = false

    package init(_ principal: Principal?, via: AuditEntry.Via, key: String?) {
        self.principal = principal
        self.via = via
        self.key = key
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

    var keyless: Caller { Caller(principal, via: via, key: nil) }

    func asker(at now: Timestamp) -> RosterAsker { RosterAsker(name: name, via: via, at: now) }
}

/// Does what is asked, whatever the way: here alone it is decided who may, about whom, whether it was done before, and
/// what is written with it, in this order.
package struct Executor: Sendable {
    private let desk: WriteDesk
    private let once: Replays

    init(_ desk: WriteDesk, once: Replays) {
        self.desk = desk
        self.once = once
    }

    /// What is answered: JSON, or nothing.
    ///
    /// - Throws: A `RouteProblem` where it is refused.
    func perform(
        _ operation: Operation, _ given: Given, by caller: Caller
    ) async throws -> RouteAnswer {
        let reach = caller.principal?.reach(operation.right) ?? .nothing
        guard reach >= operation.least else {
            throw RouteProblem(.forbidden, ProblemCode.forbidden.message)
        }
        let act: Operation.Act
        do throws(InputFault) {
            act = try operation.prepare(
                given, reach < .site ? caller.principal?.user ?? "" : nil)
        } catch {
            throw RouteProblem(error)
        }
        switch act {
        case .read(let read):
            let (store, asker) = (desk.store, caller.asker(at: desk.clock.now))
            return try await WriteDesk.refusing {
                Self.answer(operation, try await Blocking.run { try read(store, asker) })
            }
        case .transaction(let write):
            // Of what is taken away or replaced a key means nothing: done twice it is as done once.
            let isOnce = operation.method == .post
            return try await once.once(
                isOnce ? caller : caller.keyless, keepsBody: !operation.isShownOnce
            ) {
                Array("\(operation.name)\n".utf8) + given.bytes
            } _: { caller in
                try await desk.perform(by: caller) { store, now in
                    Self.answer(operation, try write(store, caller.asker(at: now)))
                }
            }
        }
    }

    private static func answer(_ operation: Operation, _ json: [UInt8]?) -> RouteAnswer {
        RouteAnswer(
            status: operation.status, contentType: json == nil ? nil : "application/json",
            body: .bytes(json.map { $0 + [UInt8(ascii: "\n")] } ?? []))
    }
}
