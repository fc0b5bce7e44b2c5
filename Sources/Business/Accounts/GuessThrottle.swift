import SiteModel

/// Slows down who guesses passwords or codes: by account and household, by household, and a crowd of
/// households that guess at one account together, gently by account. Households from which the account was
/// entered before are not counted with the crowd, which cannot keep its owner out there.
///
/// Pure: the caller says what time it is. A failure is counted before the answer is known, so that
/// many attempts at once gain nothing. What is known of households ends with the process.
package struct GuessThrottle: Sendable {
    /// Failures without a wait: of one household at one account, and of one household at any.
    package static let freeAtOne = 5
    package static let freeAtAny = 20
    /// Failures at one account without a wait, of all households together that never entered it.
    package static let freeAtAccount = 50
    /// The longest wait, in seconds, for a household, and for an account.
    package static let longest = 900.0
    package static let longestAtAccount = 10.0
    /// So long nothing is remembered after the last failure, in seconds.
    package static let memory = 3600.0
    /// As many are remembered; then the oldest is forgotten.
    package static let capacity = 4096
    /// As many households of an account are known; then the one whose last success is oldest is forgotten.
    package static let mostKnown = 16

    private struct Record {
        var failures = 0
        var last: Timestamp
    }

    private var records: [String: Record] = [:]
    /// Of each account the households from which it was entered, the newest last. Only a right password adds
    /// one, so that there are no more accounts here than the site has.
    private var known: [String: [String]] = [:]
    /// Attempts that were refused without looking at the password.
    package private(set) var refused = 0

    package init() {}

    /// Counts an attempt; returns the seconds to wait if it may not be made now.
    package mutating func begin(
        account: String, household: String, at now: Timestamp
    ) -> Double? {
        let limits = limits(account, household)
        let pause = limits.map { waiting($0, now) }.max() ?? 0
        guard pause <= 0 else {
            refused += 1
            return pause
        }
        for limit in limits {
            var record = records[limit.key] ?? Record(last: now)
            if now - record.last > .seconds(Self.memory) { record.failures = 0 }
            record.failures += 1
            record.last = now
            makeRoom(for: limit.key)
            records[limit.key] = record
        }
        return nil
    }

    /// The attempt was right: it was no guess.
    package mutating func succeed(account: String, household: String) {
        let limits = limits(account, household)
        records[limits[0].key] = nil
        for limit in limits.dropFirst() { records[limit.key]?.failures -= 1 }
        var households = known[account] ?? []
        households.removeAll { $0 == household }
        households.append(household)
        known[account] = Array(households.suffix(Self.mostKnown))
    }

    /// The attempt was not looked at: it was no guess either.
    package mutating func withdraw(account: String, household: String) {
        for limit in limits(account, household) { records[limit.key]?.failures -= 1 }
    }

    /// Whether an account was entered from a household before.
    package func isKnown(account: String, household: String) -> Bool {
        known[account]?.contains(household) == true
    }

    private func waiting(_ limit: Limit, _ now: Timestamp) -> Double {
        guard let record = records[limit.key], now - record.last <= .seconds(Self.memory) else {
            return 0
        }
        let over = record.failures - limit.free
        guard over >= 0 else { return 0 }
        let pause = over >= 10 ? limit.longest : min(limit.longest, Double(1 << over))
        return pause - (now - record.last).seconds
    }

    private mutating func makeRoom(for key: String) {
        guard records[key] == nil, records.count >= Self.capacity else { return }
        let oldest = records.min { ($0.value.last, $0.key) < ($1.value.last, $1.key) }
        if let oldest { records[oldest.key] = nil }
    }

    private struct Limit {
        var key: String
        var free: Int
        var longest: Double
    }

    private func limits(_ account: String, _ household: String) -> [Limit] {
        let own = [
            Limit(
                key: "\(account)\n\(household)", free: Self.freeAtOne, longest: Self.longest),
            Limit(key: household, free: Self.freeAtAny, longest: Self.longest),
        ]
        guard !isKnown(account: account, household: household) else { return own }
        return own + [
            Limit(
                key: "\(account)\n", free: Self.freeAtAccount, longest: Self.longestAtAccount)
        ]
    }
}
