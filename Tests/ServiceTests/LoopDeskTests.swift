@testable import CoordinatorService
import Synchronization
import Testing

/// What other threads leave for the loop.
struct LoopDeskTests {
    private func write() -> LoopDesk.Write {
        LoopDesk.Write { _ in
            ""
        } reply: { _ in
        }
    }

    @Test func `once it is closed nothing is taken that nobody would see`() {
        let desk = LoopDesk()
        #expect(desk.put(write()))
        desk.close()
        #expect(!desk.put(write()))
        #expect(desk.bell.take().count == 1)
        // The reply to what lay there: it counts no more, and opens nothing.
        desk.isOver()
        #expect(!desk.put(write()))
    }

    @Test func `only so many are unanswered at a time`() {
        let desk = LoopDesk()
        for _ in 0..<LoopDesk.mostQuestions { #expect(desk.put(write())) }
        #expect(!desk.put(write()))
        desk.isOver()
        #expect(desk.put(write()))
    }
}
