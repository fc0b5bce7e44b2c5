import Foundation

/// Runs a blocking function on a thread of its own.
package enum LoopThread {
    /// Runs `body` on a new thread and waits for it without blocking Swift's pool.
    ///
    /// - Throws: What `body` throws.
    package static func run(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
        }
    }
}
