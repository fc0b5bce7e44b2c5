/// What a site's machines are told, always together with the moment it was told.
public enum Input: Equatable, Sendable, Codable {
    /// One second of one node's listening.
    case frame(Frame, from: NodeID)
    /// A node's process came up, or went away.
    case node(NodeID, isOnline: Bool)
    /// Somebody asks for something.
    case request(Request)
    /// A new plan is in force.
    case plan(Plan)
    /// Time passed.
    case tick
}

extension Input {
    /// Whether it brings a new plan.
    var isPlan: Bool {
        if case .plan = self { true } else { false }
    }
}
