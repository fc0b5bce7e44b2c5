import Detections
import SiteModel
import Synchronization

/// Stores what external detectors found, however it comes, and bounds how much.
struct DetectionIntake: Sendable {
    /// So many a minute are taken, whoever sends them.
    static let aMinute = 20_000

    private let desk: WriteDesk
    private let budget = DetectionBudget()

    init(_ desk: WriteDesk) { self.desk = desk }

    /// After how many seconds so many may be taken; `nil`: now, and they count.
    func wait(for count: Int) -> Int? { budget.wait(for: count, at: desk.clock.now) }

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

/// How many detections are taken within a minute.
private final class DetectionBudget: Sendable {
    private let taken = Mutex<(minute: Int64, count: Int)>((0, 0))

    /// Takes so many; else after how many seconds they may be taken.
    func wait(for count: Int, at now: Timestamp) -> Int? {
        let minute = now.milliseconds / 60_000
        return taken.withLock { taken in
            if taken.minute != minute { taken = (minute, 0) }
            guard taken.count + count <= DetectionIntake.aMinute else {
                return Int(60 - now.milliseconds / 1000 % 60)
            }
            taken.count += count
            return nil
        }
    }
}
