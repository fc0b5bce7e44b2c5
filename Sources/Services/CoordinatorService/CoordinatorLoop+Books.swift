import SiteEngine
import SiteModel
import SitePipeline
import Wire

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

    /// The store has done a write, or not.
    func took(
        _ write: LoopDesk.Write, _ result: Result<String, any Error>,
        _ decided: StoreWorker.Decided, at now: Timestamp
    ) {
        if let overrides = decided.overrides { take(overrides, at: now) }
        // Whom we have refused because we stop is answered already.
        guard errands.begun.contains(where: { $0 === write }) else { return }
        errands.begun.removeAll { $0 === write }
        errands.writes.append(
            FinishedWrite(write: write, result: result, revision: decided.revision))
        replyToWrites()
    }

    /// Answers whoever asked for a write all consequences of which are stored.
    func replyToWrites() {
        let stored = pipeline.storedOverrides
        let due = errands.writes.filter { $0.revision <= stored }
        errands.writes.removeAll { $0.revision <= stored }
        for finished in due { finished.write.reply(finished.result) }
    }

    /// Refuses what is not begun, as we stop, and whatever is asked for from now on.
    func refuseNewWrites() {
        desk.close()
        for item in desk.bell.take() {
            switch item {
            case .write(let write): errands.begun.append(write)
            case .question(let question): refuse(question)
            // It waits in the database.
            case .notice: break
            }
        }
        let refused = errands.begun.filter { $0.giveUp() }
        errands.begun.removeAll { write in refused.contains { $0 === write } }
        for write in refused { write.reply(.failure(LoopDesk.Stopping(isDone: false))) }
    }

    /// Answers everybody who still waits, as nothing more is stored.
    func dismissEverybody() {
        for write in errands.begun { write.reply(.failure(LoopDesk.Stopping(isDone: nil))) }
        for finished in errands.writes {
            finished.write.reply(
                finished.result.flatMap { _ in .failure(LoopDesk.Stopping(isDone: true)) })
        }
        for (question, _) in errands.questions { refuse(question) }
        errands.begun = []
        errands.writes = []
        errands.questions = []
    }

    private func refuse(_ question: LoopDesk.Question) {
        let refusal = Answer.Refusal.unavailable
        question.reply(
            ResponsePayload(
                id: question.payload.id,
                outcome: .error(code: refusal.rawValue, message: refusal.message)))
    }
}
