import Testing

@testable import Positioning
@testable import SiteModel

/// The decided place, its probability and whether it is confirmed are told apart from what the
/// machines believe.
struct MeshPlacesTests {
    var run = SiteRun()
    let bench = Place(room: MeshSite.hall, station: MeshSite.bench)
    let rack = Place(room: MeshSite.hall, station: MeshSite.rack)

    private var ann: PresenceState { run.mesh.live.presences[0] }

    private var told: [PresenceState] {
        run.decisions.lives.compactMap { live in
            if case .presence(let state) = live, state.user == MeshSite.users[0] {
                state
            } else {
                nil
            }
        }
    }

    @Test mutating func `a place is told before a machine believes it, and again when it is sure`()
    {
        run.stand(at: 2, from: 1, to: 4)
        #expect(ann.place == bench && ann.station == nil)
        run.stand(at: 2, from: 5, to: 20)
        #expect(ann.place == bench && ann.station == MeshSite.bench)
        #expect(ann.isConfirmed && ann.probability >= Fix.confirmed)
        let first = told.first { $0.place != nil }
        #expect(first?.station == nil && first?.place == bench)
    }

    @Test mutating func `doubt keeps the place and lowers its probability`() {
        run.stand(at: 2, from: 1, to: 60)
        for second in 61...180 {
            run.second(
                Double(second), [2: [(beacon: 1, level: -50)], 3: [(beacon: 1, level: -50)]])
        }
        #expect(ann.place == bench, "nothing better was heard")
        #expect(!ann.isConfirmed && ann.probability < Fix.confirmed)
        #expect(ann.state == .present, "unknown is for what nobody can hear")
    }

    @Test mutating func `without coverage there is no place`() {
        run.stand(at: 2, from: 1, to: 30)
        run.tell(.tick, 100)
        #expect(ann.place == nil && ann.probability == 0 && !ann.isConfirmed)
        #expect(ann.state == .unknown)
    }

    @Test mutating func `a doubt that comes and goes is told no more than twice a minute`() {
        run.stand(at: 2, from: 1, to: 60)
        let before = told.count
        for second in 61...660 {
            let rival = second % 8 < 4 ? -51.0 : -80
            run.second(
                Double(second), [2: [(beacon: 1, level: -50)], 3: [(beacon: 1, level: rival)]])
        }
        let changes = run.mesh.changes.total.changes
        #expect(told.count - before <= 10 * 2 + 2 * changes + 2)
    }

    @Test mutating func `a beacon says how often the place of its carrier changed`() throws {
        for (index, node) in [2, 3, 2].enumerated() {
            run.stand(at: Int64(node), from: index * 25 + 1, to: index * 25 + 25)
        }
        run.stand(at: 2, from: 76, to: 90)
        #expect(run.mesh.changes.total == ChangeCounts(changes: 2, flaps: 1))
        let state = run.mesh.live.beacons[0]
        #expect(state.lastHour == ChangeCounts(changes: 2, flaps: 1))
        #expect(!state.hearings.isEmpty)
        run.tell(.plan(MeshSite.plan(revision: 2)), 90)
        #expect(run.mesh.changes.total.changes == 2, "a new plan counts on")
    }
}
