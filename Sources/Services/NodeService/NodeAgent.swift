import BeaconDecoding
import Broker
import Glibc
import NodeEngine
import NodePipeline
import Outbox
import Platform
import Radio
import SiteModel
import Wire

/// Decides what a node does, and when: what packets, messages, a lost connection and time bring goes
/// in, and it publishes, keeps, and uses the radio by the links it was given. It has neither clock nor
/// socket. Belongs to one thread.
final class NodeAgent {
    /// What came inside a callback of the client. It is acted upon when the client is done reading:
    /// what is published in there waits to be written, and would look like a slow line.
    private struct Inbox {
        var isNewlyConnected = false
        var desired: [UInt8]?
        var cursor: [UInt8]?
        var lease: [UInt8]?
        var commands: [[UInt8]] = []
    }

    private let settings: NodeSettings
    private let log: Log
    private let saved: SavedConfiguration
    private let broker: BrokerLink
    private let radio: RadioLink
    private let outbox: NodeOutbox

    private var core: NodeCore
    private var voice: NodeMessageEncoder
    private var desk = CommandDeduplicator()
    private var vitals: NodeVitals
    private var inbox = Inbox()
    /// MQTT messages refused.
    private var refused: Int64 = 0
    /// Messages not sent because earlier ones still waited to be.
    private var unsent: Int64 = 0
    private var nextLook: Timestamp
    /// Since when the radio has listened, or `nil` while it does not.
    private var listeningSince: Timestamp?
    /// Whether it has listened and could be told what to do, once.
    private(set) var isReady = false
    /// What the broker does not let us read of what we are told; `nil` before it has answered.
    private var deafTo: [String]?
    /// Whether we were told not to listen.
    private(set) var isStopped = false
    /// The code to leave with, once we were told to leave.
    private(set) var ending: Int32?

    /// How long a burst lasts unless the command says otherwise, and the light blinks.
    private static let burst: Int64 = 30
    private static let blinking: Int64 = 10

    /// A node that has not begun. Throws when its outbox cannot be opened. `boot` and `secret` are
    /// drawn at random for each process.
    init(
        _ settings: NodeSettings, boot: UInt64, secret: UInt64, host: NodeHost = NodeHost(),
        broker: BrokerLink, radio: RadioLink, log: Log, at now: Timestamp
    ) throws(OutboxError) {
        self.settings = settings
        self.broker = broker
        self.radio = radio
        self.log = log
        saved = SavedConfiguration(directory: settings.state)
        let configuration = saved.configuration(else: settings.fallback, log)
        outbox = try NodeOutbox(settings, boot: boot, log: log, at: now)
        core = NodeCore(
            boot: boot, policy: configuration.policy, keys: settings.keys, at: now, secret: secret)
        core.detect(configuration.rules.map { DeviceRule($0) }, at: now)
        let scan = NodeInfoPayload.Scan(
            active: settings.scan.isActive, intervalMs: settings.scan.intervalMilliseconds,
            windowMs: settings.scan.windowMilliseconds)
        voice = NodeMessageEncoder(
            site: settings.site, node: settings.node, boot: boot, startedAt: now,
            introduction: NodeMessageEncoder.Introduction(
                version: NodeCommand.version, source: settings.source,
                scan: radio.isAdapter ? scan : nil), configuration: configuration)
        voice.log = outbox.id
        vitals = NodeVitals(host, at: now)
        nextLook = now
        sayMissingKeys(at: now)
    }

    /// When `work` next has something to do although nothing comes.
    var deadline: Timestamp {
        guard let due = outbox.deadline, !broker.isBusy() else { return core.deadline }
        return min(core.deadline, due)
    }

    /// One H4 packet of the radio, at the moment it counts as heard.
    func heard(_ packet: Span<UInt8>, at now: Timestamp) { core.heard(packet, at: now) }

    /// What the radio says beside packets.
    func take(_ events: [RadioEvent], at now: Timestamp) {
        if !events.isEmpty { note(radio.status(), at: now) }
        for event in events {
            switch event {
            case .adapter(let state):
                listeningSince = state == .up ? now : nil
                outbox.radio(state, at: now)
                log(.notice, "radio \(settings.source) is \(state.rawValue)")
                perform(core.adapter(state, at: now), at: now)
            case .note(let text): log(.info, "radio: \(text)")
            }
        }
    }

    /// The broker accepted us.
    func connected() { inbox.isNewlyConnected = true }

    /// The broker answered our subscription; what it refused is asked for again.
    func subscribed(refused: [String]) {
        if !refused.isEmpty, refused != deafTo { log(.error, "the broker refuses us \(refused)") }
        deafTo = refused
    }

    /// There is no connection: nobody sees what we would tell.
    func lost(at now: Timestamp) {
        deafTo = nil
        outbox.disconnected()
        perform(core.lease(nil, at: now), at: now)
    }

    /// A message came. `payload` is copied; the next `work` acts upon it.
    func receive(topic: String, payload: Span<UInt8>, isRetained: Bool) {
        let bytes = payload.indices.map { payload[$0] }
        switch topic {
        case voice.desired: inbox.desired = bytes
        case voice.lease: inbox.lease = bytes
        case outbox.cursorTopic: inbox.cursor = bytes
        // Old commands told as new ones are none.
        case voice.command where !isRetained && inbox.commands.count < CommandDeduplicator.memory:
            inbox.commands.append(bytes)
        default: refused += 1
        }
    }

    /// Acts upon what came and what time demands.
    func work(at now: Timestamp) {
        let came = inbox
        inbox = Inbox()
        if came.isNewlyConnected { introduce(at: now) }
        if let desired = came.desired { configure(desired, at: now) }
        if let cursor = came.cursor { refused += outbox.heard(cursor: cursor, at: now) ? 0 : 1 }
        if let lease = came.lease { grant(lease, at: now) }
        for command in came.commands { obey(command, at: now) }
        perform(core.tick(at: now), at: now)
        while broker.isConnected(), !broker.isBusy(), let record = outbox.due(at: now) {
            publish(record)
        }
        if now >= nextLook { look(at: now) }
        if !isReady, listeningSince != nil, deafTo == [] {
            isReady = true
            CodePages.giveBack()
            log(.notice, "ready")
        }
    }

    /// Puts on the disk what is not there yet, and says goodbye.
    func leave(at now: Timestamp) {
        perform(core.conclude(at: now), at: now)
        outbox.close()
        vitals.leave(at: now)
        if broker.isConnected() { publish(voice.farewell) }
    }
}

// What is told.
extension NodeAgent {
    /// Without a connection nothing is said, and but for evidence and notices nothing kept: what the
    /// broker is to keep is said again on connecting, and the rest is old by then.
    private func perform(_ effects: [NodeCore.Effect], at now: Timestamp) {
        for effect in effects {
            switch effect {
            case .health: vitals.measure(at: now)
            case .evidence(let evidence):
                outbox.keep(
                    evidence, slugs: voice.configuration.slugs, isSynced: vitals.isSynced, at: now)
            case .notice(let notice):
                outbox.keep(NodeRecord.event(of: notice, slugs: voice.configuration.slugs))
            case .frame, .reading, .beat, .raw, .sightings, .applied, .online: break
            }
            guard broker.isConnected() else { continue }
            voice.publications(for: effect, gauges: gauges).forEach(publish)
        }
    }

    private func publish(_ publication: Publication) {
        // A line too slow for us must not make us grow.
        if publication.quality == 0, broker.isBusy() {
            unsent += 1
            log(.debug, "the broker is slow: \(unsent) messages not sent so far")
            return
        }
        do {
            _ = try broker.publish(publication)
        } catch {
            log(.warning, "\(error)")
        }
    }

    private var gauges: NodeMessageEncoder.Gauges {
        var gauges = vitals.gauges(refused: refused, unsent: unsent)
        gauges.outbox = .init(
            waiting: outbox.waiting, dropped: outbox.dropped,
            bytes: Int64(settings.outbox.megabytes) << 20)
        return gauges
    }

    private func introduce(at now: Timestamp) {
        guard broker.isConnected() else { return }
        perform(core.connected(at: now), at: now)
        do {
            try broker.subscribe(
                [voice.desired, voice.command, voice.lease, outbox.cursorTopic], 1)
            outbox.connected(at: now)
        } catch {
            log(.warning, "\(error)")
        }
    }

    /// What the scanner does is for the health; which adapter it is, for the introduction.
    private func note(_ status: ScanStatus, at now: Timestamp) {
        perform(core.scanner(status, at: now), at: now)
        guard let address = status.address.map({ AdapterName.address($0).description }),
            address != voice.adapter
        else { return }
        voice.adapter = address
        if broker.isConnected() { publish(voice.introducing) }
    }

    /// Once a second: how the machine fares, and whether we do our work.
    private func look(at now: Timestamp) {
        nextLook = now + .seconds(1)
        if !isStopped { note(radio.status(), at: now) }
        if let offset = vitals.look(at: now) {
            log(
                .warning,
                "the wall clock was set and is \(offset.seconds) s ahead of ours, which goes on as"
                    + " it was")
            outbox.clockStepped(to: offset, at: now)
        }
        let conditions = vitals.conditions(isHere: settings.broker.isHere)
        let deaf: Set<NodeAlert> = deafTo ?? [] == [] ? [] : [.halfDeaf]
        core.conditions(conditions.union(outbox.alerts(at: now)).union(deaf))
        vitals.report(
            isStopped ? "told not to scan" : listeningSince != nil ? "scanning" : "no radio",
            isConnected: broker.isConnected(), listeningSince: listeningSince,
            isUseful: core.isUseful(at: now, expectsPackets: radio.isAdapter), at: now)
    }
}

// The configuration.
extension NodeAgent {
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
            perform([.applied(revision: error.revision, error: "\(error)", at: now)], at: now)
            return
        }
        guard configuration != voice.configuration else { return }
        // What is still to be said means beacons by the old indices.
        perform(core.conclude(at: now), at: now)
        voice.configuration = configuration
        perform(core.apply(configuration.policy, at: now), at: now)
        core.detect(configuration.rules.map { DeviceRule($0) }, at: now)
        let (revision, count) = (configuration.policy.revision, configuration.slugs.count)
        log(
            .notice, about: "applied", at: now,
            "configuration \(revision) applied, \(count) beacons")
        sayMissingKeys(at: now)
        do {
            try saved.write(configuration)
        } catch {
            log(.error, "the configuration could not be kept: \(error)")
        }
    }

    /// A node may lack a key on purpose: then it does not hear that beacon, and others may.
    private func sayMissingKeys(at now: Timestamp) {
        let identities = voice.configuration.policy.known
        let missing = identities.filter { !settings.keys.hold($0) }.map(\.text)
        guard !missing.isEmpty else { return }
        log(.info, about: "keys", at: now, "no key here for \(missing.joined(separator: ", "))")
    }
}

// What the node is told to do while it runs.
extension NodeAgent {
    private func obey(_ bytes: [UInt8], at now: Timestamp) {
        switch desk.read(bytes.span, at: now, wall: vitals.wall) {
        case .answer(let response):
            if response.id == nil { refused += 1 }
            publish(voice.publication(of: response))
        case .perform(let operation, let command):
            log(
                .notice, about: "command", at: now, "told to \(operation.rawValue), \(command.id)")
            let outcome = perform(operation, command, at: now)
            if case .failed(let failure) = outcome {
                log(.warning, about: "failure", at: now, "\(failure.message)")
            }
            publish(voice.publication(of: desk.answer(command, outcome, at: now)))
        }
    }

    private func perform(
        _ operation: NodeOperation, _ command: NodeCommandPayload, at now: Timestamp
    ) -> NodeResponsePayload.Outcome {
        switch operation {
        case .startScan: return startScan(at: now)
        case .stopScan:
            stopScan(at: now)
            return .done(nil)
        case .identify:
            let span = Timestamp.Span.seconds(Double(command.forS ?? Self.blinking))
            let isBlinking = vitals.blink(until: now + span)
            log(
                .notice, about: "identify", at: now,
                "here I am\(isBlinking ? ", blinking" : ""): node \(settings.node)")
            if isBlinking { return .done(nil) }
            return failed("no-light", "it has no light that it may use; its log says who it is")
        case .restart:
            guard vitals.isSupervised || settings.mayRestart else {
                return failed(
                    "not-supervised",
                    "nobody would start it again: it runs without systemd and allow_restart")
            }
            // A temporary failure, after which whoever supervises us tries again.
            ending = EX_TEMPFAIL
            return .done(nil)
        case .info: return .done(voice.description(at: now))
        case .burst:
            let span = Timestamp.Span.seconds(Double(command.forS ?? Self.burst))
            perform(core.burst(for: span, at: now), at: now)
            return .done(nil)
        }
    }

    private func failed(_ code: String, _ message: String) -> NodeResponsePayload.Outcome {
        .failed(.init(code: code, message: message))
    }

    private func startScan(at now: Timestamp) -> NodeResponsePayload.Outcome {
        guard isStopped else { return .done(nil) }
        do {
            try radio.open()
        } catch {
            return failed("no-radio", "\(error)")
        }
        isStopped = false
        perform(core.listen(true, at: now), at: now)
        return .done(nil)
    }

    /// The radio is given up, so that others may have it.
    private func stopScan(at now: Timestamp) {
        guard !isStopped else { return }
        isStopped = true
        listeningSince = nil
        radio.stop()
        perform(core.listen(false, at: now), at: now)
    }

    /// What is no lease is refused, and ends the one under way: it has been replaced.
    private func grant(_ bytes: [UInt8], at now: Timestamp) {
        guard !bytes.isEmpty else { return perform(core.lease(nil, at: now), at: now) }
        do {
            let payload = try DebugLeasePayload(json: bytes.span)
            // Whoever wrote it goes by the wall clock.
            let left = Timestamp(milliseconds: payload.untilMs) - vitals.wall
            let lease = DebugLease(
                id: payload.id, until: now + left, perSecond: Int(payload.maxPerS),
                isRedacted: payload.redact)
            log(
                .notice, about: "lease", at: now,
                "raw stream leased as \(payload.id), \(left.seconds) s left")
            perform(core.lease(lease, at: now), at: now)
        } catch {
            refused += 1
            log(.warning, about: "no lease", at: now, "lease refused: \(error.words)")
            perform(core.lease(nil, at: now), at: now)
        }
    }
}
