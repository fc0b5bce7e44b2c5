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

    @Test func `one of an account at a time, and few that wait`() async {
        let crowd = Crowd()
        let (open, gate) = AsyncStream<Void>.makeStream()
        let codes = await withTaskGroup { group in
            for _ in 0..<10 {
                group.addTask {
                    await refusal(1000, of: "ann") {
                        crowd.enter()
                        for await _ in open {}
                        crowd.leave()
                    }
                }
            }
            var codes: [String?] = []
            for await code in group {
                codes.append(code)
                // One is read and three wait: the others are refused meanwhile.
                if codes.count == 6 { gate.finish() }
            }
            return codes
        }
        #expect(crowd.most == 1)
        #expect(codes == Array(repeating: "unavailable", count: 6) + [nil, nil, nil, nil])
        // Nobody is left at it.
        #expect(await refusal(1000, of: "ann") == nil)
    }

    @Test func `no more bytes at once than there is room for`() async {
        let long = 7 << 20
        let (begun, beginning) = AsyncStream<Void>.makeStream()
        let (open, gate) = AsyncStream<Void>.makeStream()
        async let first = refusal(long, of: "ann") {
            beginning.finish()
            for await _ in open {}
        }
        for await _ in begun {}
        #expect(await refusal(long, of: "bob") == "unavailable")
        #expect(await refusal(4 << 20, of: "bob") == nil, "a phone's still goes in beside it")
        gate.finish()
        #expect(await first == nil)
        #expect(await refusal(long, of: "bob") == nil)
    }

    @Test func `what fails gives its place back`() async {
        struct Fault: Error {}
        for _ in 0..<20 {
            #expect(await refusal(7 << 20, of: "ann") { throw Fault() } == "Fault()")
        }
    }
}
