import Testing

@testable import SiteEngine
@testable import SiteModel

/// What a doubt does to the session and the place of whom it is about.
struct MeshDoubtTests {
    private func event(_ sequence: Int64, _ beacon: Int64, at second: Double) -> Input {
        .nodeEvent(
            NodeEvent(
                record: Record(log: 1, sequence: sequence, after: sequence - 1), boot: 1,
                at: moment(second), kind: NodeEvent.fingerprintChanged, detail: "power -59 -> -50",
                beacon: BeaconID(beacon), value: nil), from: NodeID(2))
    }

    @Test func `a doubt makes a session one to review, and never more than that`() {
        var run = SiteRun()
        run.stand(at: 2, from: 1, to: 30)
        let before = run.mesh.saved.sessions
        run.tell(event(1, 1, at: 30.2), 30.5)
        run.stand(at: 2, from: 31, to: 40)
        var expected = before
        #expect(expected.count == 1)
        expected[0].review.append(.fingerprint)
        expected[0].revision += 1
        #expect(run.mesh.saved.sessions == expected)
        #expect(run.mesh.saved.ledgers.first?.doubts.map(\.kind) == [.fingerprint])
        // Again, by another record, within half an hour, and after a restart.
        run.tell(event(2, 1, at: 50), 50)
        var after = SiteRun(saved: run.mesh.saved)
        after.tell(event(3, 1, at: 52), 52)
        after.tell(.tick, 70)
        #expect(after.mesh.saved.ledgers.first?.doubts.count == 1)
    }

    @Test func `nobody is doubted for a beacon nobody carries, or for the distant past`() {
        var run = SiteRun()
        run.stand(at: 2, from: 1, to: 30)
        run.tell(event(1, 5, at: 30), 30.5)
        run.tell(event(2, 99, at: 30), 30.6)
        run.tell(event(3, 1, at: 30 - 37 * 3600), 30.7)
        run.tell(.tick, 60)
        #expect(run.mesh.saved.ledgers.allSatisfy { $0.doubts == [] })
        #expect(run.mesh.saved.sessions.allSatisfy { !$0.review.contains(.fingerprint) })
    }

    @Test func `for a minute after a doubt it is less sure where somebody is`() {
        var run = SiteRun()
        run.stand(at: 2, from: 1, to: 30)
        let before = run.mesh.live.presences[0].confidence
        #expect(before > 0.9)
        run.tell(event(1, 1, at: 30.2), 30.5)
        var told: [Double] = []
        for second in 31...120 {
            run.second(Double(second), [2: [(beacon: 1, level: -50)]])
            for case .presence(let state) in run.decisions.lives where state.user == UserID(1) {
                told.append(state.confidence)
            }
            for case .glance(let state) in run.decisions.lives where state.user == UserID(1) {
                told.append(state.confidence)
            }
        }
        #expect(told.contains { $0 < 0.6 })
        #expect(told.last.map { $0 > 0.9 } ?? false)
    }
}
