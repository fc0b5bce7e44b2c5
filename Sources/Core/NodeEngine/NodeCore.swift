import BeaconDecoding
import SiteModel

/// A node without its radio, broker and clock: packets and times go in, effects come out.
///
/// It works in whole seconds of the time it is given. Each method first closes the seconds that have
/// ended; what they have to say comes with the next call that returns effects. How often `tick` is
/// called changes nothing, as long as calls are less than `longestGap` apart: after a longer gap
/// nobody listened, and the seconds between are passed over in silence.
package struct NodeCore: Sendable {
    /// Longer than this between two calls, and the process did not run.
    package static let longestGap = Timestamp.Span.seconds(5)

    private static let secondsPerBeat: Int64 = 2
    private static let secondsPerHealth: Int64 = 30
    /// Heard so recently, a transmitter counts as there.
    private static let presence = Timestamp.Span.seconds(10)

    /// A number drawn at random at the start of the process.
    package let boot: UInt64
    /// What this node is told to do.
    package private(set) var policy: NodePolicy
    private var appliedAt: Timestamp
    package let startedAt: Timestamp
    private var transmitters: Transmitters
    private var recogniser: IdentityResolver
    private var watch: BeaconWatch
    /// What is lost between one metre and the maximum range, in dB.
    private var reach: Double

    var adapterState = AdapterState.absent
    /// Since when the radio has listened for what the policy names, or `nil` while it does not.
    package var listeningSince: Timestamp?
    var packetAt: Timestamp?
    /// The second under way, counted from the Unix epoch.
    package var second: Int64
    package var pending: [Effect] = []
    private var runs: Runs
    package var isStopped = false
    var burstUntil: Timestamp?
    var tap: RawTap
    package var alarm = NodeAlarm()
    package var conditions: Set<NodeAlert> = []
    var scanStatus: ScanStatus?

    private var frames: Int64 = 0
    private var readings: Int64 = 0
    private var outcome = AdvertisingEvent.Outcome()
    private var assembly = AdvertisingAssembly()
    private var levelless = 0
    private var leftOut = 0
    private var rangeLosses: RangeLosses
    private var strangers = StrangerWatch()
    /// The reports at the last regular health, and when that was.
    private var reportsBefore = 0
    private var healthBefore: Timestamp

    /// A node that has heard nothing; its radio counts as absent until `adapter` says otherwise.
    /// Without `keys`, nobody is recognised by one. `secret` is drawn at random, too, and never told.
    package init(
        boot: UInt64, policy: NodePolicy, keys: NodeKeys? = nil, at now: Timestamp,
        secret: UInt64 = 0
    ) {
        self.boot = boot
        tap = RawTap(secret: secret, at: now)
        self.policy = policy
        appliedAt = now
        startedAt = now
        healthBefore = now
        transmitters = Transmitters(known: policy.known.count)
        recogniser = IdentityResolver(policy, keys: keys)
        watch = BeaconWatch(policy.known, at: now)
        rangeLosses = RangeLosses(known: policy.known.count)
        reach = PathLoss.loss(metres: policy.maximumRange)
        second = now.second
        runs = Runs(boot: boot, beacons: policy.known.count, at: now.second)
    }

    /// One H4 HCI packet as the radio gave it. Whatever is in it, it does no harm: what is
    /// malformed is counted.
    package mutating func heard(_ packet: Span<UInt8>, at now: Timestamp) {
        advance(to: now)
        guard !isStopped else { return }
        packetAt = max(packetAt ?? now, now)
        // Taken out for the time being, because what is heard changes everything else here.
        var parts = AdvertisingAssembly()
        swap(&parts, &assembly)
        let met = AdvertisingEvent.forEachReport(in: packet, joining: &parts) { report, data in
            heard(report, data, at: now)
        }
        swap(&parts, &assembly)
        outcome += met
    }

    package mutating func tick(at now: Timestamp) -> [Effect] {
        advance(to: now)
        return takePending()
    }

    /// Ends the evidence of the minute so far. A caller that turns indices into names calls this
    /// before the policy's list of beacons changes: `apply` does it, too, but returns after the
    /// names have changed.
    package mutating func conclude(at now: Timestamp) -> [Effect] {
        advance(to: now)
        return takePending() + runs.conclude(floor: policy.floor).map { .evidence($0) }
    }

    /// A new policy is in force. Beacons that stay registered keep their state.
    package mutating func apply(_ policy: NodePolicy, at now: Timestamp) -> [Effect] {
        precondition(policy.maximumRange > 0, "a range of \(policy.maximumRange) m")
        advance(to: now)
        if policy.known != self.policy.known || policy.floor != self.policy.floor {
            pending += runs.conclude(floor: self.policy.floor).map { .evidence($0) }
        }
        if policy.known != self.policy.known || policy.allowed != self.policy.allowed {
            recogniser.apply(policy)
        }
        if policy.known != self.policy.known {
            rangeLosses.register(known: policy.known.count)
            runs = Runs(boot: boot, beacons: policy.known.count, at: second)
            watch.register(policy.known)
            strangers.forgetRegistered()
            let recogniser = recogniser
            transmitters.register(policy.known, isRegistered: { recogniser.isRegistered($0) })
            // For what has just been registered, this second was not listened to as a whole.
            if listeningSince != nil { listeningSince = now }
        }
        self.policy = policy
        reach = PathLoss.loss(metres: policy.maximumRange)
        appliedAt = now
        return takePending() + [applied]
    }

    /// Other devices of strangers are told of; of none without rules.
    package mutating func detect(_ rules: [DeviceRule], at now: Timestamp) {
        advance(to: now)
        strangers.apply(rules)
    }

    /// The radio began or ceased to listen.
    package mutating func adapter(_ state: AdapterState, at now: Timestamp) -> [Effect] {
        advance(to: now)
        guard state != adapterState, !isStopped else { return takePending() }
        adapterState = state
        listeningSince = state == .up ? now : nil
        return takePending() + [.health(health(at: now))]
    }

    /// The broker accepted us: what it is to keep must be told again.
    package mutating func connected(at now: Timestamp) -> [Effect] {
        advance(to: now)
        return takePending() + [.online(since: startedAt), applied, .health(health(at: now))]
    }

    /// When the second under way ends: the next moment `tick` has something to say.
    package var deadline: Timestamp { Timestamp(second: second + 1) }
}

extension NodeCore {
    private var applied: Effect { .applied(revision: policy.revision, error: nil, at: appliedAt) }

    mutating func takePending() -> [Effect] {
        let effects = pending
        pending = []
        return effects
    }

    private mutating func heard(
        _ report: AdvertisingReport, _ data: Span<UInt8>, at now: Timestamp
    ) {
        if tap.lease != nil, let raw = tap.take(report, data, at: now) { pending.append(.raw(raw)) }
        // Also without a level, because a name may be in it that counts for what follows.
        let sighting = recogniser.sighting(of: report, data, at: now)
        if let (index, said) = recogniser.telemetry {
            if let notice = watch.heard(index, said, at: now) { pending.append(.notice(notice)) }
        }
        guard let level = report.rssi else {
            levelless += 1
            return
        }
        if case .known? = sighting?.beacon {
            strangers.exclude(report)
        } else if recogniser.telemetry == nil {
            strangers.heard(report, data, level, at: now)
        }
        guard let sighting else { return }
        let power = sighting.measuredPower
        guard isInRange(sighting, level) else {
            rangeLosses.add(sighting.beacon, level, power: power, at: now)
            return
        }
        switch sighting.beacon {
        case .known(let index):
            transmitters.heard(
                known: index, as: policy.known[index], level, power: power, at: now)
            // What another of its identities looks like is no trait of it.
            guard !sighting.isAlias else { return }
            let traits = Fingerprint.Traits(
                address: Fingerprint.AddressClass(report),
                power: PathLoss.believed(power).map { Int16($0.dBm) },
                shape: sighting.shape)
            let notice = watch.heard(index, traits, isAddressOld: sighting.isAddressOld, at: now)
            if let notice { pending.append(.notice(notice)) }
        case .unregistered(let identity):
            transmitters.heard(stranger: identity, level, power: power, at: now)
        }
    }

    /// A claim of the transmitter may only widen the range: anybody can claim anything, and one
    /// byte must not keep a person out.
    private func isInRange(_ sighting: IdentityResolver.Sighting, _ level: RSSI) -> Bool {
        guard sighting.isBeacon else { return true }
        let power = min(PathLoss.power(claimed: sighting.measuredPower), PathLoss.presumedPower)
        return level.dBm >= power.dBm - reach
    }

    /// Closes every second that has ended by `now`. A `now` before the second under way is in it.
    package mutating func advance(to now: Timestamp) {
        guard now.second > second else { return }
        guard now - Timestamp(second: second + 1) < Self.longestGap else {
            record(isListened: false, transmitters.entries(includingUnregistered: false))
            pending += runs.pass(to: now.second, floor: policy.floor).map { .evidence($0) }
            transmitters.clearSecond(at: now)
            if listeningSince != nil { listeningSince = now }
            second = now.second
            return
        }
        while second < now.second { closeSecond() }
    }

    private mutating func closeSecond() {
        let start = Timestamp(second: second)
        let end = Timestamp(second: second + 1)
        let isListened = listeningSince.map { $0 <= start } ?? false
        var policy = policy
        policy.profile = profile(at: end)
        let entries = transmitters.entries(includingUnregistered: policy.publishesUnregistered)
        if isListened, policy.profile == .ranging {
            pending.append(.frame(frame(of: entries, at: end)))
        }
        record(isListened: isListened, entries)
        second += 1
        for var reading in transmitters.readings(for: policy, at: end) {
            readings += 1
            reading.sequence = readings
            pending.append(.reading(reading))
        }
        transmitters.clearSecond(at: end)
        let seen = strangers.due(at: end)
        if !seen.isEmpty { pending.append(.sightings(seen, at: end)) }
        tap.expire(at: end)
        alarm(at: end)
        let age = second - startedAt.second
        if age % Self.secondsPerBeat == 0 {
            let radioAge = packetAt.map { max(end - $0, .milliseconds(0)) }
            pending.append(
                .beat(NodeBeat(at: end, frameSequence: frames, radioAge: radioAge)))
        }
        if age % Self.secondsPerHealth == 0 {
            pending.append(.health(health(at: end)))
            reportsBefore = outcome.reports
            healthBefore = end
        }
    }

    /// Takes the second under way into the evidence.
    private mutating func record(isListened: Bool, _ entries: [NodeFrame.Entry]) {
        pending += runs.close(
            second, isListened: isListened, heard: entries, floor: policy.floor
        ).map { .evidence($0) }
    }

    private mutating func frame(of entries: [NodeFrame.Entry], at end: Timestamp) -> NodeFrame {
        frames += 1
        leftOut += max(0, entries.count - NodeFrame.capacity)
        return NodeFrame(
            sequence: frames, at: end, entries: Array(entries.prefix(NodeFrame.capacity)))
    }

    package func health(at now: Timestamp) -> NodeHealth {
        let heard = transmitters.heardCount(since: now - Self.presence)
        let elapsed = max((now - healthBefore).seconds, 1)
        var health = NodeHealth(
            at: now, uptime: max(now - startedAt, .milliseconds(0)), adapter: adapterState,
            advertisementRate: Double(outcome.reports - reportsBefore) / elapsed,
            registered: heard.registered, unregistered: heard.unregistered,
            dropped: transmitters.dropped + leftOut + strangers.leftOut, malformed: outcome.faults,
            levelless: levelless)
        health.devices = recogniser.devices(at: now)
        health.addressesForgotten = recogniser.evicted
        health.excluded = recogniser.excluded
        health.replayed = recogniser.replayed
        health.leftOut = leftOut
        health.outOfRange = rangeLosses.total
        health.farBeacons = rangeLosses.present(at: now)
        health.radioAge = packetAt.map { max(now - $0, .milliseconds(0)) }
        health.scanner = scanStatus
        health.rawSent = tap.sent
        health.rawLeftOut = tap.leftOut
        health.leaseEnd = tap.lease?.until
        health.alerts = alarm.raised
        return health
    }
}

/// What a node can be told to do while it runs, beside its policy.
extension NodeCore {
    /// Stops listening or begins again. While stopped, what the radio gives is not heard, and there are
    /// no frames: it is no silence. Afterwards the radio counts as absent until `adapter` says
    /// otherwise.
    package mutating func listen(_ isWanted: Bool, at now: Timestamp) -> [Effect] {
        advance(to: now)
        guard isWanted == isStopped else { return takePending() }
        isStopped = !isWanted
        adapterState = isStopped ? .stopped : .absent
        listeningSince = nil
        if isStopped {
            scanStatus?.state = .stopped
            scanStatus?.since = now
        }
        return takePending() + [.health(health(at: now))]
    }

    /// Frames are told for a while, as in profile `ranging`, whatever the profile.
    package mutating func burst(for span: Timestamp.Span, at now: Timestamp) -> [Effect] {
        advance(to: now)
        burstUntil = max(burstUntil ?? now, now + span)
        return takePending()
    }

    /// A lease of the raw stream begins, changes, or, with `nil`, ends.
    package mutating func lease(_ lease: DebugLease?, at now: Timestamp) -> [Effect] {
        advance(to: now)
        tap.grant(lease, at: now)
        return takePending()
    }

    /// What the shell sees that may be worth an alert, and that the core cannot see for itself.
    package mutating func conditions(_ conditions: Set<NodeAlert>) { self.conditions = conditions }

    /// What the scanner does. Told as often as one likes; health says so at once when it changes.
    package mutating func scanner(_ status: ScanStatus, at now: Timestamp) -> [Effect] {
        advance(to: now)
        guard !isStopped else { return takePending() }
        let isNews = scanStatus?.state != status.state
        scanStatus = status
        guard isNews else { return takePending() }
        _ = alarm.look(at: present, now: now)
        return takePending() + [.health(health(at: now))]
    }

    /// The profile that counts at the moment.
    package func profile(at now: Timestamp) -> NodePolicy.Profile {
        if let burstUntil, now <= burstUntil { return .ranging }
        return policy.profile
    }

    /// Whether the node does something useful: seconds are closed, and the radio gives packets, or
    /// something is being done about that. What feeds a watchdog. A source that may be silent for
    /// as long as it likes, such as a recording, need not give any: then `expectsPackets` is false.
    package func isUseful(at now: Timestamp, expectsPackets: Bool = true) -> Bool {
        guard now - Timestamp(second: second) <= Self.closing else { return false }
        guard expectsPackets else { return true }
        // A scanner that says anything else is at work on it, or is as it should be.
        guard scanStatus.map({ $0.state == .scanning }) ?? (adapterState == .up) else {
            return true
        }
        return now - (packetAt ?? startedAt) <= Self.deafness
    }

    /// A second must be closed within this time after its end.
    private static let closing = Timestamp.Span.seconds(2)
    /// A scan that gives nothing for so long and does not call itself quiet does no work: a minute
    /// more than the longest silence a scanner takes for usual.
    private static let deafness = ScanSilence.most + .seconds(60)

    /// What holds now and may be worth an alert.
    private var present: Set<NodeAlert> {
        guard !isStopped, let alert = scanStatus.map(\.state.alert) ?? adapterState.alert else {
            return conditions
        }
        return conditions.union([alert])
    }

    /// Alerts of this second.
    package mutating func alarm(at end: Timestamp) {
        if alarm.look(at: present, now: end) { pending.append(.health(health(at: end))) }
    }
}
