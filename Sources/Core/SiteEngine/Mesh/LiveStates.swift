import AnomalyDetection
import Positioning
import SiteModel
import TrainingEngine

/// The live states, as last published; they are never stored. A state is published again when it
/// changes, and now and then while it does not, so that a page can show its age.
package struct LiveStates: Equatable, Sendable {
    /// Where somebody is, is told again after this long even if they did not move: what leaves the
    /// building must stay small.
    package static let refresh = Timestamp.Span.seconds(60)
    /// A page on the spot is told this often.
    package static let glance = Timestamp.Span.seconds(5)
    /// A beacon's hearings are told again after this long.
    static let beaconRefresh = Timestamp.Span.seconds(10)
    /// How two locators compare is told this often.
    static let shadowRefresh = Timestamp.Span.seconds(60)

    /// By index of the plan's users.
    package private(set) var presences: [PresenceState]
    /// By index of the plan's rooms.
    package private(set) var rooms: [RoomState]
    /// By index of the plan's stations.
    package private(set) var stations: [StationState]
    /// By index of the plan's nodes.
    package private(set) var nodes: [NodeState]
    /// By index of the plan's beacons.
    package private(set) var beacons: [BeaconState]
    /// The whole site.
    package private(set) var site: SiteState
    /// How two locators compare, or `nil` while none runs beside the deciding one.
    package private(set) var shadow: ShadowState?
    private var told: [Timestamp]
    private var glanced: [Timestamp]
    /// So long a locator that starts anew is not believed that somebody is nowhere.
    static let warming = Timestamp.Span.seconds(5)
    /// Until when locating is that young; `nil`: it is not.
    private var coldUntil: Timestamp?
    /// Since when stations were what they were as it was stored, of those that are not so again yet; and until when
    /// that counts.
    private var stored: [StationSince]
    private var storedUntil: Timestamp?
    /// Whether a station is something else than was stored.
    private var isStationNews = false

    /// As stored: stations by who holds and waits for them, all else unknown, as of the stored clock.
    init(plan: Plan, saved: Saved, training: Training, coverage: Coverage) {
        let since = saved.site.clock
        presences = plan.users.map {
            PresenceState(
                user: $0.id, state: .unknown, room: nil, station: nil, confidence: 0, since: since,
                heard: nil)
        }
        rooms = plan.rooms.map { RoomState(room: $0.id, count: nil, since: since) }
        stations = plan.stations.map { StationState(station: $0.id, since: since) }
        nodes = plan.nodes.map { NodeState(node: $0.id, isListening: false, since: since) }
        beacons = plan.beacons.map { BeaconState(beacon: $0.id, at: since, hearings: []) }
        site = SiteState(
            present: 0, nodesListening: 0, workouts: 0, since: since,
            listeningSince: saved.site.listeningSince)
        told = plan.users.map { _ in since }
        glanced = told
        stored = saved.site.stations
        for index in stations.indices {
            stations[index] =
                station(
                    index, plan: plan, here: [], training: training, paces: saved.paces,
                    coverage: coverage, at: since
                ).0
        }
        forgetStored()
    }

    /// Goes on with what was told under another plan, of all that is still there. `isCold`: locating starts anew.
    mutating func keep(_ old: LiveStates, plan: Plan, isCold: Bool, at now: Timestamp) {
        if isCold {
            coldUntil = now + Self.warming
        } else {
            (coldUntil, shadow) = (old.coldUntil, old.shadow)
        }
        let people = RowIndex(old.presences.map(\.user))
        for index in presences.indices {
            guard let place = people[presences[index].user],
                plan.has(old.presences[place].room, old.presences[place].station)
            else { continue }
            presences[index] = old.presences[place]
            (told[index], glanced[index]) = (old.told[place], old.glanced[place])
        }
        rooms.keep(old.rooms, by: \.room)
        stations.keep(old.stations, by: \.station)
        nodes.keep(old.nodes, by: \.node)
        beacons.keep(old.beacons, by: \.beacon)
        (site, stored, storedUntil) = (old.site, old.stored, old.storedUntil)
        isStationNews = true
    }

    /// Whether locating is too young to be believed that somebody is nowhere.
    private func isCold(at now: Timestamp) -> Bool { coldUntil.map { now < $0 } ?? false }

    /// Counts anew who is where, of those who are left: places agree with people at once.
    mutating func recount(
        plan: Plan, attendance: Attendance, training: Training, paces: [StationPace],
        coverage: Coverage, at now: Timestamp
    ) {
        var unused: [Decision] = []
        updatePlaces(
            plan: plan, training: training, paces: paces, coverage: coverage, at: now, into: &unused
        )
        let counts = SiteState(
            present: attendance.present, nodesListening: site.nodesListening,
            workouts: training.open, since: site.since, listeningSince: site.listeningSince)
        guard counts != site else { return }
        site = counts
        site.since = now
    }

    /// Compares with what the machines say now, and tells what differs.
    mutating func update(
        plan: Plan, presence: Presence, attendance: Attendance, training: Training,
        paces: [StationPace], coverage: Coverage, earshot: CoverageMap, locating: Locating,
        doubts: Doubts, fixes: [Fix?], at now: Timestamp, into decisions: inout [Decision]
    ) {
        for index in plan.nodes.indices {
            let isListening = coverage.isListening(index, at: now)
            if nodes[index].isListening != isListening {
                nodes[index] = NodeState(
                    node: plan.nodes[index].id, isListening: isListening, since: now)
                decisions.append(.live(.node(nodes[index])))
            }
        }
        if storedUntil == nil, nodes.contains(where: \.isListening) {
            storedUntil = now + Mesh.settling
        }
        if let storedUntil, now > storedUntil { stored = [] }
        for index in plan.users.indices {
            updatePresence(
                index, plan: plan, presence: presence, attendance: attendance, coverage: coverage,
                earshot: earshot, locating: locating, isDoubted: doubts.isDoubted(index, at: now),
                fix: fixes[index], at: now, into: &decisions)
        }
        updatePlaces(
            plan: plan, training: training, paces: paces, coverage: coverage, at: now,
            into: &decisions)
        let counts = SiteState(
            present: attendance.present, nodesListening: coverage.listeners(at: now),
            workouts: training.open, since: site.since, listeningSince: coverage.began)
        if counts != site {
            site = counts
            site.since = now
            decisions.append(.live(.site(site)))
        }
    }

    private mutating func updatePresence(
        _ index: Int, plan: Plan, presence: Presence, attendance: Attendance, coverage: Coverage,
        earshot: CoverageMap, locating: Locating, isDoubted: Bool, fix: Fix?, at now: Timestamp,
        into decisions: inout [Decision]
    ) {
        let old = presences[index]
        var new = old
        let room = presence.room(of: index)
        let isCovered = room.map { earshot.covers($0, for: index) } ?? true
        let silence = attendance.silence(of: index, coverage: coverage.rooms, at: now)
        let (station, patience) = (presence.station(of: index), presence.patience(of: index))
        let age = fix.map { now - $0.heard } ?? .seconds(0)
        let isWaitedFor =
            age > Fix.life && age < patience
            && (old.state, old.room, old.station) == (.present, room, station)
        var timing = attendance.policy
        timing.lost = max(timing.lost, patience)
        let place = LivePlace(
            site: state(
                isIn: attendance.latest(of: index).map { $0.to == nil } ?? false, silence: silence,
                isCovered: earshot.coversAnything(for: index), isRoomCovered: isCovered,
                policy: timing),
            held: LivePlace.Held(
                room: room, station: station, isCovered: isCovered, isWaitedFor: isWaitedFor),
            fix: fix, rooms: plan.rooms.map(\.id)
        ) { locating.probability(user: index, room: $0, station: $1) }
        (new.state, new.room, new.station) = (place.state, place.room, place.station)
        let confidence = isDoubted ? place.confidence / 2 : place.confidence
        new.confidence = (confidence * 100).rounded() / 100
        new.heard = attendance.lastHeard(of: index)
        new.take(fix, at: now)
        // What was told stands until a locator that starts anew is sure.
        guard !isCold(at: now) || new.isConfirmed || old.state == .unknown else { return }
        let isMove = (new.state, new.room, new.station) != (old.state, old.room, old.station)
        if isMove {
            let stay = presence.since(of: index, isAtStation: new.station != nil)
            new.since = new.state == .present ? stay ?? now : now
        }
        // A place is told as soon as it is decided, and once more when it is sure: a doubt that
        // comes and goes waits for the refresh.
        let isNews = new.place != old.place || (new.isConfirmed && !old.isConfirmed)
        if isMove || isNews || (now - told[index] >= Self.refresh && new != old) {
            presences[index] = new
            told[index] = now
            glanced[index] = now
            decisions.append(.live(.presence(new)))
        } else if now - glanced[index] >= Self.glance, new != old {
            glanced[index] = now
            decisions.append(.live(.glance(new)))
        }
    }

    private func state(
        isIn: Bool, silence: Timestamp.Span?, isCovered: Bool, isRoomCovered: Bool,
        policy: Policy.Timing
    ) -> PresenceState.State {
        guard isCovered else { return .unknown }
        guard let silence else { return .notPresent }
        if isIn {
            if !isRoomCovered, silence >= policy.lost { return .unknown }
            return silence >= policy.lost ? .leaving : .present
        }
        return silence < policy.enter ? .entering : .notPresent
    }

    /// Tells who hears each beacon. `counts` has the number of place changes of the user of the
    /// beacon at an index, `nil` without a user.
    mutating func updateBeacons(
        plan: Plan, locating: Locating, at now: Timestamp, into decisions: inout [Decision],
        counts: (Int) -> ChangeCounts?
    ) {
        for index in plan.beacons.indices {
            let old = beacons[index]
            let hearings = BeaconState.ordered(
                locating.hearings(beacon: index, at: now), after: old.hearings)
            if hearings.isEmpty, isCold(at: now) { continue }
            let isMove = hearings.first?.node != old.hearings.first?.node
            let isDue =
                now - old.at >= Self.beaconRefresh && !(hearings.isEmpty && old.hearings.isEmpty)
            guard isMove || isDue else { continue }
            beacons[index] = BeaconState(
                beacon: old.beacon, at: now, hearings: hearings, lastHour: counts(index))
            decisions.append(.live(.beacon(beacons[index])))
        }
    }

    /// Tells how two locators compare, once a minute.
    package mutating func update(shadow new: ShadowState?, into decisions: inout [Decision]) {
        guard let new, new.at - (shadow?.at ?? new.since) >= Self.shadowRefresh else { return }
        shadow = new
        decisions.append(.live(.shadow(new)))
    }

    /// What is told of rooms and stations follows the presences as they are published, in the same
    /// second, so that counts, tiles and people agree.
    private mutating func updatePlaces(
        plan: Plan, training: Training, paces: [StationPace], coverage: Coverage,
        at now: Timestamp, into decisions: inout [Decision]
    ) {
        var (counts, here) = ([RoomID: Int](), [StationID: [UserID]]())
        for state in presences {
            if let room = state.room { counts[room, default: 0] += 1 }
            if let station = state.station { here[station, default: []].append(state.user) }
        }
        for index in plan.rooms.indices {
            let room = plan.rooms[index].id
            let new: Int? = coverage.isListening(in: room, at: now) ? counts[room] ?? 0 : nil
            guard new != rooms[index].count else { continue }
            rooms[index] = RoomState(room: room, count: new, since: now)
            decisions.append(.live(.room(rooms[index])))
        }
        for index in plan.stations.indices {
            let (state, isNews) = self.station(
                index, plan: plan, here: here[plan.stations[index].id] ?? [], training: training,
                paces: paces, coverage: coverage, at: now)
            if isNews, state.mark != stations[index].mark { isStationNews = true }
            stations[index] = state
            if isNews { decisions.append(.live(.station(state))) }
        }
        forgetStored()
    }

    /// What the station at an index of the plan is at a moment, and whether that is to be told.
    func station(
        _ index: Int, plan: Plan, here: [UserID], training: Training, paces: [StationPace],
        coverage: Coverage, at now: Timestamp
    ) -> (StationState, isNews: Bool) {
        let station = plan.stations[index]
        var state = stations[index]
        let isNews = state.take(
            here: here,
            holders: training.book.holders(of: station.id),
            claims: training.book.rows(of: station.id),
            queue: training.book.queue(at: station.id),
            freeAt: training.book.estimate(of: station.id, by: paces), slots: station.slots,
            isOutOfOrder: training.book.isOutOfOrder(station.id),
            isListening: coverage.isListening(in: station.room, at: now),
            before: stored.first { $0.station == station.id }, at: now)
        return (state, isNews)
    }

    /// What is as it was stored has its time again.
    private mutating func forgetStored() {
        guard !stored.isEmpty else { return }
        stored.removeAll { old in
            stations.contains { $0.station == old.station && $0.mark == old.mark }
        }
    }

    /// Since when stations are what they are, to be stored; `nil`: nothing is news.
    var stationNews: [StationSince]? {
        isStationNews ? stations.map { StationSince($0) } : nil
    }

    mutating func storedStations() { isStationNews = false }
}

extension Array {
    /// Takes over what another list has of the same row.
    fileprivate mutating func keep<Of>(_ old: Self, by row: KeyPath<Element, ID<Of>>) {
        let places = RowIndex(old.map { $0[keyPath: row] })
        for index in indices {
            if let place = places[self[index][keyPath: row]] { self[index] = old[place] }
        }
    }
}

extension Plan {
    /// Whether a room is there, and a station in it.
    fileprivate func has(_ room: RoomID?, _ station: StationID?) -> Bool {
        guard let room else { return station == nil }
        return rooms.contains { $0.id == room }
            && (station.map { id in stations.contains { $0.id == id && $0.room == room } } ?? true)
    }
}
