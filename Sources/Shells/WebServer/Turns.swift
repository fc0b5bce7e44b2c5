import Synchronization

/// What must not be done side by side, in the order in which it was asked for.
package final class Turns<Key: Hashable & Sendable>: Sendable {
    /// Who has waited for so long is answered that nothing was done: nothing is done that nobody waits for.
    private static var patience: Duration { .seconds(10) }

    /// Who waits, by what for. There is an entry as long as somebody is at it.
    private let waiting = Mutex<[Key: [CheckedContinuation<Void, Never>]]>([:])

    package init() {}

    /// Does something once everybody is through who came before with the same key.
    ///
    /// - Throws: A `RouteProblem` if that took too long, else what `work` throws.
    package func inTurn<Value: Sendable>(
        _ key: Key, _ work: () async throws -> Value
    ) async throws -> Value {
        let asked = ContinuousClock.now
        await withCheckedContinuation { continuation in
            let isFirst = waiting.withLock { waiting in
                guard waiting[key] != nil else {
                    waiting[key] = []
                    return true
                }
                waiting[key]?.append(continuation)
                return false
            }
            if isFirst { continuation.resume() }
        }
        defer { leave(key) }
        guard ContinuousClock.now - asked < Self.patience, !Task.isCancelled else {
            throw RouteProblem(
                .unavailable, "Others are still being served. Ask again.", retryAfter: 5)
        }
        return try await work()
    }

    private func leave(_ key: Key) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard let first = waiting[key]?.first else {
                waiting[key] = nil
                return nil
            }
            waiting[key]?.removeFirst()
            return first
        }
        next?.resume()
    }
}
