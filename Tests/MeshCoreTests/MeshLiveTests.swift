import Testing

@testable import Positioning
@testable import SiteEngine
@testable import SiteModel

/// What a site tells at once.
struct MeshLiveTests {
    var run = SiteRun()
    let ann = MeshSite.users[0]
    let ben = MeshSite.users[1]

    private var live: LiveStates { run.mesh.live }

    @Test mutating func `a node is told when it comes and when it goes`() {
        for second in 1...3 { run.second(Double(second), nodes: 1...1) }
        run.tell(.tick, 20)
        let told = run.decisions.lives.compactMap { live -> NodeState? in
            if case .node(let state) = live { state } else { nil }
        }
        #expect(told.map(\.isListening) == [true, false])
        #expect(told.map(\.since) == [moment(2), moment(10)])
    }

    @Test mutating func `a goodbye counts at once`() {
        for second in 1...3 { run.second(Double(second)) }
        run.tell(.node(NodeID(4), isOnline: false), 3)
        run.tell(.tick, 4)
        #expect(live.nodes.map(\.isListening) == [true, true, true, false, true])
        #expect(live.site.nodesListening == 4)
    }

    @Test mutating func `a room nobody listens to has no count`() {
        run.stand(at: 2, from: 1, to: 20)
        #expect(live.rooms.map(\.count) == [1, 0])
        for second in 21...30 { run.second(Double(second), nodes: 1...1) }
        #expect(live.rooms.map(\.count) == [1, nil])
    }

    @Test mutating func `a station is unknown, free, occupied, in conflict`() {
        #expect(live.stations.map(\.state) == [.unknown, .unknown])
        run.second(1)
        run.second(2)
        #expect(live.stations.map(\.state) == [.free, .free])
        run.stand(at: 2, from: 3, to: 30)
        #expect(live.stations.map(\.state) == [.occupied, .free])
        for second in 31...80 {
            run.second(Double(second), [2: [(beacon: 1, level: -50), (beacon: 2, level: -50)]])
        }
        #expect(live.stations.map(\.state) == [.conflict, .free])
        #expect(live.stations[0].users == [ann, ben] && live.stations[0].here == [ann, ben])
    }

    @Test mutating func `a claim keeps a station for its holder, wherever they train`() {
        run.second(1)
        run.ask(.training(ann, .start(MeshSite.bench)), id: "1", 1)
        run.second(2)
        #expect(live.stations.map(\.users) == [[ann], []])
        #expect(live.stations.map(\.state) == [.claimed, .free])
        run.stand(at: 3, from: 3, to: 30)
        #expect(live.stations.map(\.users) == [[ann], [ann]])
        #expect(live.stations.map(\.here) == [[], [ann]])
        #expect(live.stations.map(\.state) == [.claimed, .occupied])
        #expect(live.site.workouts == 1)
    }

    @Test mutating func `who moves on is at no station from the same second on`() {
        run.stand(at: 2, from: 1, to: 30)
        #expect(live.stations[0].here == [ann])
        for second in 31...60 {
            run.second(Double(second), [4: [(beacon: 1, level: -45)]])
            let isThere = live.presences[0].station == MeshSite.bench
            #expect(live.stations[0].here == (isThere ? [ann] : []), "\(second)")
            #expect(live.stations[0].state == (isThere ? .occupied : .free), "\(second)")
        }
        #expect(live.presences[0].room == MeshSite.yard)
    }

    @Test mutating func `somebody's whereabouts run through their states`() {
        run.second(1)
        run.second(2)
        #expect(live.presences[0].state == .notPresent)
        run.stand(at: 2, from: 3, to: 5)
        #expect(live.presences[0].state == .entering)
        run.stand(at: 2, from: 6, to: 30)
        #expect(live.presences[0].state == .present)
        #expect(live.presences[0].station == MeshSite.bench && live.site.present == 1)
        #expect(live.presences[0].since == moment(3))
        for second in 31...65 { run.second(Double(second)) }
        #expect(live.presences[0].state == .leaving)
        for second in 66...130 { run.second(Double(second)) }
        #expect(live.presences[0].state == .notPresent && live.site.present == 0)
        #expect(live.presences[0].heard == moment(30))
    }

    @Test mutating func `without anybody listening everything is unknown`() {
        run.stand(at: 2, from: 1, to: 30)
        run.tell(.tick, 60)
        #expect(live.presences.allSatisfy { $0.state == .unknown })
        #expect(live.rooms.allSatisfy { $0.count == nil })
        #expect(live.site.present == 1, "a dead node checks nobody out")
    }

    @Test
    mutating func `a moving confidence is a glance every five seconds, a telling each minute`() {
        for second in 1...200 {
            let rival = second % 10 < 5 ? -55.0 : -60
            run.second(
                Double(second), [2: [(beacon: 1, level: -50)], 3: [(beacon: 1, level: rival)]])
        }
        var glances: [PresenceState] = []
        var told: [PresenceState] = []
        for live in run.decisions.lives {
            if case .glance(let state) = live { glances.append(state) }
            if case .presence(let state) = live, state.user == ann { told.append(state) }
        }
        #expect((20...40).contains(glances.count))
        #expect((4...9).contains(told.count))
        #expect(told.allSatisfy { (0...0.99).contains($0.confidence) })
    }

    @Test
    mutating func `who hears a beacon is told when the strongest changes, else each ten seconds`() {
        run.stand(at: 2, from: 1, to: 60)
        for second in 61...62 { run.second(Double(second), [4: [(beacon: 1, level: -45)]]) }
        for second in 63...100 { run.second(Double(second)) }
        let told = run.decisions.lives.compactMap { live -> BeaconState? in
            if case .beacon(let state) = live { state } else { nil }
        }
        #expect(told.allSatisfy { $0.beacon == BeaconID(1) })
        #expect((8...12).contains(told.count))
        #expect(told.last?.hearings == [])
        #expect(told.contains { $0.hearings.map(\.node) == [NodeID(4), NodeID(2)] })
    }

    /// The ledger still knows Friday, but the listening since then is forgotten.
    @Test mutating func `nobody enters because the power is back on Monday`() {
        run.stand(at: 2, from: 1, to: 60)
        for second in 61...200 { run.second(Double(second)) }
        let weekend = 60 * 3600.0
        for hour in stride(from: 300, to: weekend, by: 21_600) { run.tell(.tick, hour) }
        let before = run.decisions.count
        for second in 0..<30 { run.second(weekend + Double(second)) }
        let states = run.decisions[before...].compactMap { decision -> PresenceState.State? in
            if case .live(.presence(let state)) = decision { state.state } else { nil }
        }
        #expect(!states.contains(.entering))
        #expect(live.presences[0].state == .notPresent)
    }
}
