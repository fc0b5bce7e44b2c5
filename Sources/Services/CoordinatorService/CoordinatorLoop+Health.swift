import SitePipeline
import SiteModel
import Platform
import Wire

/// What the loop says of itself.
extension CoordinatorLoop {
    /// A wall clock that was set by less than this was corrected.
    private static let clockTolerance = Timestamp.Span.seconds(5)

    /// Looks, once a second, whether a person should look at something, and says what is new of it.
    func lookForAlerts(at now: Timestamp) {
        pipeline.alarm.ownClock(clockAlert, at: now)
        pipeline.alarm.leavesOut(pipeline.setAside.users, at: now)
        // A node that was retired meanwhile concerns nobody.
        let raised = pipeline.alarm.raised(at: now).filter { alert in
            alert.node.map { names.nodes.entry($0) != nil } ?? true
        }
        guard alertLog.say(raised, names: names, clock: clock) else { return }
        status.update { $0.alerts = raised }
        tellHealth(at: now)
    }

    /// Tells how we fare.
    func tellHealth(at now: Timestamp) {
        let troubles = storeHealth.alerts(at: now)
        status.update {
            $0.factsRefused = storeHealth.refusals
            $0.troubles = troubles.map(\.id)
        }
        var payload = CoreHealthPayload(
            tMs: now.milliseconds, uptimeS: (now - started).milliseconds / 1000,
            messages: Int64(pipeline.counts.messages),
            refused: pipeline.counts.refused.sorted { $0.key < $1.key }.map {
                CoreHealthPayload.Refusals(reason: $0.key, count: Int64($0.value))
            }, factsWaiting: Int64(pipeline.factsWaiting),
            memMb: (ProcessFigures.memory * 10).rounded() / 10, backups: status.backups)
        payload.alerts = troubles
        payload.alerts += alertLog.alerts.map {
            .init(
                id: $0.alert.rawValue, node: $0.node.flatMap { names.nodes.entry($0)?.slug },
                user: $0.user.flatMap { names.users.entry($0)?.slug },
                sinceMs: $0.since.milliseconds)
        }
        let health = Publication.retained(topics[.coreHealth], payload.json)
        publish(health)
        perform([.show(health)])
    }

    /// What is wrong with our clock, as far as we see it alone: a process that began later than its
    /// wall clock was then stays ahead of it until somebody sets that.
    private var clockAlert: SiteAlert? {
        guard abs(clock.offset.seconds) > Self.clockTolerance.seconds else { return nil }
        return clock.isAhead && clock.offset.milliseconds < 0 ? .clockBehind : .clockStepped
    }
}
