import Synchronization

/// What must not be done side by side, in the order in which it was asked for.
final class Turns<Key: Hashable & Sendable>: Sendable {
    /// Who waits, by what for. There is an entry as long as somebody is at it.
    private let waiting = Mutex<[Key: [CheckedContinuation<Void, Never>]]>([:])

    /// Does something once everybody is through who came before with the same key.
    func inTurn<Value: Sendable>(
        _ key: Key, _ work: () async throws -> Value
    ) async rethrows -> Value {
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
