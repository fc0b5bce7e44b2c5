import SiteEngine
import SiteModel

/// What people decide about attendance, and what the books have to write.
extension CoordinatorLoop {
    /// A write that is done, and waits until what the machines make of it is stored.
    struct FinishedWrite {
        let write: LoopDesk.Write
        let result: Result<String, any Error>
        /// The overrides that are to be stored first.
        let revision: Int64
    }

    /// Gives the machines what people decided by now.
    func take(_ overrides: Overrides, at now: Timestamp) {
        recording?.overrides(overrides, at: now)
        perform(pipeline.adopt(overrides: overrides, at: now))
    }

    /// The store has done a write, or not; `overrides` if people decided something by it.
    func took(
        _ write: LoopDesk.Write, _ result: Result<String, any Error>, _ overrides: Overrides?,
        at now: Timestamp
    ) {
        if let overrides { take(overrides, at: now) }
        errands.writes.append(
            FinishedWrite(write: write, result: result, revision: overrides?.revision ?? 0))
        replyToWrites()
    }

    /// Answers whoever asked for a write all consequences of which are stored.
    func replyToWrites() {
        let stored = pipeline.storedOverrides
        let due = errands.writes.filter { $0.revision <= stored }
        errands.writes.removeAll { $0.revision <= stored }
        for finished in due { finished.write.reply(finished.result) }
    }
}
