import Foundation
import Glibc
import Platform
import Synchronization
import WebServer

/// Runs blocking reads of the disk away from the threads that serve all requests.
///
/// A queue of Dispatch would not do: its threads and those of tasks are of one number, that of the cores, so that a few
/// long reads keep everything waiting (measured: `/healthz` 6.9 s while eight histories of 108,000 sets were written).
package enum Blocking {
    private static let threads = FairThreads(count: 4, mostOfOne: 2)

    /// The result of `body`, run on a thread of its own. Who asks for much waits for themselves: of each asker two are
    /// run at once, and the askers take turns.
    package static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            threads.run(for: RequestAsker.current) {
                continuation.resume(with: Result { try body() })
            }
        }
    }
}

/// A few threads that do what is asked of them, by turns of who asks.
final class FairThreads: Sendable {
    typealias Work = @Sendable () -> Void

    private struct State {
        /// Who has something waiting, who comes next first.
        var order: [String] = []
        var waiting: [String: [Work]] = [:]
        var running: [String: Int] = [:]
    }

    /// Less urgent than the loop, the store and whoever answers that all is well.
    private static let niceness: Int32 = 5

    private let mostOfOne: Int
    private let state = Mutex(State())
    /// One for each work that may have become the next.
    private let bell = MonotonicSemaphore()

    /// `mostOfOne`: so many works of one asker are done at once.
    init(count: Int, mostOfOne: Int) {
        self.mostOfOne = mostOfOne
        for _ in 0..<count {
            Thread.detachNewThread { [self] in
                // Of the calling thread alone, as Linux has it.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
                while true {
                    bell.wait()
                    guard let (asker, work) = next() else { continue }
                    work()
                    end(asker)
                }
            }
        }
    }

    func run(for asker: String, _ work: @escaping Work) {
        state.withLock { state in
            if state.waiting[asker] == nil { state.order.append(asker) }
            state.waiting[asker, default: []].append(work)
        }
        bell.signal()
    }

    private func next() -> (asker: String, work: Work)? {
        state.withLock { state in
            guard
                let place = state.order.firstIndex(where: {
                    state.running[$0, default: 0] < mostOfOne
                })
            else { return nil }
            let asker = state.order.remove(at: place)
            guard let work = state.waiting[asker]?.removeFirst() else { return nil }
            if state.waiting[asker]?.isEmpty == true {
                state.waiting[asker] = nil
            } else {
                state.order.append(asker)
            }
            state.running[asker, default: 0] += 1
            return (asker, work)
        }
    }

    private func end(_ asker: String) {
        let hasMore = state.withLock { state in
            state.running[asker, default: 1] -= 1
            if state.running[asker] == 0 { state.running[asker] = nil }
            return state.waiting[asker] != nil
        }
        if hasMore { bell.signal() }
    }
}
