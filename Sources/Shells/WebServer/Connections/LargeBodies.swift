import Foundation
import Synchronization

/// Bodies that are longer than most. They are read one after the other on a thread of their own, one of each account at
/// a time, and no more of them at once than there is room for: whoever asks for little waits for none.
final class LargeBodies: Sendable {
    /// Longer ones are large, in bytes.
    static let least = Route.largestBody
    /// How many bytes of bodies are held at once: one training history of the longest, and a phone's body beside it.
    private static let room = 12 << 20
    /// How many of an account wait for their turn, the one that is read included. Each that waits holds what the network
    /// has brought of its body.
    private static let mostOfOne = 4

    private struct State {
        var bytes = 0
        var waiting: [String: Int] = [:]
    }

    private let state = Mutex(State())
    private let turns = Turns<String>()
    private let thread = OneThread()

    /// Reads a body of up to so many bytes, and does what it asks for. `account`: the person, whatever they ask with,
    /// else the account or token.
    ///
    /// - Throws: A `RouteProblem` if there is no room for it, else what `work` throws.
    func take<Value: Sendable>(
        _ bytes: Int, of account: String, _ work: () async throws -> Value
    ) async throws -> Value {
        let isFew = state.withLock { state in
            guard state.waiting[account, default: 0] < Self.mostOfOne else { return false }
            state.waiting[account, default: 0] += 1
            return true
        }
        guard isFew else { throw Self.full }
        defer {
            state.withLock { state in
                state.waiting[account, default: 1] -= 1
                if state.waiting[account] == 0 { state.waiting[account] = nil }
            }
        }
        return try await turns.inTurn(account) {
            let hasRoom = state.withLock { state in
                guard state.bytes + bytes <= Self.room else { return false }
                state.bytes += bytes
                return true
            }
            guard hasRoom else { throw Self.full }
            defer { state.withLock { $0.bytes -= bytes } }
            return try await withTaskExecutorPreference(thread) { try await work() }
        }
    }

    private static let full = RouteProblem(
        .unavailable, "Other long bodies are being read: send it again.", retryAfter: 5)
}

/// Does one thing after the other, on a thread that serves nobody else.
private final class OneThread: TaskExecutor {
    private let queue = DispatchQueue(label: "beaconmesh.large-bodies")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
