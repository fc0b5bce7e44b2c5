import SiteEngine
import SiteModel
import Wire

/// Another plan, and other names: what differs by them is told, and nothing else is rendered. It equals
/// `RetainedTopics(rendering:names:told:)` afterwards.
extension RetainedTopics {
    /// Goes on under the plan of `mesh` and other names. `live`: the states that were rendered. Returns what is to be
    /// published, first what is gone, each by topic.
    mutating func adopt(_ mesh: Mesh, names new: Names, from live: LiveStates) -> [Publication] {
        guard names.haveSlugs(of: new) else { return renderAnew(mesh, new, told: told) }
        let (oldPlan, oldNames) = (plan, names)
        var gone = topicsGone(from: oldPlan, to: mesh.plan)
        if mesh.live.shadow == nil { gone.append(paths[.shadow]) }
        (plan, names) = (mesh.plan, new)
        stations = RowIndex(plan.stations.map(\.id))
        var said: [Publication] = []
        for topic in gone.sorted() where topics.removeValue(forKey: topic) != nil {
            said.append(.retained(topic, []))
        }
        let before = InfoTopics(plan: oldPlan, names: oldNames, paths: paths)
        var news = InfoTopics(plan: plan, names: names, paths: paths).differing(from: before)
        news += states(of: mesh.live, from: live, oldPlan)
        news += newcomers(since: oldPlan)
        news.sort { $0.topic < $1.topic }
        for publication in news { said += change(publication) }
        return said
    }

    /// Renders everything. Returns what is to be published, first what is gone, each by topic.
    mutating func renderAnew(_ mesh: Mesh, _ names: Names, told: Saved) -> [Publication] {
        let old = self
        self = RetainedTopics(rendering: mesh, names: names, told: told)
        keepDays(of: old)
        var said: [Publication] = []
        for topic in old.topics.keys.sorted() where topics[topic] == nil {
            said.append(.retained(topic, []))
        }
        return said + all.filter { old.topics[$0.topic] != $0.payload }
    }

    /// The topics of what is not in a new plan any more.
    private mutating func topicsGone(from old: Plan, to new: Plan) -> [String] {
        func gone<Of>(
            _ old: [ID<Of>], _ new: [ID<Of>], _ slug: (ID<Of>) -> String, _ kinds: [PayloadKind]
        ) -> [String] {
            guard old != new else { return [] }
            let kept = RowIndex(new)
            return old.filter { kept[$0] == nil }.flatMap { id in
                kinds.map { paths[$0, slug(id)] }
            }
        }
        let people = old.users.map(\.id)
        let staying = RowIndex(new.users.map(\.id))
        for user in people where staying[user] == nil {
            let slug = names.users.slug(user)
            (days[slug], near[slug]) = (nil, nil)
        }
        return gone(
            old.rooms.map(\.id), new.rooms.map(\.id), names.rooms.slug, [.roomInfo, .roomState])
            + gone(
                old.stations.map(\.id), new.stations.map(\.id), names.stations.slug,
                [.stationInfo, .stationState])
            + gone(
                old.beacons.map(\.id), new.beacons.map(\.id), names.beacons.slug,
                [.beaconInfo, .beaconState])
            + gone(
                old.nodes.map(\.id), new.nodes.map(\.id), names.nodes.slug,
                [.nodeConfiguration, .cursor])
            + gone(
                people, new.users.map(\.id), names.users.slug,
                PersonRendering.all.map(\.kind) + [.presence, .day, .near])
    }

    /// Live states that are not those that were rendered, or that the plan has a part in.
    private func states(
        of new: LiveStates, from old: LiveStates, _ oldPlan: Plan
    ) -> [Publication] {
        func differing<State: Equatable, Of>(
            _ new: [State], _ old: [State], by id: (State) -> ID<Of>,
            isOther: (ID<Of>) -> Bool = { _ in false }
        ) -> [State] {
            let places = RowIndex(old.map(id))
            return new.filter { state in
                guard let place = places[id(state)] else { return true }
                return old[place] != state || isOther(id(state))
            }
        }
        let slots = RowIndex(oldPlan.stations.map(\.id))
        var live: [Live] = differing(new.presences, old.presences, by: \.user).map { .presence($0) }
        live += differing(new.rooms, old.rooms, by: \.room).map { .room($0) }
        live += differing(new.stations, old.stations, by: \.station) { id in
            slots[id].map { oldPlan.stations[$0].slots }
                != stations[id].map { plan.stations[$0].slots }
        }.map { .station($0) }
        live += differing(new.beacons, old.beacons, by: \.beacon).map { .beacon($0) }
        live.append(.site(new.site))
        if let shadow = new.shadow { live.append(.shadow(shadow)) }
        return live.compactMap { rendered($0) }
    }

    /// What is stored of people and nodes that were not in the old plan.
    private func newcomers(since old: Plan) -> [Publication] {
        let known = RowIndex(old.users.map(\.id))
        let users = plan.users.map(\.id).filter { known[$0] == nil }
        let people = users.isEmpty ? [:] : PersonRows.all(told)
        var said = users.flatMap { user in
            PersonRendering.all.compactMap { rendering in
                rendering.payload(people[user] ?? PersonRows(), names).map {
                    paths.message(rendering.kind, names.users.slug(user), bytes: $0.json)
                }
            }
        }
        let nodes = RowIndex(old.nodes.map(\.id))
        said += plan.nodes.map(\.id).filter { nodes[$0] == nil }.compactMap { node in
            cursor(of: node).map { paths.message(.cursor, names.nodes.slug(node), saying: $0) }
        }
        return said
    }
}

extension Names {
    /// Whether all rows have the slugs that they have in newer names, which may have more of them: only an erasure
    /// changes a slug.
    fileprivate func haveSlugs(of newer: Names) -> Bool {
        func same<Of>(_ old: NameTable<Of>, _ new: NameTable<Of>) -> Bool {
            old.entries.count <= new.entries.count
                && zip(old.entries, new.entries).allSatisfy { $0.id == $1.id && $0.slug == $1.slug }
        }
        return site == newer.site && same(rooms, newer.rooms) && same(stations, newer.stations)
            && same(nodes, newer.nodes) && same(beacons, newer.beacons)
            && same(users, newer.users)
    }
}
