import SiteModel

/// An input of a site's machines; it always comes with the moment of its arrival.
package enum Input: Equatable, Sendable, Codable {
    /// One second of one node's listening.
    case frame(Frame, from: NodeID)
    /// A sign of life of a node's process, which says what its clock shows.
    case beat(boot: UInt64, told: Timestamp, from: NodeID)
    /// What a node heard in a minute, from its outbox.
    case evidence(Evidence, from: NodeID)
    /// Something that happened at a node, from its outbox.
    case nodeEvent(NodeEvent, from: NodeID)
    /// A record of a node's outbox that cannot be read.
    case unreadable(Record, from: NodeID)
    /// The nodes have seen another stored state than ours: ours begins an epoch, at least this one.
    case epoch(atLeast: Int64)
    /// A node's process came up, or went away.
    case node(NodeID, isOnline: Bool)
    /// Another site tells of a session of a user.
    case elsewhere(Elsewhere, user: UserID)
    /// Somebody asks for something.
    case request(Request)
    /// A new plan is in force.
    case plan(Plan)
    /// People decided something about attendance.
    case overrides(Overrides)
    case tick
}

extension Input {
    /// Whether all that is known is to be saved with it: machines start anew from what is saved.
    var isSavedAtOnce: Bool {
        switch self {
        case .plan, .overrides: true
        case .frame, .beat, .evidence, .nodeEvent, .unreadable, .epoch, .node, .elsewhere,
            .request, .tick:
            false
        }
    }
}

extension Input {
    /// The place of what came from a node's outbox; `nil` of anything else.
    package var record: Record? {
        switch self {
        case .evidence(let evidence, _): evidence.record
        case .nodeEvent(let event, _): event.record
        case .unreadable(let record, _): record
        case .frame, .beat, .epoch, .node, .elsewhere, .request, .plan, .overrides, .tick: nil
        }
    }
}
