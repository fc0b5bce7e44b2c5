import Testing

@testable import SiteEngine
@testable import SiteModel

/// Who listens, and what a node's clock means.
struct CoverageTests {
    var coverage = Coverage(plan: MeshSite.plan(), saved: Saved().site)
    let hallNode = NodeID(1)

    /// A frame stamped `stamp`, arriving at `now`, both in seconds after the start.
    private mutating func frame(
        _ stamp: Double, arriving now: Double, boot: UInt64 = 1, node: Int64 = 1
    ) -> Timestamp? {
        coverage.heard(
            MeshSite.frame(moment(stamp), boot: boot), from: NodeID(node), at: moment(now))?.at
    }

    @Test mutating func `a node listens until six seconds after its last frame`() {
        #expect(!coverage.isListening(0, at: moment(0)))
        _ = frame(10, arriving: 10)
        #expect(coverage.isListening(0, at: moment(16)))
        #expect(!coverage.isListening(0, at: moment(16.001)))
        #expect(!coverage.isListening(1, at: moment(10)))
    }

    @Test mutating func `a room listens while one of its nodes does`() {
        _ = frame(10, arriving: 10, node: 4)
        _ = frame(14, arriving: 14, node: 5)
        #expect(coverage.listeners(at: moment(14)) == 2)
        #expect(coverage.isListening(in: MeshSite.yard, at: moment(20)))
        #expect(!coverage.isListening(in: MeshSite.yard, at: moment(20.5)))
        #expect(!coverage.isListening(in: MeshSite.hall, at: moment(14)))
    }

    @Test mutating func `a node that says goodbye listens no longer`() {
        _ = frame(10, arriving: 10)
        coverage.lost(hallNode)
        #expect(!coverage.isListening(0, at: moment(10)))
        coverage.lost(NodeID(99))
        _ = frame(11, arriving: 11)
        #expect(coverage.isListening(0, at: moment(11)))
    }

    @Test mutating func `frames up to six seconds apart are one stretch of listening`() {
        for second in [10.0, 11, 18, 26] { _ = frame(second, arriving: second) }
        #expect(coverage.rooms.map(\.room) == [MeshSite.hall])
        #expect(coverage.rooms.first?.seconds.intervals == [stretch(9, 18), stretch(25, 26)])
    }

    @Test mutating func `rooms are sorted, whoever speaks first`() {
        _ = frame(10, arriving: 10, node: 4)
        _ = frame(10, arriving: 10, node: 2)
        #expect(coverage.rooms.map(\.room) == [MeshSite.hall, MeshSite.yard])
    }

    @Test mutating func `a node that is not in the plan is not believed`() {
        #expect(frame(10, arriving: 10, node: 99) == nil)
        #expect(coverage.rooms.isEmpty && coverage.clocks.isEmpty)
    }

    @Test(arguments: [-3600.0, -5, 0, 5, 3600])
    mutating func `a clock that is off costs nothing`(off: Double) {
        #expect(frame(10 + off, arriving: 10) == moment(10))
        #expect(frame(11 + off, arriving: 11) == moment(11))
        // This one was on its way for three seconds.
        #expect(frame(12 + off, arriving: 15) == moment(12.001))
    }

    @Test(arguments: UInt64(1)...200)
    func `delays between 5 ms and 3 s move times by little, and never into the future`(
        seed: UInt64
    ) {
        var dice = Dice(seed: seed)
        var coverage = Coverage(plan: MeshSite.plan(), saved: Saved().site)
        let off = Double.random(in: -1e6...1e6, using: &dice).rounded()
        for second in 1...200 {
            let isQuick = second % 10 == 0
            let delay = Double.random(in: isQuick ? 0.005...0.02 : 0.005...3, using: &dice)
            let now = moment(Double(second) + delay)
            let frame = MeshSite.frame(moment(Double(second) + off))
            let at = coverage.heard(frame, from: hallNode, at: now)?.at
            // The second quick one is believed; before it the first is left out.
            #expect(at.map { $0 <= now } ?? (second <= 20))
            guard second > 20 else { continue }
            let error = at.map { ($0 - moment(Double(second))).seconds } ?? .infinity
            #expect((0.005...0.032).contains(error), "second \(second)")
        }
    }

    @Test(arguments: [-100e-6, 100e-6])
    mutating func `a drift of 100 ppm is followed for a day`(drift: Double) {
        for second in stride(from: 1.0, to: 86_400, by: 1) {
            let at = frame(second * (1 + drift), arriving: second + 0.01)
            let error = at.map { ($0 - moment(second)).seconds } ?? .infinity
            guard abs(error) < 0.02 else {
                Issue.record("second \(second): \(error)")
                return
            }
        }
    }

    @Test mutating func `a new process of a node brings a new clock`() {
        _ = frame(10, arriving: 10)
        #expect(frame(500, arriving: 11, boot: 2) == moment(11))
        #expect(coverage.clocks.map(\.boot) == [1, 2])
    }

    @Test mutating func `a frame more than ten seconds late is left out`() {
        _ = frame(9, arriving: 9)
        _ = frame(10, arriving: 10)
        #expect(frame(11, arriving: 21.001) == moment(11.001))
        let before = coverage.rooms
        #expect(frame(12, arriving: 22.003) == nil)
        #expect(coverage.rooms == before)
        #expect(!coverage.isListening(0, at: moment(22)))
    }

    @Test mutating func `a late frame takes back nothing that was heard since`() {
        _ = frame(10, arriving: 10)
        _ = frame(14, arriving: 14)
        _ = frame(11, arriving: 15)
        #expect(coverage.isListening(0, at: moment(20)))
    }

    /// A line that was cut delivers its backlog at once.
    @Test mutating func `a backlog of late frames does not move the clock`() {
        _ = frame(10, arriving: 10)
        #expect(frame(11, arriving: 26) == nil)
        for second in 12...69 { #expect(frame(Double(second), arriving: 80) == nil) }
        #expect(frame(81, arriving: 81) == moment(81))
        #expect(frame(82, arriving: 84) == moment(82.001))
    }

    /// The coordinator ran before its clock was set; the node's process has outlived it.
    @Test mutating func `a clock corrected during a restart does not shut a node out`() {
        _ = frame(10, arriving: 10)
        coverage = Coverage(
            plan: MeshSite.plan(),
            saved: SiteRow(
                clock: moment(10), next: 1, coverage: coverage.rooms, clocks: coverage.clocks))
        var times: [Timestamp?] = []
        for second in stride(from: 11.0, to: 80, by: 1) {
            times.append(frame(second, arriving: second + 300))
        }
        #expect(times.first == .some(nil))
        #expect(times.last == moment(379))
    }

    @Test mutating func `one impossible time stamp does not shut a node out`() {
        _ = frame(10, arriving: 10)
        _ = frame(9e12, arriving: 11)
        for second in stride(from: 12.0, to: 80, by: 1) { _ = frame(second, arriving: second) }
        #expect(frame(80, arriving: 80) == moment(80))
    }

    @Test mutating func `a restart continues with the clocks it knew`() {
        for second in stride(from: 1.0, through: 20, by: 1) {
            _ = frame(second - 50, arriving: second)
        }
        coverage = Coverage(
            plan: MeshSite.plan(),
            saved: SiteRow(
                clock: moment(20), next: 1, coverage: coverage.rooms, clocks: coverage.clocks))
        #expect(!coverage.isListening(0, at: moment(20)))
        #expect(frame(21 - 50, arriving: 24) == moment(21.001))
        #expect(coverage.rooms.first?.seconds.intervals == [stretch(0, 21)])
    }

    @Test mutating func `what is too old is forgotten room by room`() {
        _ = frame(10, arriving: 10)
        _ = frame(50, arriving: 50, node: 4)
        coverage.forget(before: moment(40))
        #expect(coverage.rooms.map(\.seconds.intervals) == [[], [stretch(49, 50)]])
    }
}
