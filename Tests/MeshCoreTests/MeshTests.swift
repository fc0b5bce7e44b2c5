import Testing

@testable import SiteEngine
@testable import SiteModel

/// A whole site, told frames and asked things.
struct MeshTests {
    var run = SiteRun()
    let ann = MeshSite.users[0]
    let ben = MeshSite.users[1]

    private var facts: [Fact] { run.decisions.facts }

    @Test mutating func `a visit to the bench is a session and two stays`() {
        for second in -120...0 { run.second(Double(second)) }
        run.stand(at: 2, from: 1, to: 60)
        for second in 61...200 { run.second(Double(second)) }
        var rows = MeshRows()
        rows.apply(facts)
        #expect(rows.faults == [])
        #expect(rows.sessions(of: ann).map(\.from) == [moment(0)])
        #expect(rows.sessions(of: ann).map(\.to) == [moment(60)])
        let stays = rows.stays.values.sorted { $0.id < $1.id }
        #expect(stays.map(\.place) == [.room(MeshSite.hall), .station(MeshSite.bench)])
        #expect(stays.map(\.from) == [moment(1), moment(1)])
        #expect(stays.map(\.to) == [moment(60), moment(60)])
        let kinds = rows.events.values.sorted { $0.id < $1.id }.map(\.kind)
        #expect(kinds == [.entered, .entered, .checkedIn, .left, .left, .checkedOut])
    }

    @Test mutating func `a walk from the bench to the yard is one step of each`() {
        run.stand(at: 2, from: 1, to: 30)
        run.stand(at: 4, from: 31, to: 90)
        let rooms = facts.stays.filter(\.isRoom)
        #expect(
            rooms.map(\.place) == [
                .room(MeshSite.hall), .room(MeshSite.hall), .room(MeshSite.yard),
            ]
        )
        #expect(rooms[1].to.map { $0 <= rooms[2].from } ?? false)
        #expect(facts.sessions.count == 1, "the site was never left")
    }

    @Test mutating func `a beacon far from every station is at none`() {
        for second in 1...60 { run.second(Double(second), [2: [(beacon: 1, level: -80)]]) }
        #expect(facts.stays.map(\.place) == [.room(MeshSite.hall)])
    }

    @Test mutating func `what is heard below the floor is not at the site`() {
        for second in 1...60 { run.second(Double(second), [2: [(beacon: 1, level: -95.5)]]) }
        #expect(facts.sessions.isEmpty)
        for second in 61...90 { run.second(Double(second), [2: [(beacon: 1, level: -95)]]) }
        #expect(facts.sessions.map(\.from) == [moment(60)])
    }

    @Test mutating func `unknown nodes and beacons, and beacons of nobody, move nobody`() {
        for second in 1...60 {
            let levels: [(beacon: Int64, level: Double)] = [(5, -50), (77, -50)]
            run.second(Double(second), [2: levels])
            let stranger = MeshSite.frame(moment(Double(second)), [(beacon: 1, level: -50)])
            run.tell(.frame(stranger, from: NodeID(99)), Double(second))
            run.tell(.node(NodeID(99), isOnline: false), Double(second))
        }
        #expect(facts.happenings.isEmpty)
    }

    @Test mutating func `both beacons of a user are the user`() {
        run.stand(at: 2, from: 1, to: 20)
        for second in 21...60 { run.second(Double(second), [2: [(beacon: 4, level: -50)]]) }
        #expect(facts.sessions.count == 1 && facts.stays.count == 2)
    }

    @Test func `a tag handed on counts for whoever carries it`() {
        var plan = MeshSite.plan()
        plan.bindings = [
            Binding(
                beacon: BeaconID(1), user: ann, from: Timestamp(milliseconds: 0), to: moment(30)),
            Binding(beacon: BeaconID(1), user: ben, from: moment(30), to: nil),
        ]
        var run = SiteRun(plan: plan)
        run.stand(at: 2, from: 1, to: 160)
        var rows = MeshRows()
        rows.apply(run.decisions.facts)
        #expect(rows.sessions(of: ann).map(\.to) == [moment(30)])
        #expect(rows.sessions(of: ben).map(\.from) == [moment(30)])
        #expect(rows.faults == [])
    }

    @Test(.timeLimit(.minutes(1)), arguments: [8 * 3600.0, 56 * 365.25 * 86_400])
    mutating func `a leap of the clock is caught up with`(leap: Double) {
        run.stand(at: 2, from: 1, to: 60)
        run.tell(.tick, leap)
        for second in 1...200 { run.second(leap + Double(second)) }
        var rows = MeshRows()
        rows.apply(facts)
        #expect(rows.faults == [])
        #expect(rows.sessions(of: ann).map(\.to) == [moment(60)])
        #expect(rows.stays.values.allSatisfy { $0.to == moment(60) })
    }

    @Test mutating func `a clock that goes back a year stands still and traps nowhere`() {
        run.stand(at: 2, from: 1, to: 60)
        run.ask(.training(ann, .start(MeshSite.bench)), id: "1", 61)
        for second in 0..<30 { run.second(Double(second) - 31_536_000) }
        run.ask(.training(ann, .complete()), id: "2", -31_536_000)
        run.second(62)
        var rows = MeshRows()
        rows.apply(facts)
        #expect(rows.faults == [])
        #expect(facts.workouts.last?.to == moment(61))
        #expect(facts.sessions.count == 1)
    }

    @Test func `a restart by a clock a year behind traps nowhere`() {
        var before = SiteRun()
        before.stand(at: 2, from: 1, to: 60)
        before.ask(.training(ann, .start(MeshSite.bench)), id: "1", 61)
        var after = SiteRun(saved: before.mesh.saved)
        for second in 0..<200 {
            after.second(Double(second) - 31_536_000, [4: [(beacon: 1, level: -50)]])
        }
        after.ask(.training(ann, .complete()), id: "2", -31_535_000)
        var rows = MeshRows()
        rows.apply(before.decisions.facts + after.decisions.facts)
        #expect(rows.faults == [])
    }

    @Test mutating func `a plan without the station a user is at ends the stay there, no more`() {
        run.stand(at: 2, from: 1, to: 30)
        var plan = MeshSite.plan(revision: 2)
        plan.stations.removeFirst()
        plan.nodes.remove(at: 1)
        let ended = run.tell(.plan(plan), 31).facts
        #expect(ended.stays.map(\.place) == [.station(MeshSite.bench)])
        #expect(ended.stays.map(\.to) == [moment(30)])
        #expect(run.mesh.plan.revision == 2)
        for second in 32...80 { run.second(Double(second), [1: [(beacon: 1, level: -50)]]) }
        #expect(run.mesh.saved.stays.map(\.place) == [.room(MeshSite.hall)])
        #expect(facts.sessions.count == 1)
    }

    @Test mutating func `a request told again is answered alike and changes nothing`() {
        run.ask(.training(ann, .start(MeshSite.bench)), id: "a", 1)
        let again = run.ask(.training(ann, .start(MeshSite.bench)), id: "a", 1.5)
        #expect(again.facts.isEmpty)
        #expect(again.lives == facts.answers.map { .answer($0) })
    }

    @Test mutating func `an id used for something else is refused`() {
        run.ask(.training(ann, .start(nil)), id: "a", 1)
        let other = run.ask(.training(ann, .complete()), id: "a", 2)
        #expect(other.facts.isEmpty)
        let outcomes = other.lives.compactMap { live -> Answer.Outcome? in
            if case .answer(let answer) = live { answer.outcome } else { nil }
        }
        #expect(outcomes == [.refused(.idempotencyMismatch)])
        #expect(run.mesh.saved.workouts.first?.workout.state == .active)
    }

    @Test mutating func `ids of two clients have nothing to do with each other`() {
        run.ask(.training(ann, .start(nil)), id: "a", 1)
        run.ask(.training(ben, .start(nil)), id: "a", client: "phone", 2)
        #expect(run.mesh.saved.workouts.count == 2)
    }

    @Test mutating func `an answer is remembered over a restart, for a day`() {
        run.ask(.training(ann, .start(nil)), id: "a", 1)
        run = SiteRun(saved: run.mesh.saved)
        let again = run.ask(.training(ann, .start(nil)), id: "a", 86_000)
        #expect(again.facts.answers.isEmpty)
        run.tell(.tick, 86_700)
        let tomorrow = run.ask(.training(ann, .start(nil)), id: "a", 86_800)
        // It is no repeat any more; and the workout of yesterday was abandoned.
        #expect(tomorrow.facts.workouts.map(\.from) == [moment(86_800)])
        #expect(tomorrow.facts.workouts.map(\.state) == [.active])
    }

    @Test mutating func `rows are written every ten seconds while somebody is heard, else sixty`() {
        let writings = { (run: SiteRun) in
            run.decisions.facts.count { if case .site = $0 { true } else { false } }
        }
        for second in 1...600 { run.second(Double(second)) }
        #expect((10...11).contains(writings(run)))
        let idle = writings(run)
        run.stand(at: 2, from: 601, to: 700)
        #expect((10...14).contains(writings(run) - idle))
    }
}
