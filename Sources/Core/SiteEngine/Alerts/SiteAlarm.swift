import SiteModel

/// Raises what a person should look at beyond a single node's own view. Holds nothing that decides
/// anything, and nothing that is stored: after a restart it sees again what is still so.
package struct SiteAlarm: Sendable {
    private var duplicates = DuplicateWatch()
    private var outboxes = OutboxWatch()
    private var walls = WallClockWatch()
    /// Since when the coordinator's own clock is known to be wrong, and how.
    private var own: (alert: SiteAlert, since: Timestamp)?

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

    /// What is wrong with the coordinator's own clock, as far as it sees that alone; `nil` if nothing.
    package mutating func ownClock(_ alert: SiteAlert?, at now: Timestamp) {
        guard alert != own?.alert else { return }
        own = alert.map { ($0, now) }
    }

    /// All that is wrong, by alert and node.
    package func raised(at now: Timestamp) -> [RaisedSiteAlert] {
        var raised = duplicates.raised(at: now) + outboxes.raised(at: now)
        if let own { raised.append(RaisedSiteAlert(own.alert, since: own.since)) }
        if own?.alert != .clockBehind, let since = walls.behind(at: now) {
            raised.append(RaisedSiteAlert(.clockBehind, since: since))
        }
        return raised
    }
}
