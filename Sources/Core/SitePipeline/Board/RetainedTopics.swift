import Basics
import Scheduling
import SiteEngine
import SiteModel
import Wire

/// All retained topics of a site: the one owner of what the broker should hold.
///
/// It takes in stored facts and live states, and returns the messages that change something. After
/// any history it equals `RetainedTopics(rendering: mesh, names:)`.
package struct RetainedTopics: Sendable {
    /// What the broker should hold, by topic.
    package internal(set) var topics: [String: [UInt8]] = [:]
    /// Where everything is published.
    package let paths: SiteTopics
    var names: Names
    var plan: Plan
    var stations: RowIndex<Station>
    /// The facts told so far.
    package private(set) var told: Saved
    /// What people walked today, by slug. It is computed from samples, of which the machines know nothing.
    var days: [String: DayPayload] = [:]
    /// What is near whom, by slug; ranked beside the machines, from what the board says.
    var near: [String: NearPayload] = [:]
    /// Whether days were told since this process began: then of everybody, the first time.
    private var areDaysTold = false
    /// Topics of days that the broker holds from before, which are neither told nor taken back yet.
    private var awaited: Set<String> = []

    /// Everything a site has to say in its present state.
    package init(rendering mesh: Mesh, names: Names) {
        self.init(rendering: mesh, names: names, told: mesh.saved)
    }

    /// The same while facts are not stored yet: `told` holds those that are.
    init(rendering mesh: Mesh, names: Names, told: Saved) {
        plan = mesh.plan
        stations = RowIndex(mesh.plan.stations.map(\.id))
        self.names = names
        paths = SiteTopics(site: names.site)
        self.told = told
        for publication in InfoTopics(plan: mesh.plan, names: names, paths: paths).all {
            topics[publication.topic] = publication.payload
        }
        let live = mesh.live
        for state in live.presences { show(.presence(state)) }
        for state in live.rooms { show(.room(state)) }
        for state in live.stations { show(.station(state)) }
        for state in live.beacons { show(.beacon(state)) }
        show(.site(live.site))
        if let shadow = live.shadow { show(.shadow(shadow)) }
        let people = PersonRows.all(told)
        for user in mesh.plan.users {
            let rows = people[user.id] ?? PersonRows()
            for rendering in PersonRendering.all {
                guard let payload = rendering.payload(rows, names) else { continue }
                topics[paths[rendering.kind, names.users.slug(user.id)]] = payload.json
            }
        }
        for node in mesh.plan.nodes {
            guard let payload = cursor(of: node.id) else { continue }
            topics[paths[.cursor, names.nodes.slug(node.id)]] = payload.json
        }
    }

    /// Takes in a stored fact. Returns what is to be published: changed topics, events, answers.
    package mutating func tell(_ fact: Fact) -> [Publication] {
        let (epoch, reasons) = (told.site.epoch, told.reasons)
        told.apply(fact)
        switch fact {
        case .site(let row):
            let gone = reasons.count == told.reasons.count ? [] : forgetReasons(of: reasons)
            guard row.epoch != epoch else { return gone }
            return gone + plan.nodes.flatMap { changedCursor(of: $0.id) }
        case .cursor(let row): return answeredCursor(row) + changedCursor(of: row.node)
        case .event(let event): return [publication(of: event)]
        case .answer(let answer): return published(answer)
        case .session, .workout, .claim, .reasons, .wait: break
        // With a set comes its workout.
        case .set: return []
        case .evidence, .nodeEvent, .ledger, .presence, .stay, .downtime, .offset,
            .statement,
            .dispute, .overrides, .notification:
            return []
        }
        // Who has several topics by one fact has them in the order of the list.
        return PersonRendering.all.flatMap { rendering -> [Publication] in
            rendering.users(fact, told).filter(isKnown).flatMap { user -> [Publication] in
                let rows = PersonRows(of: user, in: told)
                guard rendering.isWhole(rows) else { return [] }
                let slug = names.users.slug(user)
                guard let payload = rendering.payload(rows, names) else {
                    return remove(paths[rendering.kind, slug])
                }
                return change(paths.message(rendering.kind, slug, bytes: payload.json))
            }
        }
    }

    private mutating func remove(_ topic: String) -> [Publication] {
        topics.removeValue(forKey: topic) == nil ? [] : [.retained(topic, [])]
    }

    /// What a page shows between two tellings of where somebody is. The broker does not hear it.
    package func shown(_ state: PresenceState) -> Publication? {
        rendered(.glance(state))
    }

    /// Takes in something told at once.
    package mutating func tell(_ live: Live) -> [Publication] {
        if case .answer(let answer) = live { return published(answer) }
        if case .glance = live { return [] }
        if case .cursorAgain(let node, let log) = live { return repeatedCursor(of: node, log: log) }
        return rendered(live).map { change($0) } ?? []
    }

    /// Takes in what people walked today; of who is unknown or retired there is no topic. The first time it is of
    /// everybody: what the broker holds of anybody else from before is cleared.
    mutating func tell(days new: [String: DayPayload]) -> [Publication] {
        let told = new.sorted { $0.key < $1.key }.flatMap { user, day -> [Publication] in
            guard let id = names.users.id(user), isKnown(id) else { return [] }
            days[user] = day
            return change(paths.message(.day, user, saying: day))
        }
        let gone = awaited.sorted().filter { topics[$0] == nil }
        (areDaysTold, awaited) = (true, [])
        return told + gone.map { .retained($0, []) }
    }

    /// Takes in what is near people; `nil`: they are nowhere. Of who is unknown or retired there is no topic.
    mutating func tell(near new: [String: NearPayload?]) -> [Publication] {
        new.sorted { $0.key < $1.key }.flatMap { user, payload -> [Publication] in
            guard let id = names.users.id(user), isKnown(id) else { return [] }
            near[user] = payload
            guard let payload else { return remove(paths[.near, user]) }
            return change(paths.message(.near, user, saying: payload))
        }
    }

    /// What was told of days, and of what is near, goes on on another board.
    mutating func keepDays(of old: RetainedTopics) {
        _ = tell(near: old.near.mapValues { .some($0) })
        if old.areDaysTold { _ = tell(days: old.days) } else { awaited = old.awaited }
    }

    /// Whether a topic that the broker holds is of a day and nobody has been told of days yet: then it stands until
    /// somebody is.
    mutating func awaits(_ topic: String) -> Bool {
        guard !areDaysTold, topic.hasSuffix("/day"),
            plan.users.contains(where: { paths[.day, names.users.slug($0.id)] == topic })
        else { return false }
        awaited.insert(topic)
        return true
    }

    /// Everything, sorted by topic: what to publish after connecting.
    package var all: [Publication] {
        // There may be tens of thousands of topics, and few kinds that need no acknowledgement.
        let ends = Self.plain.map {
            (
                start: paths.filter($0).prefix { $0 != "+" },
                end: "/" + ($0.topic.address.split(separator: "/").last ?? "")
            )
        }
        return topics.sorted { $0.key < $1.key }.map { topic, payload in
            let isPlain = ends.contains { topic.hasPrefix($0.start) && topic.hasSuffix($0.end) }
            return Publication(
                topic: topic, payload: payload, quality: isPlain ? 0 : 1, isRetained: true)
        }
    }

    /// The kinds that the coordinator retains without an acknowledgement.
    private static let plain = PayloadKind.allCases.filter {
        $0.topic.writer == .coordinator && $0.topic.isRetained && $0.topic.quality == 0
    }

    /// Whether a topic is that of a node's cursor.
    func isCursor(_ topic: String) -> Bool {
        topic.hasSuffix("/cursor")
            && PayloadKind.cursor.topic.names(in: topic)?.first == paths.site
    }

    private mutating func changedCursor(of node: NodeID) -> [Publication] {
        guard plan.nodes.contains(where: { $0.id == node }), let payload = cursor(of: node)
        else { return [] }
        return change(paths.message(.cursor, names.nodes.slug(node), saying: payload))
    }

    /// Cursors for an outbox that sent something and is not its node's present one any more. They
    /// are not retained: the retained cursor stays that of the present outbox.
    private func answeredCursor(_ row: CursorRow) -> [Publication] {
        guard told.cursors.current(of: row.node)?.log != row.log else { return [] }
        return repeatedCursor(of: row.node, log: row.log)
    }

    /// What is stored of a node's outbox, though it was told before.
    private func repeatedCursor(of node: NodeID, log: UInt64) -> [Publication] {
        guard plan.nodes.contains(where: { $0.id == node }),
            let row = told.cursors.cursor(of: node, log: log)
        else { return [] }
        return [
            Publication(
                topic: paths[.cursor, names.nodes.slug(node)], payload: payload(of: row).json,
                quality: 1, isRetained: told.cursors.current(of: node)?.log == log)
        ]
    }

    func cursor(of node: NodeID) -> CursorPayload? {
        told.cursors.current(of: node).map { payload(of: $0) }
    }

    private func payload(of row: CursorRow) -> CursorPayload {
        CursorPayload(epoch: told.site.epoch, log: row.log, seq: row.sequence)
    }

    /// Clears the topics of reasons that have become too old: of those in `old`.
    private mutating func forgetReasons(of old: [Reasons]) -> [Publication] {
        old.compactMap { reasons in
            guard !told.reasons.contains(where: { $0.user == reasons.user }) else { return nil }
            let topic = paths[.why, names.users.slug(reasons.user)]
            guard topics.removeValue(forKey: topic) != nil else { return nil }
            return Publication.retained(topic, [])
        }
    }

    /// Retired users have no topics any more; their last facts are published as events only.
    private func isKnown(_ user: UserID) -> Bool { plan.users.contains { $0.id == user } }

    private mutating func show(_ live: Live) {
        guard let publication = rendered(live) else { return }
        topics[publication.topic] = publication.payload
    }

    mutating func change(_ publication: Publication) -> [Publication] {
        guard topics[publication.topic] != publication.payload else { return [] }
        topics[publication.topic] = publication.payload
        return [publication]
    }
}

extension RetainedTopics {
    func rendered(_ live: Live) -> Publication? {
        switch live {
        case .presence(let state), .glance(let state):
            let moment = max(state.since, state.heard ?? state.since)
            let payload = PresencePayload(
                tMs: moment.milliseconds,
                state: state.state,
                room: state.room.map(names.rooms.slug),
                station: state.station.map(names.stations.slug), confidence: state.confidence,
                sinceMs: state.since.milliseconds, seenMs: state.heard?.milliseconds,
                place: state.place.map { PlaceSlugs($0, names: names) },
                probability: state.probability, confirmed: state.isConfirmed)
            return paths.message(.presence, names.users.slug(state.user), saying: payload)
        case .room(let state):
            let payload = RoomStatePayload(tMs: state.since.milliseconds, count: state.count)
            return paths.message(.roomState, names.rooms.slug(state.room), saying: payload)
        case .station(let state):
            return paths.message(
                .stationState, names.stations.slug(state.station), saying: payload(of: state))
        case .beacon(let state):
            let payload = BeaconStatePayload(
                tMs: state.at.milliseconds,
                nodes: state.hearings.map {
                    BeaconStatePayload.Hearing(
                        node: names.nodes.slug($0.node), rssi: $0.level.dBm,
                        ageMs: $0.age.milliseconds)
                }, changes1h: state.lastHour?.changes, flaps1h: state.lastHour?.flaps)
            return paths.message(.beaconState, names.beacons.slug(state.beacon), saying: payload)
        case .site(let state):
            let payload = SiteStatePayload(
                tMs: state.since.milliseconds, present: state.present,
                nodesOnline: state.nodesListening, nodesTotal: plan.nodes.count,
                workouts: state.workouts,
                listeningSinceMs: state.listeningSince?.milliseconds)
            return paths.message(.siteState, saying: payload)
        case .shadow(let state): return paths.message(.shadow, saying: ShadowPayload(state))
        case .node, .answer, .cursorAgain: return nil
        }
    }

    private func payload(of state: StationState) -> StationStatePayload {
        StationStatePayload(
            tMs: state.at.milliseconds, state: state.state,
            slots: stations[state.station].map { plan.stations[$0].slots } ?? 1,
            by: state.users.map(names.users.slug), here: state.here.map(names.users.slug),
            sinceMs: state.since.milliseconds, queue: state.queue,
            offered: state.offers.map {
                .init(user: names.users.slug($0.user), untilMs: $0.until.milliseconds)
            }, freeEstMs: state.freeAt?.milliseconds)
    }

    private func publication(of event: Event) -> Publication {
        let area = String(event.kind.rawValue.prefix { $0 != "." })
        let id = "\(names.site)-\(event.id)"
        var room: RoomID?
        var station: StationID?
        switch event.place {
        case .room(let id): room = id
        case .station(let id): station = id
        case nil: break
        }
        let payload = EventPayload(
            id: id, type: event.kind, tMs: event.at.milliseconds,
            user: names.users.slug(event.user), room: room.map(names.rooms.slug),
            station: station.map(names.stations.slug), subject: event.subject)
        return paths.message(.event, area, id, saying: payload)
    }

    /// An answer on its way to an MQTT client.
    func published(_ answer: Answer) -> [Publication] {
        let client = answer.request.client
        guard client.isSlug else { return [] }
        return [
            paths.message(.response, client, answer.request.name, saying: response(to: answer))
        ]
    }

    /// An answer in the words of the wire.
    package func response(to answer: Answer) -> ResponsePayload {
        let outcome: ResponsePayload.Outcome
        switch answer.outcome {
        case .workout(let log): outcome = .workout(WorkoutPayload(log, names: names))
        case .set(let set, let records):
            outcome = .set(
                SetPayload(
                    set, station: set.station.map(names.stations.slug), records: records))
        case .station(let state): outcome = .station(payload(of: state))
        case .session(let session):
            outcome = .session(SessionPayload(session, user: names.users.slug(session.user)))
        case .refused(let refusal, let detail):
            let calendar = (told.overrides?.duties ?? Duties()).calendar
            outcome = .error(
                code: refusal.rawValue,
                message: refusal.message(
                    of: answer.request.verb, detail, names: names, calendar: calendar))
        }
        return ResponsePayload(id: answer.request.id, outcome: outcome)
    }
}
