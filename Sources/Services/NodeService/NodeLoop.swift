import Broker
import Glibc
import NodePipeline
import Outbox
import Platform
import Radio
import SiteModel
import Wire

/// The node's one thread: waits on the radio, the broker and the next second, and carries what comes
/// to the `NodeAgent`, which decides.
final class NodeLoop {
    private let settings: NodeSettings
    private let clock = AnchoredClock()
    private let log: Log
    private let radio: NodeRadio
    private let session: BrokerSession
    private let agent: NodeAgent
    /// Until then the radio may collect: waking up for each packet is what costs most.
    private var radioRest: Timestamp

    /// How long packets may wait for others, a fiftieth of a frame.
    private static let rest = Timestamp.Span.milliseconds(20)

    /// A node that has not begun. Throws when its outbox cannot be opened.
    init(_ settings: NodeSettings) throws(OutboxError) {
        self.settings = settings
        log = Log(settings.log)
        let boot = UInt64.random(in: .min ... .max)
        let clock = clock
        session = BrokerSession(
            id: settings.broker.username ?? "node-\(settings.site)-\(settings.node)",
            will: NodeMessageEncoder.farewell(site: settings.site, node: settings.node, boot: boot),
            address: settings.broker, seed: boot, now: { clock.now })
        radio = NodeRadio(settings)
        radioRest = clock.now
        agent = try NodeAgent(
            settings, boot: boot, secret: .random(in: .min ... .max), broker: session.link,
            radio: radio.link, log: log, at: clock.now)
    }

    /// Runs until a signal comes or a command says so, then says goodbye; at most two seconds in all.
    /// The code to leave with.
    func run() -> Int32 {
        hook()
        log(.info, "node \(settings.node) of \(settings.site), radio \(settings.source)")
        if let fault = radio.source.dropPrivileges() { log(.warning, "\(fault)") }
        while agent.ending == nil {
            session.tick()
            if !agent.isStopped { agent.take(radio.source.tick(now: clock.now), at: clock.now) }
            if wait() { break }
            collect(at: clock.now)
            session.tick()
            agent.work(at: clock.now)
        }
        agent.leave(at: clock.now)
        session.end(within: .seconds(1))
        radio.source.stop()
        log(.notice, "stopped")
        return agent.ending ?? EX_OK
    }

    /// Waits for something to do and serves the broker. Whether it is time to stop.
    private func wait() -> Bool {
        var entries = [
            pollfd(fd: StopSignal.descriptor, events: Int16(POLLIN), revents: 0), session.entry,
        ]
        let now = clock.now
        var deadline = min(agent.deadline, session.deadline)
        if now < radioRest {
            deadline = min(deadline, radioRest)
        } else if !agent.isStopped {
            if let due = radio.source.deadline { deadline = min(deadline, due) }
            entries += radio.source.descriptors.map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
        }
        let milliseconds = max(0, (deadline - now).milliseconds)
        guard poll(&entries, nfds_t(entries.count), Int32(clamping: milliseconds)) > 0 else {
            return false
        }
        session.serve(entries[1])
        return entries[0].revents != 0
    }

    /// Takes what the radio has, unless it may collect some more.
    private func collect(at now: Timestamp) {
        guard now >= radioRest, !agent.isStopped else { return }
        let events = radio.source.ready(now: now) { packet, moment in
            agent.heard(packet, at: moment)
            radioRest = now + Self.rest
        }
        agent.take(events, at: clock.now)
    }

    private func hook() {
        session.onConnect = { [unowned self] in
            log(.notice, "connected to \(settings.broker.host):\(settings.broker.port)")
            agent.connected()
        }
        session.onLoss = { [unowned self] loss, wait in
            agent.lost(at: clock.now)
            // At first each time, then ever less often.
            guard LogThrottle.isTold(session.failures) else { return }
            log(.warning, session.summary(of: loss, next: wait))
        }
        session.onSubscribed = { [unowned self] in agent.subscribed(refused: $0) }
        session.client.onMessage = { [unowned self] topic, payload, isRetained, _ in
            agent.receive(topic: topic, payload: payload, isRetained: isRetained)
        }
    }
}
