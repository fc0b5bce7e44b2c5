import Detections
import SiteModel

/// Stores what external detectors found, however it comes, and bounds how much.
struct DetectionIntake: Sendable {
    /// So many a minute are taken of one who sends them.
    static let aMinute = SampleBudget.aMinute

    private let desk: WriteDesk
    private let budget = SampleBudget()

    init(_ desk: WriteDesk) { self.desk = desk }

    /// After how many seconds so many may be taken of somebody; `nil`: now, and they count.
    func wait(for count: Int, of sender: String) -> Int? { budget.wait(for: count, of: sender) }

    /// Stores them in one transaction, each once.
    ///
    /// - Throws: What the store or its queue throws: nothing was written.
    func store(_ found: [Detection]) async throws -> [Detections.Stored] {
        guard !found.isEmpty else { return [] }
        let now = desk.clock.now
        let stored = try await desk.mailbox.ask(within: LocalRequest.patience, storing: .together) {
            try Detections($0).put(found, at: now)
        }
        desk.mailbox.notifier.ring()
        return stored
    }
}
