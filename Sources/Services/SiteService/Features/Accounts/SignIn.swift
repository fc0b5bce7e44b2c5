import Accounts
import Ciphers
import Foundation
import Permissions
import SiteModel
import Synchronization
import WebServer

/// Whoever signs in: passwords are compared one after the other, guesses are slowed down.
package final class SignIn: Sendable {
    private let throttle = Mutex(GuessThrottle())
    private let strangers = PasswordQueue()
    /// For who has proved something, or signed in from there before: no crowd of strangers fills it.
    private let known = PasswordQueue()
    private let code: String?

    /// `code`: what claims a site that nobody owns.
    package init(code: String? = nil) { self.code = code }

    /// A code to be typed: eight characters, 40 bits, none of which looks like another.
    package static func newCode() -> String {
        let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        let text = (0..<8).map { _ in letters[Int.random(in: 0..<letters.count)] }
        return String(text[..<4]) + "-" + String(text[4...])
    }

    /// Counts an attempt of somebody at a network to guess a secret of `account`.
    ///
    /// - Throws: A `RouteProblem` `rate_limited` with the seconds to wait.
    func begin(_ account: String, _ client: Client, at now: Timestamp) throws(RouteProblem) {
        let household = Network.household(of: client.address)
        let pause = throttle.withLock {
            $0.begin(account: account, household: household, at: now)
        }
        guard let pause else { return }
        let seconds = max(1, Int(pause.rounded(.up)))
        throw RouteProblem(
            .rateLimited, "Too many attempts. Try again in \(seconds) s.", retryAfter: seconds)
    }

    /// It was no guess.
    func succeed(_ account: String, _ client: Client) {
        let household = Network.household(of: client.address)
        throttle.withLock { $0.succeed(account: account, household: household) }
    }

    /// Compares the password of `account` for somebody who has proved nothing yet.
    ///
    /// - Throws: A `RouteProblem` `unavailable` while too many wait; then it does not count as a guess.
    func compare<Value: Sendable>(
        _ account: String, _ client: Client, _ body: @escaping @Sendable () -> Value
    ) async throws(RouteProblem) -> Value {
        let household = Network.household(of: client.address)
        let isKnown = throttle.withLock { $0.isKnown(account: account, household: household) }
        do throws(RouteProblem) {
            return try await (isKnown ? known : strangers).work(body)
        } catch {
            throttle.withLock { $0.withdraw(account: account, household: household) }
            throw error
        }
    }

    /// Compares or makes a password of somebody who has proved something.
    ///
    /// - Throws: A `RouteProblem` `unavailable` while too many wait.
    func work<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value
    ) async throws(RouteProblem) -> Value {
        try await known.work(body)
    }

    /// Whether a text is the code that claims the site, however it is written.
    func isClaim(_ text: String) -> Bool {
        guard let code else { return false }
        let (asked, known) = (Self.plain(text), Self.plain(code))
        guard asked.count == known.count else { return false }
        return zip(asked, known).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func plain(_ text: String) -> [UInt8] {
        text.uppercased().utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
    }

    /// Attempts that were refused unseen, in Prometheus text.
    package var metrics: String {
        """
        # TYPE mesh_sign_in_throttled_total counter
        mesh_sign_in_throttled_total \(throttle.withLock(\.refused))

        """
    }
}

/// Passwords that are compared or made one after the other, away from the server's threads: each needs 8 MiB.
private final class PasswordQueue: Sendable {
    /// As many wait; each takes about a tenth of a second.
    private static let most = 8

    private let waiting = Mutex(0)
    private let queue = DispatchQueue(label: "beaconmesh.passwords")

    func work<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value
    ) async throws(RouteProblem) -> Value {
        let hasRoom = waiting.withLock { count in
            guard count < Self.most else { return false }
            count += 1
            return true
        }
        guard hasRoom else {
            throw RouteProblem(
                .unavailable, "Too many people sign in at once. Try again.", retryAfter: 2)
        }
        defer { waiting.withLock { $0 -= 1 } }
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}

/// The cookie that stands for a session.
enum SessionCookie {
    /// What sets it.
    static func setting(_ secret: String, of role: Role, _ client: Client) -> (String, String) {
        let seconds = Int(WebSession.limits(role).whole)
        return ("Set-Cookie", Access.cookieSetting("\(secret); Max-Age=\(seconds)", client))
    }

    /// What sets it to the token of a board: for as long as browsers keep any.
    static func setting(token: String, _ client: Client) -> (String, String) {
        ("Set-Cookie", Access.cookieSetting("\(token); Max-Age=34560000", client))
    }

    /// What removes it.
    static func removing(_ client: Client) -> (String, String) {
        ("Set-Cookie", Access.cookieRemoval(client))
    }
}

extension AccountDirectory {
    /// What the server asks about whoever comes. `file` is the token of the file, an owner's.
    package func authority(
        file: String?, now: @escaping @Sendable () -> Timestamp
    ) -> Authority {
        let known = file.flatMap { $0.isEmpty ? nil : OneTimeSecret.hash(of: $0) }
        return Authority(
            token: { [self] secret in
                if let known, OneTimeSecret.hash(of: secret) == known {
                    return Visitor(Principal(name: "token", role: .owner), by: .place)
                }
                return token(secret, at: now()).map(Self.visitor)
            },
            session: { [self] secret in
                guard secret.hasPrefix(Token.prefix) else {
                    return session(secret, at: now()).map(Self.visitor)
                }
                // A board keeps its token: what it opens ends with that.
                return token(secret, at: now()).map(Self.visitor).flatMap {
                    $0.principal.role.isBoard ? $0 : nil
                }
            },
            holds: { [self] visitor in
                switch visitor.credential {
                case .place, .terminal, .broker: true
                case .session(let hash):
                    holds(
                        Proof(principal: visitor.principal, hash: hash, isSession: true), at: now())
                case .token(let hash):
                    holds(
                        Proof(principal: visitor.principal, hash: hash, isSession: false),
                        at: now())
                }
            })
    }

    private static func visitor(_ proof: Proof) -> Visitor {
        Visitor(
            proof.principal, by: proof.isSession ? .session(proof.hash) : .token(proof.hash))
    }
}
