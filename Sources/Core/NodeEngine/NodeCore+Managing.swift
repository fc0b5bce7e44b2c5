import SiteModel

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
