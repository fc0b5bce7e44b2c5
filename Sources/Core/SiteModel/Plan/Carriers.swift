import Basics

/// Who carries which beacon or node, when: the bindings of a plan, by index into its lists.
package struct Carriers: Sendable {
    private let beacons: [BeaconID]
    private let isAnchored: [Bool]
    /// The user who carries each node: `nil` for a fixed node, and for one whose user is gone.
    private let carrierOfNode: [Int?]
    private let isMobile: [Bool]
    private let bindingsOfBeacon: [[(user: Int, binding: Binding)]]
    private let beaconsOfUser: [[Int]]

    package init(plan: Plan) {
        beacons = plan.beacons.map(\.id)
        isAnchored = plan.beacons.map { $0.anchor != nil }
        isMobile = plan.nodes.map(\.isMobile)
        carrierOfNode = plan.nodes.map { node in
            node.carrier.flatMap { carrier in plan.users.firstIndex { $0.id == carrier } }
        }
        var ofBeacon: [[(user: Int, binding: Binding)]] = plan.beacons.map { _ in [] }
        var ofUser: [[Int]] = plan.users.map { _ in [] }
        for binding in plan.bindings {
            guard let user = plan.users.firstIndex(where: { $0.id == binding.user }),
                let beacon = plan.beacons.firstIndex(where: { $0.id == binding.beacon })
            else { continue }
            ofBeacon[beacon].append((user, binding))
            if !ofUser[user].contains(beacon) { ofUser[user].append(beacon) }
        }
        bindingsOfBeacon = ofBeacon
        beaconsOfUser = ofUser.map { $0.sorted() }
    }

    /// The index of a registered beacon.
    package func index(of beacon: BeaconID) -> Int? {
        let index = beacons.partitioningIndex { $0 >= beacon }
        return index < beacons.count && beacons[index] == beacon ? index : nil
    }

    /// Who carried the beacon at index `beacon` at `moment`.
    package func user(of beacon: Int, at moment: Timestamp) -> Int? {
        bindingsOfBeacon[beacon].first { $0.binding.holds(at: moment) }?.user
    }

    /// Of whom it tells where they are that the node at index `node` heard the beacon at index
    /// `beacon`: a reading links an anchor, whose place is known, with a mobile, whose user is.
    ///
    /// A fixed node hears who carries the beacon. A mobile node hears for its own user, and only
    /// beacons that are fixed somewhere: where other people's tags are it cannot know.
    package func user(of beacon: Int, heardBy node: Int, at moment: Timestamp) -> Int? {
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

    /// Who carried the beacon at index `beacon` in which part of an interval of whole seconds. A
    /// second belongs to whoever carried it at its start.
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

extension Plan {
    /// The room a station stands in.
    package func room(of station: StationID) -> RoomID? {
        stations.first { $0.id == station }?.room
    }
}

extension Timestamp {
    /// The moment itself if a second begins there, else the next beginning of one.
    fileprivate var nextSecond: Timestamp {
        let start = Timestamp(second: second)
        return start == self ? self : start + .seconds(1)
    }
}
