import SiteModel

// What comes from the outboxes of nodes.
extension Mesh {
    /// Takes in what a node heard in a minute. What its frames said already changes nothing.
    package mutating func heard(
        _ evidence: Evidence, from node: NodeID, at now: Timestamp
    ) -> RecordVerdict? {
        guard let index = index.nodes[node] else { return nil }
        let room = plan.nodes[index].ear
        if outboxes.isDuplicate(evidence.record, from: node, at: now) { return .duplicate }
        let clock = coverage.clock(of: node, boot: evidence.boot)
        let span = evidence.isSynced || clock != nil ? evidence.span(by: clock, at: now) : nil
        if coverage.isUndecided(node, boot: evidence.boot, until: span?.to, at: now) {
            return .clockless
        }
        if clock == nil, !evidence.isSynced {
            let isHeard = coverage.isHeard(node, at: now)
            if outboxes.isWaiting(node, isHeard: isHeard, at: now) { return .clockless }
        }
        let verdict = RecordVerdict(of: span, at: now)
        let row = EvidenceRow(
            node: node, evidence: evidence, at: now, from: span?.from, verdict: verdict)
        let follows = outboxes.take(evidence.record, from: node, at: now, .evidence(row))
        if verdict == .late || verdict == .uncertain {
            dispute(evidence, from: index, span: span, as: verdict, at: now)
        }
        watermarks.raise(node, to: follows ? span.map { min($0.to, now) } : nil, at: now)
        guard verdict == .taken else { return verdict }
        for seconds in evidence.listening {
            for interval in evidence.place(seconds, by: clock) {
                coverage.listened(interval, in: room)
            }
        }
        for run in evidence.runs where run.strongest >= plan.policy.siteFloor {
            guard let beacon = carriers.index(of: run.beacon) else { continue }
            for seconds in evidence.place(run.first...run.last, by: clock) {
                for (user, interval) in carriers.users(of: beacon, heardBy: index, in: seconds) {
                    attendance.heard(user: user, interval, room: room)
                }
            }
        }
        return follows ? .taken : .gap
    }

    package mutating func happened(
        _ event: NodeEvent, at node: NodeID, _ now: Timestamp
    ) -> RecordVerdict? {
        guard let index = index.nodes[node] else { return nil }
        if outboxes.isDuplicate(event.record, from: node, at: now) { return .duplicate }
        let clock = coverage.clock(of: node, boot: event.boot)
        let row = NodeEventRow(
            node: node, event: event, at: now, happened: clock.map { event.at + $0.offset })
        if event.kind == NodeEvent.fingerprintChanged {
            doubt(event.beacon, at: index, min(row.happened ?? now, now), now)
        }
        return outboxes.take(event.record, from: node, at: now, .nodeEvent(row)) ? .taken : .gap
    }

    /// What people are to be told of a battery that a node reports as nearly empty.
    mutating func battery(_ event: NodeEvent, at node: NodeID, _ now: Timestamp) -> [Fact] {
        guard event.kind == NodeEvent.batteryLow, verdict == .taken || verdict == .gap,
            let id = event.beacon, let beacon = carriers.index(of: id)
        else { return [] }
        let moment = coverage.clock(of: node, boot: event.boot).map { event.at + $0.offset }
        let carrier = carriers.user(of: beacon, at: now).map { plan.users[$0].id }
        let fact = notifications.battery(of: id, carriedBy: carrier, at: moment ?? now, now: now)
        return fact.map { [$0] } ?? []
    }

    /// A node reports that a beacon is of another make than it was: a doubt about its user.
    private mutating func doubt(
        _ beacon: BeaconID?, at node: Int, _ moment: Timestamp, _ now: Timestamp
    ) {
        guard now - moment < Saved.horizon, let beacon = beacon.flatMap(carriers.index),
            let user = carriers.user(of: beacon, at: moment),
            let doubt = doubts.fingerprintChanged(of: user, at: node, moment)
        else { return }
        attendance.doubted(user: user, doubt)
    }

    mutating func passOver(
        _ record: Record, from node: NodeID, at now: Timestamp
    ) -> RecordVerdict? {
        guard index.nodes[node] != nil else { return nil }
        if outboxes.isDuplicate(record, from: node, at: now) { return .duplicate }
        _ = outboxes.take(record, from: node, at: now, nil)
        return .unreadable
    }

    /// Evidence that may not change sessions by itself: what it says of people is for a person to
    /// decide. Where nobody can say when it was, it was after what the node told before.
    private mutating func dispute(
        _ evidence: Evidence, from index: Int, span: Interval?, as verdict: RecordVerdict,
        at now: Timestamp
    ) {
        let node = plan.nodes[index]
        let told = watermarks.first { $0.node == node.id }?.through ?? now - Saved.horizon
        let bounds = span ?? Interval(from: min(told, now), to: now)
        var heard: [(user: Int, from: Timestamp, to: Timestamp, length: Int64)] = []
        let start = span?.from ?? bounds.from
        for run in evidence.runs where run.strongest >= plan.policy.siteFloor {
            guard let beacon = carriers.index(of: run.beacon) else { continue }
            let seconds = Interval(
                from: start + .seconds(Double(run.first)),
                to: start + .seconds(Double(run.last + 1)))
            for (user, interval) in carriers.users(of: beacon, heardBy: index, in: seconds) {
                let length = interval.length.milliseconds
                if let known = heard.firstIndex(where: { $0.user == user }) {
                    heard[known].from = min(heard[known].from, interval.from)
                    heard[known].to = max(heard[known].to, interval.to)
                    heard[known].length += length
                } else {
                    heard.append((user, interval.from, interval.to, length))
                }
            }
        }
        for entry in heard.sorted(by: { $0.user < $1.user }) {
            let isLate = verdict == .late
            outboxes.put(
                .dispute(
                    Dispute(
                        user: plan.users[entry.user].id, kind: isLate ? .late : .uncertain,
                        session: nil,
                        interval: isLate ? Interval(from: entry.from, to: entry.to) : bounds,
                        heard: .milliseconds(entry.length))))
        }
    }
}
