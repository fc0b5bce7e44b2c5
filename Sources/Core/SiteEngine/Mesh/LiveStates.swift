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

    /// Everything unknown, as of the stored clock.
    init(plan: Plan, saved: Saved) {
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
    }

    /// Goes on with what was told by those of a plan that locates alike.
    mutating func keep(_ carried: Carryover, of old: LiveStates) {
        for (index, place) in carried.users.enumerated() {
            guard let place else { continue }
            presences[index] = old.presences[place]
            told[index] = old.told[place]
            glanced[index] = old.glanced[place]
        }
        for (index, place) in carried.beacons.enumerated() {
            if let place { beacons[index] = old.beacons[place] }
        }
        (rooms, stations, nodes) = (old.rooms, old.stations, old.nodes)
        (site, shadow) = (old.site, old.shadow)
    }

    /// Counts anew who is where, of those who are left: places agree with people at once.
    mutating func recount(
        plan: Plan, attendance: Attendance, training: Training, paces: [StationPace],
        coverage: Coverage, at now: Timestamp
    ) {
        var unused: [Decision] = []
        updatePlaces(
            plan: plan, training: training, paces: paces, coverage: coverage, at: now, into: &unused
        )
        site = SiteState(
            present: attendance.present, nodesListening: site.nodesListening,
            workouts: training.open, since: now, listeningSince: site.listeningSince)
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
        let place = LivePlace(
            site: state(
                isIn: attendance.latest(of: index).map { $0.to == nil } ?? false, silence: silence,
                isCovered: earshot.coversAnything(for: index), isRoomCovered: isCovered,
                policy: attendance.policy),
            held: LivePlace.Held(
                room: room, station: presence.station(of: index), isCovered: isCovered),
            fix: fix, rooms: plan.rooms.map(\.id)
        ) { locating.probability(user: index, room: $0, station: $1) }
        (new.state, new.room, new.station) = (place.state, place.room, place.station)
        let confidence = isDoubted ? place.confidence / 2 : place.confidence
        new.confidence = (confidence * 100).rounded() / 100
        new.heard = attendance.lastHeard(of: index)
        new.take(fix, at: now)
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
        for index in plan.rooms.indices {
            let room = plan.rooms[index].id
            let count = presences.reduce(0) { $0 + ($1.room == room ? 1 : 0) }
            let new: Int? = coverage.isListening(in: room, at: now) ? count : nil
            guard new != rooms[index].count else { continue }
            rooms[index] = RoomState(room: room, count: new, since: now)
            decisions.append(.live(.room(rooms[index])))
        }
        for index in plan.stations.indices {
            let (state, isNews) = self.station(
                index, plan: plan, training: training, paces: paces, coverage: coverage, at: now)
            stations[index] = state
            if isNews { decisions.append(.live(.station(state))) }
        }
    }

    /// What the station at an index of the plan is at a moment, and whether that is to be told.
    func station(
        _ index: Int, plan: Plan, training: Training, paces: [StationPace], coverage: Coverage,
        at now: Timestamp
    ) -> (StationState, isNews: Bool) {
        let station = plan.stations[index]
        var state = stations[index]
        let isNews = state.take(
            here: presences.filter { $0.station == station.id }.map(\.user),
            holders: training.book.holders(of: station.id),
            queue: training.book.queue(at: station.id),
            freeAt: training.book.estimate(of: station.id, by: paces), slots: station.slots,
            isOutOfOrder: training.book.isOutOfOrder(station.id),
            isListening: coverage.isListening(in: station.room, at: now), at: now)
        return (state, isNews)
    }

}
