import Synchronization
import Testing

@testable import WebServer

/// Bodies that are longer than most: few at once, and one of each account.
struct LargeBodiesTests {
    private let large = LargeBodies()

    /// How many are at it, and were at most.
    private final class Crowd: Sendable {
        private let counts = Mutex((now: 0, most: 0))

        var most: Int { counts.withLock { $0.most } }

        func enter() {
            counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        }

        func leave() { counts.withLock { $0.now -= 1 } }
    }

    /// What somebody is refused with, if they are.
    private func refusal(
        _ bytes: Int, of account: String, _ work: @Sendable () async throws -> Void = {}
    ) async -> String? {
        do {
            try await large.take(bytes, of: account, work)
            return nil
        } catch let problem as RouteProblem {
            #expect(problem.retryAfter != nil)
            return problem.code.rawValue
        } catch {
            return "\(error)"
        }
    }

    @Test func `one of an account at a time, and few that wait`() async throws {
        let crowd = Crowd()
        let codes = await withTaskGroup { group in
            for _ in 0..<10 {
                group.addTask {
                    await refusal(1000, of: "ann") {
                        crowd.enter()
                        try await Task.sleep(for: .milliseconds(50))
                        crowd.leave()
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(crowd.most == 1)
        #expect(codes.filter { $0 == nil }.count >= 4)
        #expect(codes.contains("unavailable"))
        // Nobody is left at it.
        #expect(await refusal(1000, of: "ann") == nil)
    }

    @Test func `no more bytes at once than there is room for`() async throws {
        let long = 20 << 20
        let isIn = Once()
        let isDone = Once()
        async let first = refusal(long, of: "ann") {
            isIn.happened()
            while !isDone.hasHappened { try await Task.sleep(for: .milliseconds(5)) }
        }
        while !isIn.hasHappened { try await Task.sleep(for: .milliseconds(5)) }
        #expect(await refusal(long, of: "bob") == "unavailable")
        #expect(await refusal(4 << 20, of: "bob") == nil, "a phone's still goes in beside it")
        isDone.happened()
        #expect(await first == nil)
        #expect(await refusal(long, of: "bob") == nil)
    }

    @Test func `what fails gives its place back`() async {
        struct Fault: Error {}
        for _ in 0..<20 {
            #expect(await refusal(20 << 20, of: "ann") { throw Fault() } == "Fault()")
        }
    }
}
