import Broker
import SiteModel
import Wire

extension CoordinatorLoop {
    /// The result of a call of the broker's link, or `nil` and a line in the log.
    @discardableResult
    func attempt<Value>(_ body: () throws(MQTTError) -> Value) -> Value? {
        do {
            return try body()
        } catch {
            logger.warning("\(error)")
            return nil
        }
    }
}

/// What the loop does for other threads.
extension CoordinatorLoop {
    /// What it waits for on their behalf.
    struct Errands {
        /// Rows of notifications by the number of the message that carries them.
        var notices: [Int32: Int64] = [:]
        /// Requests that are not answered yet, oldest first.
        var questions: [(question: LoopDesk.Question, asked: Timestamp)] = []
        /// Writes that the store was given and has not told of.
        var begun: [LoopDesk.Write] = []
        /// Writes that are done and not answered yet.
        var writes: [FinishedWrite] = []

        /// Whether nobody waits for a write.
        var isAnswered: Bool { begun.isEmpty && writes.isEmpty }
    }

    /// Nobody waits for an answer for longer.
    private static let longestQuestion = Timestamp.Span.seconds(15)

    /// Does what lies on the desk.
    func serve(at now: Timestamp) {
        errands.questions.removeAll { now - $0.asked > Self.longestQuestion }
        for item in desk.bell.take() {
            switch item {
            case .notice(let notice): tell(notice.payload, id: notice.id)
            case .write(let write):
                errands.begun.append(write)
                worker.write(write, known: pipeline.mesh.saved.overrides?.revision ?? 0)
            case .question(let question):
                errands.questions.append((question, now))
                recording?.request(question, at: now)
                perform(
                    pipeline.asked(
                        question.operation, question.payload, client: question.client, at: now))
            }
        }
    }

    /// Passes an answer on to the HTTP request that waits for it.
    func respond(to client: String, _ response: ResponsePayload) {
        let isAsked = { (question: LoopDesk.Question) in
            question.client == client && question.payload.id == response.id
        }
        let answered = errands.questions.filter { isAsked($0.question) }
        errands.questions.removeAll { isAsked($0.question) }
        for (question, _) in answered { question.reply(response) }
    }

    /// The broker has a message.
    func arrived(_ message: Int32) {
        if let notice = errands.notices.removeValue(forKey: message) { desk.hasArrived(notice) }
    }

    /// Without a connection nothing is sent: the notifier comes again.
    private func tell(_ payload: NotificationPayload, id: Int64) {
        guard broker.isConnected(), let user = payload.user else { return }
        let publication = Publication(
            topic: pipeline.board.paths.notification(user), payload: payload.json, quality: 1,
            isRetained: false)
        if let message = attempt({ () throws(MQTTError) in try broker.publish(publication) }) {
            errands.notices[message] = id
        }
    }
}
