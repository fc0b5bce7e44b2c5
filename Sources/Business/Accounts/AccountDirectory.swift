import Permissions
import SiteModel
import SiteStore
import Synchronization

/// Who is let in, in memory: asked for every request, read anew after every change.
package final class AccountDirectory: Sendable {
    /// What was shown, and proved to be right.
    package struct Proof: Equatable, Sendable {
        package var principal: Principal
        /// The digest it is known by.
        package var hash: [UInt8]
        package var isSession: Bool

        package init(principal: Principal, hash: [UInt8], isSession: Bool) {
            self.principal = principal
            self.hash = hash
            self.isSession = isSession
        }
    }

    private struct State {
        var accounts: [Account] = []
        var byID: [Int64: Account] = [:]
        var sessions: [[UInt8]: WebSession] = [:]
        var tokens: [[UInt8]: Token] = [:]
        var sharing: [Shared: Set<String>] = [:]
        var usedSessions: [[UInt8]: Timestamp] = [:]
        var usedTokens: [[UInt8]: Timestamp] = [:]
    }

    private let state = Mutex(State())
    /// Held while it is read anew: of two at once the older one must not come last.
    private let reading = Mutex(())

    package init() {}

    /// Reads everything. What was used since the last call of `takeUsed` stays known.
    package func reload(_ store: Store) throws(StoreError) {
        try reading.withLock { _ throws(StoreError) in take(try Accounts(store).all()) }
    }

    private func take(_ all: Accounts.Everything) {
        state.withLock { state in
            state.accounts = all.accounts
            state.byID = Dictionary(all.accounts.map { ($0.id, $0) }) { first, _ in first }
            state.sessions = Dictionary(all.sessions.map { ($0.hash, $0) }) { first, _ in first }
            state.tokens = Dictionary(all.tokens.map { ($0.hash, $0) }) { first, _ in first }
            state.sharing = all.sharing
            for (hash, at) in state.usedSessions {
                guard let seen = state.sessions[hash]?.seen else { continue }
                state.sessions[hash]?.seen = max(seen, at)
            }
        }
    }

    /// Whose session a cookie's value is, or `nil`. It counts as used.
    package func session(_ secret: String, at now: Timestamp) -> Proof? {
        let hash = OneTimeSecret.hash(of: secret)
        return state.withLock { state in
            guard let proof = Self.proof(session: hash, state, at: now) else { return nil }
            state.sessions[hash]?.seen = now
            state.usedSessions[hash] = now
            return proof
        }
    }

    /// Whose token it is, or `nil`. It counts as used.
    package func token(_ secret: String, at now: Timestamp) -> Proof? {
        let hash = OneTimeSecret.hash(of: secret)
        return state.withLock { state in
            guard let proof = Self.proof(token: hash, state, at: now) else { return nil }
            state.usedTokens[hash] = now
            return proof
        }
    }

    /// Whether what was proved once still holds, with the same rights.
    package func holds(_ proof: Proof, at now: Timestamp) -> Bool {
        state.withLock { state in
            let current =
                proof.isSession
                ? Self.proof(session: proof.hash, state, at: now)
                : Self.proof(token: proof.hash, state, at: now)
            return current == proof
        }
    }

    private static func proof(
        session hash: [UInt8], _ state: State, at now: Timestamp
    ) -> Proof? {
        guard let session = state.sessions[hash], let account = state.byID[session.account],
            account.disabled == nil, now < session.end(account.role)
        else { return nil }
        return Proof(principal: account.principal, hash: hash, isSession: true)
    }

    private static func proof(token hash: [UInt8], _ state: State, at now: Timestamp) -> Proof? {
        guard let token = state.tokens[hash], token.isValid(at: now) else { return nil }
        // What people make for their phones ends with their account, and with a role that has none.
        let isShut = state.accounts.contains {
            $0.user == token.user
                && ($0.disabled != nil || Right.activityWrite.reach(of: $0.role) == .nothing)
        }
        guard !token.isPhone || !isShut else { return nil }
        return Proof(principal: token.principal, hash: hash, isSession: false)
    }

    /// Accounts by name, tokens by age, also those that let nobody in.
    package var accounts: [Account] { state.withLock(\.accounts) }
    package var tokens: [Token] {
        state.withLock { state in
            state.tokens.values.map { token in
                var token = token
                token.used = max(token.used, state.usedTokens[token.hash])
                return token
            }.sorted { $0.id < $1.id }
        }
    }

    /// Who lets others see what of themselves, by slug.
    package var sharing: [Shared: Set<String>] { state.withLock(\.sharing) }
    /// Who lets others see a part, by slug.
    package func sharing(_ part: Shared) -> Set<String> { sharing[part] ?? [] }

    package func account(_ name: String) -> Account? { accounts.first { $0.name == name } }

    /// How many sessions an account has.
    package func sessions(of account: Int64) -> Int {
        state.withLock { $0.sessions.values.count { $0.account == account } }
    }

    /// When a session ends if it is not used any more; `nil` if there is none.
    package func end(ofSession hash: [UInt8]) -> Timestamp? {
        state.withLock { state in
            state.sessions[hash].flatMap { session in
                state.byID[session.account].map { session.end($0.role) }
            }
        }
    }

    /// Whether nobody owns the site yet.
    package var isUnclaimed: Bool {
        !accounts.contains { $0.role == .owner && $0.disabled == nil }
    }

    /// What was used since the last call, to be stored; `nil` if nothing was.
    package func takeUsed() -> AccountCall? {
        state.withLock { state in
            guard !state.usedSessions.isEmpty || !state.usedTokens.isEmpty else { return nil }
            defer { (state.usedSessions, state.usedTokens) = ([:], [:]) }
            for (hash, at) in state.usedTokens { state.tokens[hash]?.used = at }
            func listed(_ used: [[UInt8]: Timestamp]) -> [AccountCall.Used] {
                used.map { AccountCall.Used(hash: $0.key, at: $0.value) }
                    .sorted { $0.hash.lexicographicallyPrecedes($1.hash) }
            }
            return .touch(
                sessions: listed(state.usedSessions), tokens: listed(state.usedTokens))
        }
    }

    private func max(_ a: Timestamp?, _ b: Timestamp?) -> Timestamp? {
        guard let a, let b else { return a ?? b }
        return Swift.max(a, b)
    }

    private func max(_ a: Timestamp, _ b: Timestamp) -> Timestamp { Swift.max(a, b) }
}
