import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import Wire

/// What other sites on the same broker tell of people who are users here, too.
struct ElsewhereTests {
    var run = PipelineRun()

    private func attendance(_ from: Double, _ to: Double?) -> [UInt8] {
        AttendancePayload(
            tMs: PipelineRun.moment(from).milliseconds, state: to == nil ? .checkedIn : .checkedOut,
            session: 1, checkInMs: PipelineRun.moment(from).milliseconds,
            checkOutMs: to.map { PipelineRun.moment($0).milliseconds }
        ).json
    }

    private var ledger: LedgerRow? {
        run.pipeline.mesh.saved.ledgers.first { $0.user == UserID(1) }
    }

    @Test mutating func `a session at another site reaches the ledger, retained or not`() {
        _ = run.connect(0)
        run.hear("mesh/v1/annex/user/u-ann/attendance", attendance(1, nil), isRetained: true, 2)
        for second in 3...15 { run.tick(Double(second)) }
        #expect(ledger?.elsewhere.map(\.to) == [nil])
        run.hear("mesh/v1/annex/user/u-ann/attendance", attendance(1, 16), 17)
        for second in 18...30 { run.tick(Double(second)) }
        #expect(ledger?.elsewhere.map(\.to) == [PipelineRun.moment(16)])
    }

    @Test(arguments: [
        ("mesh/v1/gym/user/u-ann/attendance", "our own"),
        ("mesh/v1/annex/user/u-eve/attendance", "a stranger"),
        ("mesh/v1/an nex/user/u-ann/attendance", "no slug"),
        ("mesh/v1/annex/user/u-ann/presence", "something else"),
    ])
    mutating func `nothing else does`(topic: String, _: String) {
        _ = run.connect(0)
        run.hear(topic, attendance(1, nil), 2)
        for second in 3...15 { run.tick(Double(second)) }
        #expect(ledger?.elsewhere ?? [] == [])
    }

    @Test mutating func `a session that cannot be is refused and counted`() {
        _ = run.connect(0)
        run.hear("mesh/v1/annex/user/u-ann/attendance", "{\"t_ms\":-1}", 2)
        #expect(run.pipeline.counts.refused.values.reduce(0, +) == 1)
    }
}
