import TestSupport
import Testing

@testable import Positioning
@testable import SiteEngine
@testable import SiteModel

/// What is published of where somebody is, of every input that matters.
struct LivePlaceTests {
    private let hall = MeshSite.hall
    private let yard = MeshSite.yard
    private let bench = MeshSite.bench
    private let rack = MeshSite.rack

    /// What is published while the locator decides for a place; `odds` are by room and by station.
    private func place(
        _ site: PresenceState.State = .present, held: (RoomID?, StationID?),
        decided: (RoomID, StationID?)?, rooms: [RoomID: Double] = [:],
        stations: [StationID: Double] = [:], isCovered: Bool = true, isWaitedFor: Bool = false
    ) -> LivePlace {
        let fix = decided.map {
            Fix(
                place: Place(room: $0.0, station: $0.1), roomProbability: rooms[$0.0] ?? 0,
                probability: 0.9, level: RSSI(dBm: -50), heard: moment(0))
        }
        return LivePlace(
            site: site,
            held: .init(
                room: held.0, station: held.1, isCovered: isCovered, isWaitedFor: isWaitedFor),
            fix: fix, rooms: [hall, yard]
        ) { room, station in station.map { stations[$0] ?? 0 } ?? rooms[room] ?? 0 }
    }

    @Test func `between the packets of a slow tag the place that was told stands`() {
        let fading = place(
            held: (hall, bench), decided: (hall, bench), rooms: [hall: 0.45, yard: 0.5],
            stations: [bench: 0.3], isWaitedFor: true)
        #expect(fading.state == .present && fading.room == hall && fading.station == bench)
        #expect(fading.confidence == 0.5)
        let elsewhere = place(
            held: (hall, bench), decided: (yard, nil), rooms: [hall: 0.2, yard: 0.7],
            isWaitedFor: true)
        #expect(elsewhere.state == .moving && elsewhere.room == yard)
    }

    @Test func `who stays where the locator has them is present, with that probability`() {
        let at = place(
            held: (hall, bench), decided: (hall, bench), rooms: [hall: 0.97],
            stations: [bench: 0.8])
        #expect(at.state == .present && at.room == hall && at.station == bench)
        #expect(at.confidence == 0.8)
        let unsure = place(
            held: (hall, bench), decided: (hall, bench), rooms: [hall: 0.97],
            stations: [bench: 0.4])
        #expect(unsure.state == .present && unsure.room == hall && unsure.station == nil)
        #expect(unsure.confidence == 0.97)
    }

    @Test func `whom the locator has elsewhere is moving there, without a station`() {
        for held in [(hall, bench), (hall, nil), (nil, nil), (yard, bench), (hall, rack)] {
            let at = place(
                held: held, decided: (yard, nil), rooms: [hall: 0.02, yard: 0.9],
                stations: [bench: 0.02])
            #expect(at.state == .moving && at.room == yard && at.station == nil, "\(held)")
            #expect(at.confidence == 0.9)
        }
        let left = place(held: (hall, bench), decided: (hall, nil), rooms: [hall: 0.95])
        #expect(left.state == .moving && left.room == hall && left.station == nil)
    }

    @Test func `a place that is no longer the likeliest is not named`() {
        let at = place(
            held: (hall, nil), decided: (hall, nil), rooms: [hall: 0.3, yard: 0.6])
        #expect(at.state == .moving && at.room == yard && at.confidence == 0.6)
    }

    @Test func `whom nobody receives is leaving, without a probability`() {
        let at = place(held: (hall, bench), decided: nil, rooms: [hall: 0.4])
        #expect(at.state == .leaving && at.room == hall && at.station == nil)
        #expect(at.confidence == 0)
        let deaf = place(held: (hall, bench), decided: nil, isCovered: false)
        #expect(deaf.state == .unknown && deaf.room == nil)
        let lost = place(
            .leaving, held: (hall, bench), decided: (hall, bench), rooms: [hall: 0.9])
        #expect(lost.state == .leaving && lost.station == nil && lost.confidence == 0)
    }

    @Test func `who is not here, or unknown, has no room`() {
        for state in [PresenceState.State.notPresent, .unknown] {
            let at = place(
                state, held: (hall, bench), decided: (hall, bench), rooms: [hall: 0.9])
            #expect(at.state == state && at.room == nil && at.station == nil)
            #expect(at.confidence == 0)
        }
    }

    /// Every presence published, also as a glance, and with it every room's count and every station.
    @Test(arguments: TestLength.seeds(of: 400))
    func `a presence never contradicts itself`(seed: UInt64) {
        let plan = MeshSite.plan(MeshHistory.impatient)
        let roomOf = Dictionary(uniqueKeysWithValues: plan.stations.map { ($0.id, $0.room) })
        var run = SiteRun(plan: plan)
        var seen: Set<String> = []
        var told = Told()
        for step in MeshHistory(seed: seed).steps {
            for case .live(let live) in run.tell(step.input, step.at) {
                told.take(live)
                guard case .presence(let state) = live.asPresence else { continue }
                seen.insert(state.state.rawValue)
                let index = plan.users.firstIndex { $0.id == state.user } ?? 0
                let isDoubted = run.mesh.doubts.isDoubted(index, at: moment(step.at))
                let faults = state.contradictions(isDoubted: isDoubted) { roomOf[$0] }
                #expect(faults == [], "seed \(seed) at \(step.at): \(state)")
            }
            let live = run.mesh.live
            for room in live.rooms {
                let named = live.presences.filter { $0.room == room.room }.count
                #expect(room.count == nil || room.count == named, "seed \(seed) at \(step.at)")
            }
            for station in live.stations {
                let there = live.presences.filter { $0.station == station.station }.map(\.user)
                let faults = station.contradictions(there: there)
                #expect(faults == [], "seed \(seed) at \(step.at): \(station)")
            }
            #expect(told.contradictions == [], "seed \(seed) at \(step.at)")
        }
        #expect(seen.isSuperset(of: ["present", "moving"]), "seed \(seed): \(seen.sorted())")
    }

    /// Whatever somebody says of themselves: away has no room.
    @Test func `after a check-in or a check-out nobody is away in a room`() {
        var run = SiteRun()
        run.stand(at: 2, from: 1, to: 30)
        #expect(run.mesh.live.presences[0].state == .present)
        run.ask(.attendance(MeshSite.users[0], .checkOut(at: nil, reason: nil)), id: "1", 30.5)
        for second in 31...120 {
            run.second(Double(second))
            let state = run.mesh.live.presences[0]
            #expect(state.contradictions(isDoubted: false) { _ in MeshSite.hall } == [])
        }
        #expect(run.mesh.live.presences[0].state == .notPresent)
        run.ask(.attendance(MeshSite.users[1], .checkIn(at: nil, reason: nil)), id: "2", 120.5)
        for second in 121...130 {
            run.second(Double(second))
            let state = run.mesh.live.presences[1]
            #expect(state.contradictions(isDoubted: false) { _ in MeshSite.hall } == [])
        }
    }
}

/// What was published last, as whoever reads the topics has it after each input.
private struct Told {
    var places: [UserID: StationID] = [:]
    var here: [StationID: Set<UserID>] = [:]

    mutating func take(_ live: Live) {
        if case .presence(let state) = live.asPresence { places[state.user] = state.station }
        if case .station(let state) = live { here[state.station] = Set(state.here) }
    }

    /// The stations that name others than those whose presence names them.
    var contradictions: [StationID] {
        let stations = Set(here.keys).union(places.values)
        return stations.sorted().filter { station in
            here[station, default: []] != Set(places.filter { $0.value == station }.keys)
        }
    }
}

extension StationState {
    /// What this says against whom presence has there.
    func contradictions(there: [UserID]) -> [String] {
        var faults: [String] = []
        if here != there.sorted() { faults.append("others are there") }
        switch state {
        case .free, .unknown: if !here.isEmpty || !users.isEmpty { faults.append("and used") }
        case .claimed: if !here.isEmpty || users.isEmpty { faults.append("claimed by nobody") }
        case .outOfOrder: break
        case .occupied, .conflict: if here.isEmpty { faults.append("occupied by nobody") }
        }
        return faults
    }
}

extension Live {
    /// A glance is a presence, too.
    var asPresence: Live {
        if case .glance(let state) = self { .presence(state) } else { self }
    }
}

extension PresenceState {
    /// What this says against itself.
    func contradictions(
        isDoubted: Bool, roomOf: (StationID) -> RoomID?
    ) -> [String] {
        var faults: [String] = []
        if let station {
            if state != .present { faults.append("a station beside \(state)") }
            if room == nil || roomOf(station) != room { faults.append("a station elsewhere") }
        }
        switch state {
        case .unknown, .notPresent:
            if room != nil || confidence != 0 { faults.append("nowhere, in a room") }
        case .leaving:
            if confidence != 0 { faults.append("a probability of a place left") }
        case .entering:
            if room == nil, confidence != 0 { faults.append("a probability of no place") }
            if room != nil, room != place?.room { faults.append("arriving elsewhere") }
        case .present:
            if room == nil || room != place?.room { faults.append("present elsewhere") }
            if station != nil, station != place?.station { faults.append("at another station") }
            if confidence < (isDoubted ? 0.25 : 0.5) { faults.append("present and unlikely") }
        case .moving:
            if room == nil || station != nil { faults.append("moving to nowhere") }
        }
        return faults
    }
}
