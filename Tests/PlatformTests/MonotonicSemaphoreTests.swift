import Foundation
import Synchronization
import Testing

@testable import Platform

/// Waits end by a signal or by the monotonic clock, and each signal ends one.
struct MonotonicSemaphoreTests {
    let semaphore = MonotonicSemaphore()

    @Test func `a signal before the wait counts`() {
        semaphore.signal()
        #expect(semaphore.wait(seconds: 0))
        #expect(!semaphore.wait(seconds: 0))
    }

    @Test(arguments: [-1.0, 0, 1e-9, 0.001, 0.02])
    func `without a signal a wait ends in time, and not before`(seconds: Double) {
        let watch = Stopwatch()
        #expect(!semaphore.wait(seconds: seconds))
        #expect(watch.seconds >= seconds)
    }

    @Test func `each signal ends one wait`() {
        for _ in 0..<5 { semaphore.signal() }
        for _ in 0..<4 { #expect(semaphore.wait(seconds: 0)) }
        semaphore.wait()
        #expect(!semaphore.wait(seconds: 0))
    }

    @Test(arguments: [60.0, 1e12, .infinity]) func `a wait under way ends by a signal`(
        seconds: Double
    ) {
        let began = MonotonicSemaphore()
        let ended = MonotonicSemaphore()
        let isSignalled = Atomic(false)
        Thread.detachNewThread { [semaphore] in
            began.signal()
            isSignalled.store(semaphore.wait(seconds: seconds), ordering: .releasing)
            ended.signal()
        }
        began.wait()
        semaphore.signal()
        ended.wait()
        let isInTime = isSignalled.load(ordering: .acquiring)
        #expect(isInTime)
        #expect(!semaphore.wait(seconds: 0))
    }

    @Test func `no signal is lost or counted twice among many threads`() {
        let threads = 8
        let each = 2_000
        let ended = MonotonicSemaphore()
        let taken = Atomic(0)
        for number in 0..<threads {
            Thread.detachNewThread { [semaphore] in
                for _ in 0..<each { semaphore.signal() }
                ended.signal()
            }
            Thread.detachNewThread { [semaphore] in
                for turn in 0..<each {
                    if (turn + number).isMultiple(of: 2) {
                        semaphore.wait()
                        taken.add(1, ordering: .relaxed)
                    } else if semaphore.wait(seconds: 60) {
                        taken.add(1, ordering: .relaxed)
                    }
                }
                ended.signal()
            }
        }
        for _ in 0..<2 * threads { ended.wait() }
        let count = taken.load(ordering: .acquiring)
        #expect(count == threads * each)
        #expect(!semaphore.wait(seconds: 0))
    }

    /// Who waits may hold the last reference.
    @Test func `a semaphore may go while its last wait ends`() {
        for _ in 0..<500 {
            let ended = MonotonicSemaphore()
            Thread.detachNewThread { ended.signal() }
            ended.wait()
        }
    }
}
