import Glibc
import Logging
import SiteModel
import SitePipeline
import Platform
import Wire

/// What becomes of what the store does not take, and how the loop ends.
extension CoordinatorLoop {
    /// A batch was not stored.
    func refused(_ refusal: Pipeline.Refusal, at now: Timestamp) {
        perform(pipeline.refused(refusal, at: now))
        guard case .never(let reason) = refusal else { return storeHealth.postponed(at: now) }
        if storeHealth.refused(at: now) {
            end(
                Exit.refused,
                """
                the database refuses what is decided again and again (\(reason)): this is a bug; \
                report it with the newest row of refused_input. Nodes keep what is not stored
                """, at: now)
        } else {
            tellHealth(at: now)
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
        while ending == nil, !pipeline.isSettled || !errands.isAnswered,
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
            retained(
                topics.status, CoreStatusPayload(state: .offline, boot: boot, version: nil).json))
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
