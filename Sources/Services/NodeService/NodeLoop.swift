import Broker
import Glibc
import NodeEngine
import NodePipeline
import Outbox
import Radio
import SiteModel
import Platform
import Wire

/// The node's one thread: waits on the radio, the broker and the next second, and carries between
/// them and the core.
final class NodeLoop {
    var settings: NodeSettings
    let clock = AnchoredClock()
    let log: Log
    private let saved: SavedConfiguration
    let client: MQTTClient

    let outbox: NodeOutbox

    var core: NodeCore
    var voice: NodeVoice
    private var reconnect: Reconnect
    private var figures: ProcessFigures
    /// What the client told inside a callback, to be acted upon when it is done reading: what is
    /// published in there waits to be written, and would look like a slow line.
    private var isNewlyConnected = false
    private var desired: [UInt8]?
    private var cursor: [UInt8]?
    var commands: [[UInt8]] = []
    var lease: [UInt8]?
    /// MQTT messages refused.
    var refused: Int64 = 0
    /// Messages not sent because earlier ones still waited to be.
    private var unsent = 0
    /// Why the broker refused us, if it did.
    private var refusal: String?
    private var nextMisc: Timestamp
    /// Until then the radio may collect: waking up for each packet is what costs most.
    private var radioRest: Timestamp
    var isListening = false
    private var isReady = false

    var desk = CommandDesk()
    var blinker = Blinker()
    var manager = ServiceManager()
    var clockWatch = ClockWatch()
    var machine = MachineFigures()
    var nextLook: Timestamp
    /// Since when the radio has listened.
    var listeningSince: Timestamp?
    /// Whether we were told not to listen.
    var isStopped = false
    /// The code to leave with, once we were told to leave.
    var ending: Int32?

    /// How long packets may wait for others, a fiftieth of a frame.
    private static let rest = Timestamp.Span.milliseconds(20)

    /// A node that has not begun. Throws when its outbox cannot be opened.
    init(_ settings: NodeSettings) throws(OutboxError) {
        self.settings = settings
        log = Log(settings.log)
        saved = SavedConfiguration(directory: settings.state)
        let now = clock.now
        let boot = UInt64.random(in: .min ... .max)
        let configuration = Self.initial(settings, saved, log)
        outbox = try NodeOutbox(settings, boot: boot, log: log, at: now)
        core = NodeCore(
            boot: boot, policy: configuration.policy, keys: settings.keys, at: now,
            secret: .random(in: .min ... .max))
        voice = NodeVoice(
            site: settings.site, node: settings.node, boot: boot, startedAt: now,
            introduction: Self.introduction(settings), configuration: configuration)
        voice.log = outbox.id
        reconnect = Reconnect(seed: boot, host: settings.broker.host, at: now)
        figures = ProcessFigures(at: now)
        nextMisc = now
        nextLook = now
        radioRest = now
        client = MQTTClient(
            id: "node-\(settings.site)-\(settings.node)", will: voice.farewell,
            version: settings.broker.version)
    }

    /// Runs until a signal comes or a command says so, then says goodbye; at most two seconds in all.
    /// The code to leave with.
    func run() -> Int32 {
        hook()
        log(.info, "node \(settings.node) of \(settings.site), radio \(settings.source)")
        if let fault = settings.radio.dropPrivileges() { log(.warning, "\(fault)") }
        sayMissingKeys()
        while true {
            let now = clock.now
            if reconnect.begin(at: now) { connect() }
            if !isStopped { take(settings.radio.tick(now: now)) }
            if wait() { break }
            work(at: clock.now)
            if ending != nil { break }
        }
        leave()
        return ending ?? EX_OK
    }

    /// Waits for something to do and serves the broker. Whether it is time to stop.
    private func wait() -> Bool {
        var entries = [pollfd(fd: StopSignal.descriptor, events: Int16(POLLIN), revents: 0)]
        let socket = client.descriptor
        if let socket {
            let events = POLLIN | (client.wantsWrite ? POLLOUT : 0)
            entries.append(pollfd(fd: socket, events: Int16(events), revents: 0))
        }
        let now = clock.now
        var deadline = min(core.deadline, nextMisc)
        if let attempt = reconnect.deadline { deadline = min(deadline, attempt) }
        if let due = outbox.deadline, !client.wantsWrite { deadline = min(deadline, due) }
        if now < radioRest {
            deadline = min(deadline, radioRest)
        } else if !isStopped {
            if let due = settings.radio.deadline { deadline = min(deadline, due) }
            entries += settings.radio.descriptors.map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
        }
        let milliseconds = max(0, (deadline - now).milliseconds)
        guard poll(&entries, nfds_t(entries.count), Int32(clamping: milliseconds)) > 0 else {
            return false
        }
        if socket != nil {
            let events = Int32(entries[1].revents)
            if events & (POLLIN | POLLERR | POLLHUP) != 0 { client.readable() }
            if events & POLLOUT != 0 { client.writable() }
        }
        return entries[0].revents != 0
    }

    private func work(at now: Timestamp) {
        if now >= radioRest, !isStopped {
            let events = settings.radio.ready(now: now) { packet, moment in
                core.heard(packet, at: moment)
                radioRest = now + Self.rest
            }
            take(events)
        }
        if isNewlyConnected {
            isNewlyConnected = false
            introduce(at: now)
        }
        if let desired {
            self.desired = nil
            configure(desired, at: now)
        }
        if let cursor {
            self.cursor = nil
            refused += outbox.heard(cursor: cursor, at: now) ? 0 : 1
        }
        obey(at: now)
        if now >= nextMisc {
            nextMisc = now + .seconds(1)
            client.misc()
        }
        perform(core.tick(at: now))
        while client.isConnected, !client.wantsWrite, let record = outbox.due(at: now) {
            publish(record)
        }
        if now >= nextLook { look(at: now) }
        if client.wantsWrite { client.writable() }
        if !isReady, isListening, client.isConnected {
            isReady = true
            CodePages.giveBack()
            log(.notice, "ready")
        }
    }

    private func take(_ events: [RadioEvent]) {
        if !events.isEmpty { note(settings.radio.status, at: clock.now) }
        for event in events {
            switch event {
            case .adapter(let state):
                isListening = state == .up
                outbox.radio(state, at: clock.now)
                listeningSince = isListening ? clock.now : nil
                log(.notice, "radio \(settings.source) is \(state.rawValue)")
                perform(core.adapter(state, at: clock.now))
            case .note(let text): log(.info, "radio: \(text)")
            }
        }
    }

    /// Without a connection nothing is said, and but for evidence and notices nothing kept: what the
    /// broker is to keep is said again on connecting, and the rest is old by then.
    func perform(_ effects: [NodeCore.Effect]) {
        for effect in effects {
            if case .health = effect { figures.measure(at: clock.now) }
            if case .evidence(let evidence) = effect {
                outbox.keep(evidence, slugs: voice.configuration.slugs, at: clock.now)
            }
            if case .notice(let notice) = effect {
                outbox.keep(NodeRecord.event(of: notice, slugs: voice.configuration.slugs))
            }
            guard client.isConnected else { continue }
            voice.publications(for: effect, gauges: gauges).forEach(publish)
        }
    }

    func publish(_ publication: Publication) {
        // A line too slow for us must not make us grow.
        if publication.quality == 0, client.wantsWrite {
            unsent += 1
            log(.debug, "the broker is slow: \(unsent) messages not sent so far")
            return
        }
        do {
            try client.publish(publication)
        } catch {
            log(.warning, "\(error)")
        }
    }

    private var gauges: NodeVoice.Gauges {
        var gauges = NodeVoice.Gauges(
            wall: AnchoredClock.wallNow, isSynced: AnchoredClock.isSynced, refused: refused,
            memory: ProcessFigures.memory, processor: figures.processor)
        gauges.unsent = Int64(unsent)
        gauges.clock = clockWatch
        gauges.outbox = .init(
            waiting: outbox.waiting, dropped: outbox.dropped,
            bytes: Int64(settings.outbox.megabytes) << 20)
        gauges.temperature = machine.temperature
        gauges.throttled = machine.throttled
        return gauges
    }
}

extension NodeLoop {
    private static func initial(
        _ settings: NodeSettings, _ saved: SavedConfiguration, _ log: Log
    ) -> NodeConfiguration {
        do {
            if let configuration = try saved.read() {
                log(.info, "starting with the kept configuration \(configuration.policy.revision)")
                return configuration
            }
        } catch {
            log(.warning, "the kept configuration is of no use: \(error)")
        }
        return settings.fallback
    }

    private static func introduction(_ settings: NodeSettings) -> NodeVoice.Introduction {
        guard case .adapter = settings.radio else {
            return NodeVoice.Introduction(version: NodeCommand.version, source: settings.source)
        }
        return NodeVoice.Introduction(
            version: NodeCommand.version, source: settings.source,
            scan: NodeInfoPayload.Scan(
                active: settings.scan.isActive, intervalMs: settings.scan.intervalMilliseconds,
                windowMs: settings.scan.windowMilliseconds))
    }

    private func hook() {
        client.onConnect = { [unowned self] code in connected(code) }
        client.onDisconnect = { [unowned self] code in lost(MQTTClient.fault(code)) }
        client.onMessage = { [unowned self] topic, payload, isRetained, _ in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(payload.count)
            for index in payload.indices { bytes.append(payload[index]) }
            switch topic {
            case voice.desired: desired = bytes
            case voice.lease: lease = bytes
            case outbox.cursorTopic: cursor = bytes
            // Old commands told as new ones are none.
            case voice.command where !isRetained && commands.count < CommandDesk.memory:
                commands.append(bytes)
            default: refused += 1
            }
        }
    }

    private func connect() {
        let broker = settings.broker
        do {
            try client.connect(
                host: broker.host, port: broker.port, username: broker.username,
                password: broker.password)
        } catch {
            lost(error.reason)
        }
    }

    private func connected(_ code: Int32) {
        guard code == 0 else {
            // The broker closes the connection next, and `lost` says why.
            refusal = "it refuses us: \(client.reason(code))"
            return
        }
        isNewlyConnected = true
        reconnect.connected(at: clock.now)
        log(.notice, "connected to \(settings.broker.host):\(settings.broker.port)")
    }

    private func introduce(at now: Timestamp) {
        guard client.isConnected else { return }
        perform(core.connected(at: now))
        do {
            try client.subscribe(
                [voice.desired, voice.command, voice.lease, outbox.cursorTopic], quality: 1)
            outbox.connected(at: now)
        } catch {
            log(.warning, "\(error)")
        }
    }

    private func lost(_ fault: String) {
        outbox.disconnected()
        // Nobody sees what we would tell.
        perform(core.lease(nil, at: clock.now))
        let wait = reconnect.failed(at: clock.now)
        let reason = refusal ?? fault
        refusal = nil
        // At first each time, then ever less often.
        let failures = reconnect.failures
        guard LogThrottle.isTold(failures) else { return }
        let broker = "\(settings.broker.host):\(settings.broker.port)"
        log(
            .warning,
            "no broker at \(broker): \(reason); next attempt in \(wait.seconds) s (\(failures) so far)"
        )
    }

    /// Any good configuration that differs from ours is obeyed, also one of an older revision: a
    /// coordinator restored from a backup tells the older one.
    private func configure(_ bytes: [UInt8], at now: Timestamp) {
        guard !bytes.isEmpty else {
            log(
                .info, about: "no configuration", at: now,
                "the broker keeps no configuration for us; going on with ours")
            return
        }
        let configuration: NodeConfiguration
        do {
            configuration = try NodeConfiguration(json: bytes.span)
        } catch {
            refused += 1
            log(
                .warning, about: "configuration", at: now,
                "configuration \(error.revision) refused: \(error)")
            perform([.applied(revision: error.revision, error: "\(error)", at: now)])
            return
        }
        guard configuration != voice.configuration else { return }
        // What is still to be said means beacons by the old indices.
        perform(core.conclude(at: now))
        voice.configuration = configuration
        perform(core.apply(configuration.policy, at: now))
        let count = configuration.slugs.count
        log(
            .notice, about: "applied", at: now,
            "configuration \(configuration.policy.revision) applied, \(count) beacons")
        sayMissingKeys()
        do {
            try saved.write(configuration)
        } catch {
            log(.error, "the configuration could not be kept: \(error)")
        }
    }

    /// A node may lack a key on purpose: then it does not hear that beacon, and others may.
    private func sayMissingKeys() {
        let identities = voice.configuration.policy.known
        let missing = identities.filter { !settings.keys.hold($0) }.map(\.text)
        guard !missing.isEmpty else { return }
        log(
            .info, about: "keys", at: clock.now,
            "no key here for \(missing.joined(separator: ", "))")
    }

    private func leave() {
        perform(core.conclude(at: clock.now))
        outbox.close()
        manager.stopping()
        blinker.tick(at: clock.now, isLeaving: true)
        let deadline = clock.now + .seconds(1)
        client.onDisconnect = { _ in }
        if client.isConnected {
            publish(voice.farewell)
            client.disconnect()
        }
        while let socket = client.descriptor, clock.now < deadline {
            let events = POLLIN | (client.wantsWrite ? POLLOUT : 0)
            var entry = pollfd(fd: socket, events: Int16(events), revents: 0)
            guard poll(&entry, 1, 50) > 0 else { continue }
            client.readable()
            client.writable()
        }
        settings.radio.stop()
        log(.notice, "stopped")
    }
}
