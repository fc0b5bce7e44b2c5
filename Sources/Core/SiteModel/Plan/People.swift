/// A person. The core knows no names.
package struct User: Hashable, Sendable, Codable {
    package var id: UserID
    /// Whether they agreed to be located, or the site asks nobody to.
    package var hasAgreed: Bool
    /// Whether others may see where they are and what they train.
    package var shares: Bool

    package init(id: UserID, hasAgreed: Bool = true, shares: Bool = false) {
        self.id = id
        self.hasAgreed = hasAgreed
        self.shares = shares
    }

    /// Also one that was recorded before that was part of it.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(UserID.self, forKey: .id)
        hasAgreed = try values.decodeIfPresent(Bool.self, forKey: .hasAgreed) ?? true
        shares = try values.decodeIfPresent(Bool.self, forKey: .shares) ?? false
    }
}

/// A registered transmitter.
package struct Beacon: Hashable, Sendable, Codable {
    package var id: BeaconID
    /// What it is recognised by.
    package var identity: Identity
    /// Where it is fixed, for mobile nodes to hear; `nil` if it is carried, or of no place.
    package var anchor: Place?
    /// From which level on it is near; `nil` is the default, which nodes know.
    package var threshold: RSSI?

    package init(
        id: BeaconID, identity: Identity, anchor: Place? = nil, threshold: RSSI? = nil
    ) {
        self.id = id
        self.identity = identity
        self.anchor = anchor
        self.threshold = threshold
    }
}

/// Says that a beacon stood for a user from one moment until another.
package struct Binding: Hashable, Sendable, Codable {
    package var beacon: BeaconID
    /// Who carried it.
    package var user: UserID
    /// Since when.
    package var from: Timestamp
    /// Until when, or `nil` while it holds.
    package var to: Timestamp?

    package init(beacon: BeaconID, user: UserID, from: Timestamp, to: Timestamp?) {
        self.beacon = beacon
        self.user = user
        self.from = from
        self.to = to
    }

    /// Whether it holds at `moment`.
    @inlinable package func holds(at moment: Timestamp) -> Bool {
        from <= moment && (to.map { moment < $0 } ?? true)
    }
}

/// Who carries which beacon or node, when: the bindings of a plan, by index into its lists.
package struct BindingIndex: Sendable {
    @usableFromInline let beacons: RowIndex<Beacon>
    @usableFromInline let isAnchored: [Bool]
    /// The user who carries each node: `nil` for a fixed node, and for one whose user is gone.
    @usableFromInline let carrierOfNode: [Int?]
    @usableFromInline let isMobile: [Bool]
    @usableFromInline let bindingsOfBeacon: [[(user: Int, binding: Binding)]]
    @usableFromInline let beaconsOfUser: [[Int]]

    package init(plan: Plan) {
        let index = PlanIndex(plan: plan)
        beacons = index.beacons
        isAnchored = plan.beacons.map { $0.anchor != nil }
        isMobile = plan.nodes.map(\.isMobile)
        carrierOfNode = plan.nodes.map { node in
            node.carrier.flatMap { index.users[$0] }
        }
        var ofBeacon: [[(user: Int, binding: Binding)]] = plan.beacons.map { _ in [] }
        var ofUser: [[Int]] = plan.users.map { _ in [] }
        for binding in plan.bindings {
            guard let user = index.users[binding.user], let beacon = beacons[binding.beacon]
            else { continue }
            ofBeacon[beacon].append((user, binding))
            if !ofUser[user].contains(beacon) { ofUser[user].append(beacon) }
        }
        bindingsOfBeacon = ofBeacon
        beaconsOfUser = ofUser.map { $0.sorted() }
    }

    /// The index of a registered beacon.
    @inlinable package func index(of beacon: BeaconID) -> Int? { beacons[beacon] }

    /// Who carried the beacon at index `beacon` at `moment`.
    @inlinable package func user(of beacon: Int, at moment: Timestamp) -> Int? {
        bindingsOfBeacon[beacon].first { $0.binding.holds(at: moment) }?.user
    }

    /// The user whom a reading locates: the node at index `node` heard the beacon at index
    /// `beacon`. One of the two is an anchor, whose place is known; the other is carried by the
    /// user.
    ///
    /// A fixed node hears who carries the beacon. A mobile node hears for its own user, and only
    /// beacons that are fixed somewhere: where other people's tags are it cannot know.
    @inlinable package func user(of beacon: Int, heardBy node: Int, at moment: Timestamp) -> Int? {
        guard isMobile[node] else { return user(of: beacon, at: moment) }
        return isAnchored[beacon] ? carrierOfNode[node] : nil
    }

    /// The mobile nodes of a user, by index.
    package func nodes(of user: Int) -> [Int] {
        carrierOfNode.indices.filter { carrierOfNode[$0] == user }
    }

    /// The same for a stretch of whole seconds, in parts.
    package func users(
        of beacon: Int, heardBy node: Int, in interval: Interval
    ) -> [(user: Int, interval: Interval)] {
        guard isMobile[node] else { return carriers(of: beacon, in: interval) }
        guard isAnchored[beacon], let user = carrierOfNode[node] else { return [] }
        return [(user, interval)]
    }

    /// The users who carried the beacon at index `beacon`, each with a part of an interval of whole
    /// seconds. A second belongs to the user who carried it at its start.
    package func carriers(of beacon: Int, in interval: Interval) -> [(
        user: Int, interval: Interval
    )] {
        bindingsOfBeacon[beacon].compactMap { user, binding in
            let from = max(interval.from, binding.from.nextSecond)
            let to = min(interval.to, binding.to?.nextSecond ?? interval.to)
            return from < to ? (user, Interval(from: from, to: to)) : nil
        }
    }

    /// The beacons the user at index `user` carried at `moment`.
    package func beacons(of user: Int, at moment: Timestamp) -> [Int] {
        beaconsOfUser[user].filter { self.user(of: $0, at: moment) == user }
    }
}

extension Timestamp {
    /// The moment itself if a second begins there, else the next beginning of one.
    fileprivate var nextSecond: Timestamp {
        let start = Timestamp(second: second)
        return start == self ? self : start + .seconds(1)
    }
}
