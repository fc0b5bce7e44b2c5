import Broker
import Glibc
import Logging
import Platform
import Scheduling
import SiteEngine
import SiteModel
import SitePipeline
import SiteService
import Wire

/// What people decide about attendance, and what the books have to write.
extension CoordinatorLoop {
    /// Gives the machines what people decided by now.
    func take(_ overrides: Overrides, at now: Timestamp) {
        // By another calendar it is another day for everybody.
        if pipeline.mesh.saved.overrides?.duties?.calendar != overrides.duties?.calendar {
            mailbox.days.changed(nil)
        }
        recording?.overrides(overrides, at: now)
        perform(pipeline.adopt(overrides: overrides, at: now))
    }

    /// The store has done a write, or not.
    func took(
        _ write: LoopMailbox.Write, _ result: Result<String, any Error>,
        _ decided: StoreWorker.Decided, at now: Timestamp
    ) {
        if let overrides = decided.overrides { take(overrides, at: now) }
        if case .success = result {
            let sequel = write.sequel()
            if let key = sequel.used {
                recording?.used(key, at: now)
                perform(pipeline.handle(.used(UsedID(key, at: now)), at: now))
            }
            if let message = sequel.message { publish(message) }
        }
        // Whom we have refused because we stop is answered already.
        guard pendingReplies.begun.contains(where: { $0 === write }) else { return }
        pendingReplies.begun.removeAll { $0 === write }
        pendingReplies.writes.append(
            PendingReplies.FinishedWrite(write: write, result: result, revision: decided.revision))
        replyToWrites()
    }

    /// Answers the requests whose write and all its consequences are stored.
    func replyToWrites() {
        let stored = pipeline.storedOverrides
        let due = pendingReplies.writes.filter { $0.revision <= stored }
        pendingReplies.writes.removeAll { $0.revision <= stored }
        for finished in due { finished.write.reply(finished.result) }
    }

    /// Refuses what is not begun, as we stop, and whatever is asked for from now on.
    func refuseNewWrites() {
        mailbox.close()
        for item in mailbox.bell.take() {
            switch item {
            case .write(let write): pendingReplies.begun.append(write)
            case .question(let question): question.refuse()
            case .notice, .messages, .days, .near: break  // A notice waits in the database.
            }
        }
        let refused = pendingReplies.begun.filter { $0.giveUp() }
        pendingReplies.begun.removeAll { write in refused.contains { $0 === write } }
        for write in refused { write.reply(.failure(LoopMailbox.Stopping(isDone: false))) }
    }

    /// Answers everybody who still waits, as nothing more is stored.
    func dismissEverybody() {
        for write in pendingReplies.begun {
            write.reply(.failure(LoopMailbox.Stopping(isDone: nil)))
        }
        for finished in pendingReplies.writes {
            finished.write.reply(
                finished.result.flatMap { _ in .failure(LoopMailbox.Stopping(isDone: true)) })
        }
        for (question, _) in pendingReplies.questions { question.refuse() }
        pendingReplies.begun = []
        pendingReplies.writes = []
        pendingReplies.questions = []
    }
}

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
    /// Nobody waits for an answer for longer.
    private static let longestQuestion = Timestamp.Span.seconds(15)

    /// Does what lies on the mailbox.
    func serve(at now: Timestamp) {
        pendingReplies.questions.removeAll { now - $0.asked > Self.longestQuestion }
        for item in mailbox.bell.take() {
            switch item {
            case .notice(let notice): tell(notice.payload, id: notice.id)
            case .messages(let messages): for message in messages { publish(message) }
            case .days(let days): perform(pipeline.tell(days: days))
            case .near(let near): perform(pipeline.tell(near: near))
            case .write(let write):
                pendingReplies.begun.append(write)
                worker.write(write, known: pipeline.mesh.saved.overrides?.revision ?? 0)
            case .question(let question):
                pendingReplies.questions.append((question, now))
                recording?.request(question, at: now)
                perform(
                    pipeline.asked(
                        question.verb, question.payload, client: question.client, at: now))
            }
        }
    }

    /// Passes an answer on to the HTTP request that waits for it.
    func respond(to client: String, _ response: ResponsePayload, isRepeated: Bool) {
        let isAsked = { (question: LoopMailbox.Question) in
            question.client == client && question.payload.id == response.id
        }
        let answered = pendingReplies.questions.filter { isAsked($0.question) }
        pendingReplies.questions.removeAll { isAsked($0.question) }
        for (question, _) in answered { question.reply(response, isRepeated) }
    }

    /// The broker has a message.
    func arrived(_ message: Int32) {
        if let notice = pendingReplies.notices.removeValue(forKey: message) {
            mailbox.hasArrived(notice)
        }
    }

    /// Without a connection nothing is sent: the notifier comes again.
    private func tell(_ payload: NotificationPayload, id: Int64) {
        guard broker.isConnected(), !pendingReplies.has(id), let user = payload.user else { return }
        let publication = pipeline.board.paths.message(.notification, user, saying: payload)
        if let message = attempt({ () throws(MQTTError) in try broker.publish(publication) }) {
            pendingReplies.notices[message] = id
        }
        show(publication)
    }
}

/// What becomes of what the store does not take, and how the loop ends.
extension CoordinatorLoop {
    /// A batch was not stored.
    func refused(_ refusal: Pipeline.Refusal, at now: Timestamp) {
        perform(pipeline.refused(refusal, at: now))
        guard case .never(let reason, _) = refusal else { return storeHealth.postponed(at: now) }
        let isHopeless = storeHealth.refused(at: now)
        // What follows from one person is left out, if it must be, and all others go on.
        if isHopeless, pipeline.suspect == nil {
            end(
                Exit.refused,
                """
                the database refuses what is decided again and again (\(reason)): this is a bug; \
                report it with the newest row of refused_input. Nodes keep what is not stored
                """, at: now)
        } else {
            tellHealth(at: now)
            lookForAlerts(at: now)
        }
    }

    /// Nothing can be recorded any more: says so everywhere, and ends.
    func end(_ code: Int32, _ reason: String, at now: Timestamp) {
        guard ending == nil else { return }
        logger.critical("\(reason)")
        if code == Exit.damaged { storeHealth.proved(damagedAt: now) }
        ending = Exit(code: code, text: "stopped, as nothing can be recorded any more: \(reason)")
        tellHealth(at: now)
    }

    /// Stores what is decided and says goodbye; at most two seconds in all.
    func drain() throws {
        manager.stopping()
        let start = clock.now
        refuseNewWrites()
        while ending == nil, !pipeline.isSettled || !pendingReplies.isAnswered,
            clock.now - start < .seconds(1)
        {
            var entry = pollfd(fd: reports.descriptor, events: Int16(POLLIN), revents: 0)
            Glibc.poll(&entry, 1, 50)
            for report in reports.take() { took(report) }
        }
        let left = pipeline.factsWaiting
        dismissEverybody()
        var isStoreIdle = worker.stop(within: 0.25)
        recording?.end(pipeline.takeDecisions(), at: clock.now)
        publish(
            .retained(
                topics[.coreStatus],
                CoreStatusPayload(state: .offline, boot: boot, version: nil).json))
        session?.end(within: (start + .seconds(1.5)) - clock.now)
        if !isStoreIdle {
            isStoreIdle = worker.stop(within: max(0, 1.5 - (clock.now - start).seconds))
        }
        if let ending { throw ending }
        guard left == 0 else {
            throw Exit(
                code: Exit.unfinished,
                text: "stopped, and \(left) facts could not be stored: is the database locked?")
        }
        guard isStoreIdle else {
            throw Exit(
                code: Exit.unfinished,
                text: "stopped, and a transaction is still under way: is the database locked?")
        }
        logger.notice("stopped")
    }
}

extension LoopMailbox.Question {
    /// Nothing more is stored.
    fileprivate func refuse() {
        let refusal = ProblemCode.unavailable
        reply(
            ResponsePayload(
                id: payload.id, outcome: .error(code: refusal.rawValue, message: refusal.message)),
            false)
    }
}

/// What it waits for on their behalf.
struct PendingReplies {
    /// A write that is done, and waits until what the machines make of it is stored.
    struct FinishedWrite {
        let write: LoopMailbox.Write
        let result: Result<String, any Error>
        /// The overrides that are to be stored first.
        let revision: Int64
    }

    /// Rows of notifications by the number of the message that carries them.
    var notices: [Int32: Int64] = [:]

    /// Whether the broker was given a notification and has not acknowledged it.
    func has(_ notice: Int64) -> Bool { notices.values.contains(notice) }
    /// Requests that are not answered yet, oldest first.
    var questions: [(question: LoopMailbox.Question, asked: Timestamp)] = []
    /// Writes that the store was given and has not told of.
    var begun: [LoopMailbox.Write] = []
    /// Writes that are done and not answered yet.
    var writes: [FinishedWrite] = []

    /// Whether nobody waits for a write.
    var isAnswered: Bool { begun.isEmpty && writes.isEmpty }
}
