import SiteEngine
import SiteModel

/// Decided facts on their way into the database: one batch at a time is under way, the next collects
/// meanwhile.
struct FactQueue: Sendable {
    private var waiting: [Fact] = []
    private var inFlight: [Fact]?
    /// When the batch under way is tried again.
    private var retryAt: Timestamp?
    /// Facts were refused for good: what the mesh decides until `restored` rests on what is not
    /// stored, and is never stored either.
    private var isRestoring = false

    /// The number of facts that are not stored yet.
    var count: Int { waiting.count + (inFlight?.count ?? 0) }

    /// Whether there is none.
    var isSettled: Bool { inFlight == nil && waiting.isEmpty }

    /// Whether an answer waits to be stored.
    func contains(_ answer: Answer) -> Bool {
        waiting.contains(.answer(answer)) || (inFlight?.contains(.answer(answer)) ?? false)
    }

    /// A fact was decided.
    mutating func append(_ fact: Fact) { waiting.append(fact) }

    /// The batch that is to be stored now; `nil` while one is under way, or if there is none.
    mutating func next() -> [Fact]? {
        guard inFlight == nil, !isRestoring, !waiting.isEmpty else {
            if waiting.count > Pipeline.patience / 2 { waiting.keepNewestRows() }
            return nil
        }
        let batch = waiting
        inFlight = batch
        waiting = []
        return batch
    }

    /// The batch under way is stored. Returns it.
    mutating func stored() -> [Fact] {
        guard let batch = inFlight else { preconditionFailure("nothing was being stored") }
        inFlight = nil
        return batch
    }

    /// The batch under way was not stored, and is to be tried again at a moment.
    mutating func postpone(until moment: Timestamp) {
        precondition(inFlight != nil, "nothing was being stored")
        retryAt = moment
    }

    /// The batch under way, if it is time to try it again.
    mutating func again(at now: Timestamp) -> [Fact]? {
        guard let batch = inFlight, let retryAt, now >= retryAt else { return nil }
        self.retryAt = nil
        return batch
    }

    /// The batch under way can never be stored. Returns it and what waited behind it.
    mutating func giveUp() -> [Fact] {
        guard let batch = inFlight else { preconditionFailure("nothing was being stored") }
        let lost = batch + waiting
        inFlight = nil
        waiting = []
        isRestoring = true
        return lost
    }

    /// What is stored was loaded again.
    mutating func restored() {
        isRestoring = false
        waiting = []
    }
}
