/// What the nodes of a site are to do.
package struct NodePractice: Hashable, Sendable, Codable {
    /// How much they tell.
    package var profile: NodePolicy.Profile
    /// How far away a beacon may seem in profile `ranging`, in metres, 1 ... 1000; `nil` where nothing
    /// is said.
    package var rangingRange: Double?
    /// The same in profile `sparse`.
    package var sparseRange: Double?
    /// Whether nodes in profile `sparse` are asked for frames for a while where somebody moved.
    package var bursts: Bool

    package init(
        profile: NodePolicy.Profile = .ranging, rangingRange: Double? = nil,
        sparseRange: Double? = nil, bursts: Bool = false
    ) {
        self.profile = profile
        self.rangingRange = rangingRange
        self.sparseRange = sparseRange
        self.bursts = bursts
    }

    /// What is said about the range in the profile in force.
    package var range: Double? {
        switch profile {
        case .ranging: rangingRange
        case .sparse: sparseRange
        }
    }
}

extension Policy {
    /// How much nodes tell.
    package var profile: NodePolicy.Profile { practice?.profile ?? .ranging }

    /// How far away a beacon may seem to nodes, in metres. Where nothing is said, 20, so that the
    /// neighbours' tags do not count; but a site that wants to see whatever there is sees it.
    package var range: Double {
        practice?.range ?? (publishesUnregistered ? 1000 : NodePolicy.usualRange)
    }

    /// Whether nodes are asked for frames where somebody moved.
    package var bursts: Bool { profile == .sparse && practice?.bursts == true }
}
