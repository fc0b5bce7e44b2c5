import Testing

@testable import SiteEngine
@testable import SiteModel

/// That a site begins to listen for the first time is said once, not of everybody who is there.
struct FirstListeningTests {
    private var run = SiteRun()

    private func reviews(_ run: SiteRun) -> [[Review]] {
        var rows = MeshRows()
        rows.apply(run.decisions.facts)
        #expect(rows.faults == [])
        return MeshSite.users.flatMap { rows.sessions(of: $0).map(\.review) }
    }

    /// User 2 stands close to node 4 of the yard.
    private mutating func second(_ at: Int) {
        run.second(Double(at), [4: [(beacon: 2, level: -50)]])
    }

    /// A minute in which node 5 heard nobody.
    private func silence(from second: Double) -> Input {
        .evidence(
            Evidence(
                record: Record(log: 5, sequence: 1, after: 0), boot: 1, from: moment(second),
                to: moment(second + 60), listened: .seconds(60), floor: RSSI(dBm: -95),
                isSynced: true, gaps: [], runs: []), from: NodeID(5))
    }

    @Test mutating func `whoever is there when a site first listens is not to be looked at`() {
        run.stand(at: 1, from: 0, to: 60)
        #expect(run.mesh.saved.site.listeningSince == moment(-1))
        #expect(run.mesh.live.site.listeningSince == moment(-1))
        let saved = run.mesh.saved
        run.mesh = Mesh(plan: MeshSite.plan(), restoring: saved)
        run.stand(at: 1, from: 61, to: 120)
        #expect(reviews(run) == [[]])
        #expect(run.mesh.saved.site.listeningSince == moment(-1))
    }

    @Test mutating func `after an outage they still are`() {
        run.stand(at: 1, from: 0, to: 60)
        for second in 1000...1060 { self.second(second) }
        #expect(reviews(run) == [[], [.coverageGap]])
    }

    @Test mutating func `evidence of before takes the beginning back, in any order`() {
        run.stand(at: 1, from: 0, to: 60)
        #expect(reviews(run) == [[]])
        run.tell(silence(from: -3600), 61)
        run.stand(at: 1, from: 62, to: 70)
        #expect(reviews(run) == [[.coverageGap]])
        #expect(run.mesh.saved.site.listeningSince == moment(-3600))
        var other = SiteRun()
        other.tell(silence(from: -3600), -2)
        other.stand(at: 1, from: 0, to: 70)
        #expect(reviews(other) == [[.coverageGap]])
    }
}
