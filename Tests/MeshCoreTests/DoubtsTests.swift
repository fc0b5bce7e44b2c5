import Testing

@testable import SiteModel

/// What does not fit is doubted once, and what does is not.
struct DoubtsTests {
    typealias Heard = DoubtsRun.Heard

    /// Half an hour at each node, three people in turn, four packets a second.
    private func taught(_ run: DoubtsRun) -> DoubtsRun {
        var run = run
        for node in 0..<3 {
            for user in 1...3 {
                run.seconds(610, [(user, node, -60, 4)])
                run.seconds(20)
            }
        }
        return run
    }

    private func at(_ beacon: Int, _ levels: [(node: Int, level: Double)]) -> [Heard] {
        levels.map { (beacon, $0.node, $0.level, 4) }
    }

    // MARK: Two places

    @Test func `one beacon near two nodes that nobody is near at once is at two places`() {
        var run = taught(DoubtsRun(plan: DoubtsRun.plan(isMeasured: false)))
        #expect(run.told == [])
        run.seconds(30, at(5, [(0, -65), (1, -68)]))
        #expect(run.kinds == [.twoPlaces])
        #expect(run.told.first?.user == UserID(6))
        #expect(run.told.first?.nodes == [NodeID(1), NodeID(2)])
        // Not again for half an hour.
        run.seconds(1700, at(5, [(0, -65), (1, -68)]))
        #expect(run.kinds == [.twoPlaces])
        run.seconds(200, at(5, [(0, -65), (1, -68)]))
        #expect(run.kinds == [.twoPlaces, .twoPlaces])
    }

    @Test func `before it is known who hears whom nobody is at two places`() {
        var run = DoubtsRun(plan: DoubtsRun.plan(isMeasured: false))
        run.seconds(120, at(5, [(0, -65), (1, -68)]))
        #expect(run.told == [])
    }

    @Test func `where somebody else was heard by both nodes nobody is at two places`() {
        var run = taught(DoubtsRun(plan: DoubtsRun.plan(isMeasured: false)))
        run.seconds(8, at(4, [(0, -72), (1, -70)]))
        run.seconds(60, at(5, [(0, -65), (1, -66)]))
        #expect(run.told == [])
        run.seconds(60, at(6, [(0, -56), (1, -56)]))
        #expect(run.kinds == [.twoPlaces])
    }

    @Test func `who walks from one node to another is at one place at a time`() {
        var run = taught(DoubtsRun(plan: DoubtsRun.plan(isMeasured: false)))
        for _ in 0..<20 {
            run.seconds(30, at(5, [(0, -60)]))
            run.seconds(6, at(5, [(0, -72), (1, -72)]))
            run.seconds(30, at(5, [(1, -60)]))
        }
        #expect(run.told == [])
    }

    @Test func `nodes thirty metres apart are never both near`() {
        var run = DoubtsRun()
        run.seconds(30, at(5, [(0, -74), (2, -74)]))
        #expect(run.kinds == [.twoPlaces])
    }

    // MARK: Speed

    @Test func `nobody is near two nodes forty metres apart within three seconds`() {
        var run = DoubtsRun()
        run.seconds(20, at(5, [(0, -60)]))
        run.seconds(2)
        run.seconds(10, at(5, [(2, -60)]))
        #expect(run.kinds == [.speed])
        // The new place is believed: an error does not last.
        run.seconds(3000, at(5, [(2, -60)]))
        #expect(run.kinds == [.speed])
    }

    @Test(arguments: [7, 20, 400])
    func `who takes their time is not too fast`(seconds: Int) {
        var run = DoubtsRun()
        run.seconds(20, at(5, [(0, -60)]))
        run.seconds(seconds)
        run.seconds(20, at(5, [(2, -60)]))
        #expect(run.told == [])
    }

    @Test func `a single wild level is no place`() {
        var run = DoubtsRun()
        for _ in 0..<50 {
            run.seconds(20, at(5, [(0, -60)]))
            run.second([(5, 0, -60, 4), (5, 2, 42, 1)])
        }
        #expect(run.told == [])
    }

    @Test func `where nobody measured nobody is too fast`() {
        var run = DoubtsRun(plan: DoubtsRun.plan(isMeasured: false))
        run.seconds(20, at(5, [(0, -60)]))
        run.seconds(20, at(5, [(2, -60)]))
        #expect(run.told == [])
    }

    // MARK: Rate

    @Test func `twice the usual rate is two transmitters`() {
        var run = DoubtsRun()
        run.seconds(900, [(5, 1, -60, 4)])
        #expect(run.told == [])
        run.seconds(120, [(5, 1, -60, 8)])
        #expect(run.kinds == [.rate])
        #expect(run.told.first?.nodes == [NodeID(2)])
    }

    @Test func `losses teach no low rate`() {
        var run = DoubtsRun()
        // Far away three of four are lost, for hours.
        run.seconds(7200, [(5, 1, -88, 1)])
        run.seconds(900, [(5, 1, -60, 4)])
        // Now and then an interference takes half.
        for _ in 0..<10 {
            run.seconds(90, [(5, 1, -60, 2)])
            run.seconds(90, [(5, 1, -60, 4)])
        }
        #expect(run.told == [])
    }

    @Test func `when a node hears all beacons more often it is the node`() {
        var run = DoubtsRun()
        run.seconds(900, [(5, 1, -60, 2), (6, 1, -62, 2), (7, 1, -64, 2)])
        run.seconds(600, [(5, 1, -60, 4), (6, 1, -62, 4), (7, 1, -64, 4)])
        #expect(run.kinds.count <= 1)
        // And then that is usual.
        let before = run.told
        run.seconds(3600, [(5, 1, -60, 4), (6, 1, -62, 4), (7, 1, -64, 4)])
        #expect(run.told == before)
    }

    @Test func `a frame that comes twice counts once`() {
        var run = DoubtsRun()
        run.seconds(900, [(5, 1, -60, 4)])
        run.seconds(300, [(5, 1, -60, 4), (5, 1, -60, 4)])
        #expect(run.told == [])
    }

    // MARK: Teleport

    /// Ten rounds in which everybody comes in by the entrance and goes away for long.
    private func visited(_ run: DoubtsRun) -> DoubtsRun {
        var run = run
        run.seconds(700)
        for _ in 0..<10 {
            run.seconds(20, (0..<10).map { ($0, 0, -62, 4) })
            run.seconds(700)
        }
        return run
    }

    @Test func `who is suddenly in the back room did not come in by the door`() {
        var run = visited(DoubtsRun())
        #expect(run.told == [])
        run.seconds(20, [(5, 2, -58, 4)])
        #expect(run.kinds == [.teleport])
        // A habit does not make it usual.
        run.seconds(2000)
        run.seconds(20, [(5, 2, -58, 4)])
        #expect(run.kinds == [.teleport, .teleport])
        // Where somebody else arrived there may be a door.
        run.seconds(2000)
        run.seconds(20, [(6, 2, -58, 4)])
        #expect(run.kinds == [.teleport, .teleport])
    }

    @Test func `who was heard on the way, or only faintly, did come in by the door`() {
        var run = visited(DoubtsRun())
        run.seconds(6, [(5, 0, -80, 4)])
        run.seconds(20, [(5, 2, -58, 4)])
        run.seconds(6, [(6, 2, -85, 4)])
        run.seconds(20, [(6, 2, -58, 4)])
        #expect(!run.kinds.contains(.teleport))
    }

    @Test func `while a node is dead nobody is doubted for where they come in`() {
        var run = visited(DoubtsRun())
        run.dead = [0]
        run.seconds(700)
        run.seconds(20, [(5, 2, -58, 4)])
        run.dead = []
        run.seconds(300)
        run.seconds(20, [(6, 2, -58, 4)])
        #expect(run.told == [])
    }

    // MARK: Inactivity

    @Test func `an hour among stations and never at one is doubted once`() {
        var run = DoubtsRun()
        run.second()
        run.sessions = [5: 2, 6: 2]
        run.seconds(1800)
        run.atStation = [6]
        run.seconds(10)
        run.atStation = []
        run.seconds(1700)
        #expect(run.told == [])
        run.seconds(7200)
        #expect(run.told.map(\.user) == [UserID(6)])
        #expect(run.kinds == [.inactive])
    }

    @Test func `while the station's node is dead nobody is inactive`() {
        var run = DoubtsRun()
        run.second()
        run.sessions = [5: 2]
        run.dead = [2]
        run.seconds(7200)
        #expect(run.told == [])
    }

    @Test func `of a session from before a restart nobody knows`() {
        var run = DoubtsRun()
        run.second()
        run.sessions = [5: 2]
        run.seconds(3000)
        run.restart()
        run.seconds(7200)
        #expect(run.told == [])
    }

    // MARK: All of them

    @Test func `what was told before a restart is not told again after it`() {
        var run = DoubtsRun()
        run.seconds(30, at(5, [(0, -60), (2, -60)]))
        let before = run.told
        #expect(before.map(\.kind).contains(.twoPlaces))
        run.restart()
        run.seconds(600, at(5, [(0, -60), (2, -60)]))
        #expect(
            run.told.filter { $0.kind == .twoPlaces } == before.filter { $0.kind == .twoPlaces })
    }

    @Test func `a changed fingerprint is the doubt of whoever carries the beacon`() {
        var run = DoubtsRun()
        run.tell(fingerprintOf: 4, at: 1)
        run.tell(fingerprintOf: 4, at: 2)
        run.second()
        #expect(
            run.told == [
                Doubt(user: UserID(5), at: moment(0), kind: .fingerprint, nodes: [NodeID(2)])
            ])
    }

    @Test func `what a site does not want to hear is not told`() {
        var run = DoubtsRun(plan: DoubtsRun.plan(DoubtPolicy(off: [.fingerprint, .twoPlaces])))
        run.tell(fingerprintOf: 4, at: 1)
        run.seconds(60, at(5, [(0, -74), (2, -74)]))
        #expect(run.told == [])
    }

    @Test func `another plan of the same places keeps what was learnt`() {
        var run = DoubtsRun()
        run.seconds(900, [(5, 1, -60, 4)])
        var plan = DoubtsRun.plan()
        plan.revision = 2
        run.adopt(plan)
        run.seconds(120, [(5, 1, -60, 8)])
        #expect(run.kinds == [.rate])
        // Of other places nothing is known.
        plan.rooms.append(Room(id: RoomID(4)))
        run.adopt(plan)
        run.seconds(2000, [(5, 1, -60, 16)])
        #expect(run.kinds == [.rate])
    }
}
