import Testing

@testable import SiteEngine
@testable import SiteModel

/// A coordinator that starts by a clock that was set ahead invents no time: the nodes know how long it was.
struct ClockJumpTests {
    private var saved = Saved()

    /// User 1 is heard in the hall from 10 to 100 s by all clocks; then the coordinator dies.
    init() {
        var run = SiteRun()
        run.second(0)
        run.stand(at: 1, from: 10, to: 100)
        saved = run.mesh.saved
    }

    /// It starts again with its clock `ahead` seconds ahead; the nodes tell `told` by their own.
    private func run(ahead: Double, told: ClosedRange<Int>) -> SiteRun {
        var run = SiteRun(saved: saved)
        for stamp in told {
            let now = Double(stamp) + ahead
            for node in Int64(1)...5 {
                let heard: [(beacon: Int64, level: Double)] = node == 1 ? [(1, -50)] : []
                run.tell(
                    .frame(MeshSite.frame(moment(Double(stamp)), heard), from: NodeID(node)), now)
            }
            run.tell(.tick, now)
        }
        return run
    }

    private func lengths(_ run: SiteRun) -> [Double] {
        run.mesh.saved.sessions.filter { $0.user == UserID(1) && !$0.isVoid }.map { session in
            ((session.to ?? session.lastHeard ?? run.mesh.attendance.lastHeard(of: 0)
                ?? session.from)
                - session.from).seconds
        }
    }

    @Test(arguments: [120.0, 300, 3600, 86_400])
    func `a clock that is set ahead over a start adds nothing to a session`(ahead: Double) {
        let run = run(ahead: ahead, told: 130...230)
        let lengths = lengths(run)
        #expect(lengths.reduce(0, +) <= 100 + 101 + 30, "\(lengths)")
        // What was not stored when it died, and the seconds before a node was believed, are evidence's to tell.
        #expect(lengths.reduce(0, +) >= 160, "\(lengths)")
        let first = run.mesh.saved.sessions.first { $0.user == UserID(1) && !$0.isVoid }
        #expect(first?.review.contains(.wrongClock) == true)
        #expect(first?.to.map { moment(85) < $0 && $0 <= moment(101) } == true)
    }

    @Test func `a start by the same clock is none`() {
        let run = run(ahead: 0, told: 130...230)
        #expect(run.mesh.saved.sessions.allSatisfy { !$0.review.contains(.wrongClock) })
    }

    @Test func `what lies in the future of a clock that was set back is looked at`() {
        let run = run(ahead: -3600, told: 130...230)
        let all = run.mesh.saved.sessions.filter { $0.user == UserID(1) && !$0.isVoid }
        #expect(all.contains { $0.review.contains(.wrongClock) })
    }
}
