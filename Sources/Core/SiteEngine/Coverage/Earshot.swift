import SiteModel

/// Who would be heard where at one moment, if they were there: what tells silence from not knowing.
///
/// A user who carries a beacon is heard by the fixed nodes of a room. A user who carries a node is
/// heard by that node, in rooms with fixed beacons, as long as it listens. Either one covers a user
/// who has both; a user whose only node is silent is covered nowhere, so that their silence means
/// nothing.
package struct Earshot: Sendable {
    private let fixedRooms: Set<RoomID>
    private let anchoredRooms: Set<RoomID>
    private let ownNodes: [(isListening: Bool, isTagged: Bool)?]

    init(plan: Plan, carriers: Carriers, coverage: Coverage, at now: Timestamp) {
        var fixed: Set<RoomID> = []
        for index in plan.nodes.indices
        where !plan.nodes[index].isMobile && coverage.isListening(index, at: now) {
            fixed.insert(plan.nodes[index].room)
        }
        fixedRooms = fixed
        anchoredRooms = Set(plan.beacons.compactMap { $0.anchor?.room })
        guard plan.nodes.contains(where: \.isMobile) else {
            ownNodes = plan.users.map { _ in nil }
            return
        }
        ownNodes = plan.users.indices.map { user in
            let nodes = carriers.nodes(of: user)
            guard !nodes.isEmpty else { return nil }
            return (
                nodes.contains { coverage.isListening($0, at: now) },
                !carriers.beacons(of: user, at: now).isEmpty
            )
        }
    }

    /// Whether the user at index `user` would be heard in a room.
    func covers(_ room: RoomID, for user: Int) -> Bool {
        guard let own = ownNodes[user] else { return fixedRooms.contains(room) }
        return own.isListening && anchoredRooms.contains(room)
            || own.isTagged && fixedRooms.contains(room)
    }

    /// Whether the user at index `user` would be heard anywhere.
    func coversAnything(for user: Int) -> Bool {
        guard let own = ownNodes[user] else { return !fixedRooms.isEmpty }
        return own.isListening || own.isTagged && !fixedRooms.isEmpty
    }
}
