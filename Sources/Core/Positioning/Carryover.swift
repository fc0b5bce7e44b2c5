import SiteModel

/// What a new plan has of an old one where both locate alike: then locators, coverage and what is told live go on
/// with what they know, and only what is new begins anew.
package struct Carryover: Equatable, Sendable {
    /// By index of the new plan's users, their index in the old one; `nil` for new people.
    package let users: [Int?]
    /// The same of those who carry the same tags as before: what was heard of them holds for them.
    package let carriers: [Int?]
    /// By index of the new plan's beacons, their index in the old one; `nil` for those that are new, or are
    /// recognised, placed, weighed or carried otherwise.
    package let beacons: [Int?]
    /// Whether somebody has gone, or a station has another number of slots: counts are to be made anew.
    package let isRecounted: Bool

    /// `nil` if locating is another task than before: places, nodes, fixed beacons, the policy or the model
    /// differ. People, their tags, and how many may use a station may differ.
    package init?(from old: Plan, to new: Plan) {
        func fixed(_ plan: Plan) -> [Beacon] { plan.beacons.filter { $0.anchor != nil } }
        guard old.site == new.site, old.rooms == new.rooms, old.nodes == new.nodes,
            old.policy == new.policy, old.model == new.model, fixed(old) == fixed(new),
            old.stations.elementsEqual(
                new.stations,
                by: { ($0.id, $0.room, $0.position) == ($1.id, $1.room, $1.position) })
        else { return nil }
        let knownUsers = RowIndex(old.users.map(\.id))
        users = new.users.map { knownUsers[$0.id] }
        let (oldTags, newTags) = (
            Dictionary(grouping: old.bindings, by: \.user),
            Dictionary(grouping: new.bindings, by: \.user)
        )
        carriers = new.users.map { user in
            oldTags[user.id] == newTags[user.id] ? knownUsers[user.id] : nil
        }
        let knownBeacons = RowIndex(old.beacons.map(\.id))
        let (oldHands, newHands) = (
            Dictionary(grouping: old.bindings, by: \.beacon),
            Dictionary(grouping: new.bindings, by: \.beacon)
        )
        beacons = new.beacons.map { beacon in
            guard let place = knownBeacons[beacon.id], old.beacons[place] == beacon,
                oldHands[beacon.id] == newHands[beacon.id]
            else { return nil }
            return place
        }
        let staying = users.compactMap(\.self).count
        isRecounted = staying < old.users.count || old.stations != new.stations
    }
}

extension Plan {
    /// Whether another plan says the same under another number.
    package func isSame(as other: Plan) -> Bool {
        var renumbered = other
        renumbered.revision = revision
        return renumbered == self
    }
}
