import Foundation
import Synchronization
import Testing
import WebServer

@testable import SiteService

/// Long reads of one asker keep nobody else waiting.
struct BlockingTests {
    @Test func `who asks for much waits for themselves, and the others take turns`() {
        let threads = FairThreads(count: 3, mostOfOne: 2)
        let log = Mutex<[String]>([])
        let running = Atomic(0)
        let most = Mutex(0)
        let (gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for number in 0..<6 {
            threads.run(for: "ann") {
                let now = running.add(1, ordering: .relaxed).newValue
                most.withLock { $0 = max($0, now) }
                gate.wait()
                running.subtract(1, ordering: .relaxed)
                log.withLock { $0.append("ann \(number)") }
                done.signal()
            }
        }
        // The third thread is free for whoever else asks, while all of Ann's wait.
        for name in ["ben", "cid", "ben"] {
            threads.run(for: name) {
                log.withLock { $0.append(name) }
                done.signal()
            }
        }
        for _ in 0..<3 { #expect(done.wait(timeout: .now() + 10) == .success) }
        #expect(log.withLock { $0 } == ["ben", "cid", "ben"])
        for _ in 0..<6 { gate.signal() }
        for _ in 0..<6 { #expect(done.wait(timeout: .now() + 10) == .success) }
        #expect(most.withLock { $0 } == 2)
        #expect(Set(log.withLock { $0 }).count == 8)
    }

    @Test func `what it throws is thrown, and who asks is known there`() async throws {
        struct Fault: Error {}
        await #expect(throws: Fault.self) { try await Blocking.run { throw Fault() } }
        let value = try await RequestAsker.$current.withValue("u-ann") {
            try await Blocking.run { 7 }
        }
        #expect(value == 7)
    }
}
