import Foundation
import Testing

/// Runs each test of a suite on a thread of its own, a few at a time. Such a test waits for real
/// processes, and would hold up all others on one of the few threads they share.
struct OwnThread: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    /// So many at a time: each has a broker, a coordinator and nodes.
    private static let turnstile = Turnstile(places: 6)

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        await Self.turnstile.enter()
        let result: Result<Void, any Error>
        do {
            result = .success(
                try await withTaskExecutorPreference(ThreadPerJob(), operation: function))
        } catch {
            result = .failure(error)
        }
        await Self.turnstile.leave()
        try result.get()
    }
}

extension Trait where Self == OwnThread {
    /// Waits for real processes.
    static var ownThread: Self { Self() }
}

/// Starts a thread for whatever is to be run.
private final class ThreadPerJob: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Lets so many in at a time, in order of arrival.
private actor Turnstile {
    private var places: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(places: Int) { self.places = places }

    func enter() async {
        if places > 0 {
            places -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func leave() {
        if waiting.isEmpty {
            places += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
