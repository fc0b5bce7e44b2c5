@testable import CoordinatorService
import Synchronization
import Testing
@testable import SiteService

/// What other threads leave for the loop.
struct LoopDeskTests {
    private func write() -> LoopMailbox.Write {
        LoopMailbox.Write { _ in
            ""
        } reply: { _ in
        }
    }

    @Test func `once it is closed nothing is taken that nobody would see`() {
        let mailbox = LoopMailbox()
        #expect(mailbox.put(write()))
        mailbox.close()
        #expect(!mailbox.put(write()))
        #expect(mailbox.bell.take().count == 1)
        // The reply to what lay there: it counts no more, and opens nothing.
        mailbox.isOver()
        #expect(!mailbox.put(write()))
    }

    @Test func `only so many are unanswered at a time`() {
        let mailbox = LoopMailbox()
        for _ in 0..<LoopMailbox.mostQuestions { #expect(mailbox.put(write())) }
        #expect(!mailbox.put(write()))
        mailbox.isOver()
        #expect(mailbox.put(write()))
    }
}
