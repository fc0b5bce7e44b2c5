import SiteEngine
import SiteModel
import TrainingEngine

/// Requests for which something must be looked up, and those of the same people that came after them: what
/// one asks for is done in the order in which it was asked. One look at the database is under way, the next
/// collects meanwhile.
struct RecallQueue: Sendable {
    /// A request, and what must be looked up for it; `nil`: nothing, but it came after one that waits.
    private struct Waiting {
        var request: Request
        var recall: Recall?
    }

    private var waiting: [Waiting] = []
    private var inFlight: [Waiting] = []
    /// What was found for the requests in flight that asked for something.
    private var found: ArraySlice<Recalled> = []
    /// Requests of the look that is over which need another one.
    private var again: [Waiting] = []

    /// The number of requests that wait.
    var count: Int { waiting.count + inFlight.count }

    /// Whether a request of somebody waits.
    func holds(_ user: UserID?) -> Bool {
        inFlight.contains { $0.request.verb.user == user }
            || waiting.contains { $0.request.verb.user == user }
    }

    mutating func append(_ request: Request, _ recall: Recall?) {
        waiting.append(Waiting(request: request, recall: recall))
    }

    /// What is to be looked up now; `nil` while a look is under way, or if there is nothing.
    mutating func next() -> [Recall]? {
        guard inFlight.isEmpty, !waiting.isEmpty else { return nil }
        inFlight = waiting
        waiting = []
        return inFlight.compactMap(\.recall)
    }

    /// The look under way is over; empty if nothing could be read.
    mutating func found(_ new: [Recalled]) { found = new[...] }

    /// The next request of the look that is over, with what was found for it. What was done meanwhile may make a
    /// request ask for something else: it, and what came after it, waits for the next look.
    mutating func take(by mesh: Mesh, at now: Timestamp) -> (Request, Recalled?)? {
        while !inFlight.isEmpty {
            var next = inFlight.removeFirst()
            let answer = next.recall == nil ? nil : found.popFirst()
            let recall = mesh.recall(for: next.request, at: now)
            let user = next.request.verb.user
            let isAnswered = recall.map { new in next.recall.map(new.isCovered) ?? false } ?? true
            if isAnswered, !again.contains(where: { $0.request.verb.user == user }) {
                return (next.request, answer)
            }
            next.recall = recall
            again.append(next)
        }
        waiting = again + waiting
        again = []
        return nil
    }
}
