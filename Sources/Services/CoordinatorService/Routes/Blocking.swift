import Foundation

/// Runs blocking reads of the disk away from the threads that serve all requests.
enum Blocking {
    private static let queue = DispatchQueue(
        label: "beaconmesh.routes", attributes: .concurrent)

    /// The result of `body`, run on a thread of its own.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}
