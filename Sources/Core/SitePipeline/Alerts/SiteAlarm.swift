import SiteModel

/// Raises what a person should look at beyond a single node's own view. Holds nothing that decides
/// anything, and nothing that is stored: after a restart it sees again what is still so.
package struct SiteAlarm: Sendable {
    private var duplicates = DuplicateWatch()
    private var outboxes = OutboxWatch()
    private var walls = WallClockWatch()
    private var takeovers = TakeoverWatch()
    /// Since when the coordinator's own clock is known to be wrong, and how.
    private var own: (alert: SiteAlert, since: Timestamp)?
    /// Since when the broker does not let the coordinator read all that it must.
    private var deafSince: Timestamp?
    /// Of whom something is left out (`SetAside`), and since when.
    private var leftOut: [(user: UserID, since: Timestamp)] = []

    package init() {}

    /// A frame or a beat of a node's process arrived.
    package mutating func saw(boot: UInt64, of node: NodeID, at now: Timestamp) {
        duplicates.saw(boot: boot, of: node, at: now)
    }

    /// A record of an outbox of a node arrived.
    package mutating func saw(log: UInt64, of node: NodeID, at now: Timestamp) {
        duplicates.saw(log: log, of: node, at: now)
    }

    /// A node told how many records of its outbox wait to be stored.
    package mutating func saw(waiting: Int64, of node: NodeID, at now: Timestamp) {
        outboxes.saw(waiting: waiting, of: node, at: now)
    }

    /// A node told its wall clock, which a time server keeps.
    package mutating func saw(wall: Timestamp, of node: NodeID, at now: Timestamp) {
        walls.saw(wall: wall, of: node, at: now)
    }

    /// The broker accepted the coordinator.
    package mutating func connected(at now: Timestamp) { takeovers.connected(at: now) }

    /// The coordinator's connection to the broker ended, or an attempt failed.
    package mutating func lost(at now: Timestamp) {
        takeovers.lost(at: now)
        deafSince = nil
    }

    /// The broker has said whether it lets the coordinator read all that it must.
    package mutating func hears(all: Bool, at now: Timestamp) {
        deafSince = all ? nil : deafSince ?? now
    }

    /// What is wrong with the coordinator's own clock, as far as it sees that alone; `nil` if nothing.
    package mutating func ownClock(_ alert: SiteAlert?, at now: Timestamp) {
        guard alert != own?.alert else { return }
        own = alert.map { ($0, now) }
    }

    /// Of whom something is left out by now, because the database refuses what follows from it.
    package mutating func leavesOut(_ users: [UserID], at now: Timestamp) {
        leftOut = users.map { user in
            (user, leftOut.first { $0.user == user }?.since ?? now)
        }
    }

    /// All that is wrong, by alert and node.
    package func raised(at now: Timestamp) -> [RaisedSiteAlert] {
        var raised =
            takeovers.raised(at: now) + duplicates.raised(at: now) + outboxes.raised(at: now)
        if let own { raised.append(RaisedSiteAlert(own.alert, since: own.since)) }
        if let deafSince { raised.append(RaisedSiteAlert(.halfDeaf, since: deafSince)) }
        if own?.alert != .clockBehind, let since = walls.behind(at: now) {
            raised.append(RaisedSiteAlert(.clockBehind, since: since))
        }
        return raised + leftOut.map { RaisedSiteAlert(.setAside, user: $0.user, since: $0.since) }
    }
}

/// What a person should look at, seen by the coordinator: what a node sees of itself is a `NodeAlert`.
package enum SiteAlert: String, CaseIterable, Sendable, Codable {
    /// Two nodes go by one id: a card was copied, or a configuration. Without a node: another client signs
    /// in at the broker as the coordinator.
    case duplicateID = "duplicate-id"
    /// What waits in a node's outbox has not become less for an hour.
    case outboxStuck = "outbox-stuck"
    /// The broker does not let the coordinator read all that it must.
    case halfDeaf = "half-deaf"
    /// The coordinator's clock is behind its own newest row, or behind what a time server told the
    /// nodes.
    case clockBehind = "clock-behind"
    /// The wall clock was set while the coordinator ran, which goes on by the old time.
    case clockStepped = "clock-stepped"
    /// A correction of somebody, or all of their attendance, is left out, because the database refuses
    /// what follows from it.
    case setAside = "set-aside"
}

/// An alert that was raised.
package struct RaisedSiteAlert: Equatable, Sendable {
    package var alert: SiteAlert
    /// The node it is about; `nil` if it is about the coordinator.
    package var node: NodeID?
    /// Whom it is about, if it is about a person.
    package var user: UserID?
    /// Since when what it is about has been so.
    package var since: Timestamp

    package init(
        _ alert: SiteAlert, node: NodeID? = nil, user: UserID? = nil, since: Timestamp
    ) {
        self.alert = alert
        self.node = node
        self.user = user
        self.since = since
    }
}

/// Tells two nodes that go by one id from one node that was restarted.
///
/// A process draws its number anew, and so does an outbox when it is made: one that was replaced by
/// another comes back once when a card is swapped back, and again and again only where two nodes
/// send in turn (the broker throws one of them off whenever the other one connects).
struct DuplicateWatch: Sendable {
    /// So many returns make two nodes of one,
    static let returns = 3
    /// within this time. When the last of them is as long ago, it is over.
    static let memory = Timestamp.Span.seconds(600)
    /// How many earlier boot numbers of a node are remembered.
    private static let most = 8

    /// The numbers of one kind that a node went by.
    private struct Trail: Sendable {
        private var present: UInt64?
        private var earlier: [UInt64] = []
        private var returned: [Timestamp] = []

        mutating func saw(_ number: UInt64, at now: Timestamp) {
            guard number != present else { return }
            if earlier.contains(number) {
                returned = returned.suffix(DuplicateWatch.returns - 1) + [now]
            }
            if let present {
                earlier.removeAll { $0 == number || $0 == present }
                earlier = earlier.suffix(DuplicateWatch.most - 1) + [present]
            }
            present = number
        }

        /// Since when there are two of them; `nil` if there is one.
        func doubled(at now: Timestamp) -> Timestamp? {
            guard returned.count == DuplicateWatch.returns, let first = returned.first,
                let last = returned.last, last - first <= DuplicateWatch.memory,
                now - last <= DuplicateWatch.memory
            else { return nil }
            return first
        }
    }

    private var boots: [NodeID: Trail] = [:]
    private var logs: [NodeID: Trail] = [:]
    private var since: [NodeID: Timestamp] = [:]

    /// A process of a node is alive.
    mutating func saw(boot: UInt64, of node: NodeID, at now: Timestamp) {
        boots[node, default: Trail()].saw(boot, at: now)
        note(node, at: now)
    }

    /// An outbox of a node sends.
    mutating func saw(log: UInt64, of node: NodeID, at now: Timestamp) {
        logs[node, default: Trail()].saw(log, at: now)
        note(node, at: now)
    }

    /// The nodes that are two, by node.
    func raised(at now: Timestamp) -> [RaisedSiteAlert] {
        since.sorted { $0.key < $1.key }.compactMap { node, since in
            doubled(node, at: now) == nil
                ? nil : RaisedSiteAlert(.duplicateID, node: node, since: since)
        }
    }

    /// An alert keeps the moment it began, however long it lasts.
    private mutating func note(_ node: NodeID, at now: Timestamp) {
        let doubled = doubled(node, at: now)
        since[node] = doubled.map { since[node] ?? $0 }
    }

    private func doubled(_ node: NodeID, at now: Timestamp) -> Timestamp? {
        [boots[node], logs[node]].compactMap { $0?.doubled(at: now) }.min()
    }
}

/// Sees that what waits in a node's outbox does not become less. A record waits for a second or two
/// as a rule; a day without a broker is stored within a minute.
struct OutboxWatch: Sendable {
    /// No longer than this without becoming less.
    static let patience = Timestamp.Span.seconds(3600)
    /// A node that is silent for this long is away, which is another alert.
    static let silence = Timestamp.Span.seconds(300)

    private struct Waiting: Sendable {
        var count: Int64
        /// When it last became less, or was 0, or the node came back.
        var since: Timestamp
        var seen: Timestamp
    }

    private var nodes: [NodeID: Waiting] = [:]

    /// A node told how many records wait.
    mutating func saw(waiting count: Int64, of node: NodeID, at now: Timestamp) {
        var since = now
        if let old = nodes[node], now - old.seen <= Self.silence, count > 0, count >= old.count {
            since = old.since
        }
        nodes[node] = Waiting(count: count, since: since, seen: now)
    }

    /// The nodes whose outboxes are stuck, by node.
    func raised(at now: Timestamp) -> [RaisedSiteAlert] {
        nodes.sorted { $0.key < $1.key }.compactMap { node, waiting in
            let isStuck =
                waiting.seen - waiting.since >= Self.patience && now - waiting.seen <= Self.silence
            return isStuck ? RaisedSiteAlert(.outboxStuck, node: node, since: waiting.since) : nil
        }
    }
}
