import Testing

@testable import SiteEngine
@testable import SiteModel

/// The whole seconds of a node's clock.
struct NodeClockTests {
    var coverage = Coverage(plan: MeshSite.plan(), saved: Saved().site)
    let node = NodeID(1)

    /// The second of a frame whose own ends `stamp` seconds after the start.
    private mutating func second(_ stamp: Double, arriving now: Double, boot: UInt64 = 1) -> Double?
    {
        coverage.heard(MeshSite.frame(moment(stamp), boot: boot), from: node, at: moment(now))
            .map { ($0.second - moment(0)).seconds }
    }

    @Test mutating func `half a second on the way shifts nothing`() {
        #expect(second(10, arriving: 10.6) == 9)
        #expect(second(11, arriving: 11.3) == 10)
        #expect(second(12, arriving: 12) == 11)
    }

    @Test mutating func `a clock that is off by whole seconds is shifted by them`() {
        #expect(second(1010, arriving: 10.2) == 9)
        #expect(second(-990, arriving: 10.2, boot: 2) == 9)
    }

    @Test mutating func `a drift moves seconds once, and past ones stay`() {
        for stamp in stride(from: 1.0, to: 20_000, by: 1) {
            let placed = second(stamp, arriving: stamp * 1.0001 + 0.01)
            guard let placed, abs(placed - stamp * 1.0001 + 1) < 1 else {
                Issue.record("second \(stamp) is at \(placed as Any)")
                return
            }
        }
        let clock = coverage.clocks[0]
        #expect(clock.shifts.map(\.seconds) == [0, 1, 2])
        let places = [1, 5000, 19_000].map { stamp in
            (clock.place(second: moment(stamp).second) - moment(stamp)).seconds
        }
        #expect(places == [0, 0, 2])
        let steps = clock.shifts.map(\.since)
        #expect(steps == steps.sorted())
    }

    @Test mutating func `an offset that sways about a half does not move seconds to and fro`() {
        var dice = Dice(seed: 1)
        for stamp in stride(from: 1.0, to: 2000, by: 1) {
            _ = second(stamp, arriving: stamp + 0.45 + .random(in: 0...0.12, using: &dice))
        }
        #expect(coverage.clocks[0].shifts.count == 1)
    }

    @Test mutating func `an earlier process keeps its clock`() {
        _ = second(10, arriving: 110)
        _ = second(10, arriving: 210, boot: 2)
        #expect(coverage.clock(of: node, boot: 1)?.place(second: moment(9).second) == moment(109))
        #expect(coverage.clock(of: node, boot: 2)?.place(second: moment(9).second) == moment(209))
        #expect(coverage.clock(of: node, boot: 3) == nil)
        for boot in UInt64(3)...20 { _ = second(10, arriving: 310, boot: boot) }
        #expect(coverage.clocks.map(\.boot) == Array(13...20))
        coverage.forget(before: moment(400))
        #expect(coverage.clocks.map(\.boot) == [20])
    }

    @Test mutating func `a beat tells the clock, but not that anybody listens`() {
        coverage.beat(boot: 1, at: moment(10), from: node, at: moment(110))
        #expect(coverage.clocks.map(\.offset) == [.seconds(100)])
        #expect(coverage.isHeard(node, at: moment(120)))
        #expect(!coverage.isHeard(node, at: moment(120.1)))
        #expect(coverage.rooms == [] && coverage.listeners(at: moment(110)) == 0)
    }

    @Test mutating func `one impossible time stamp moves nothing that was before it`() {
        _ = second(10, arriving: 10)
        _ = second(9e12, arriving: 11)
        for stamp in stride(from: 12.0, to: 80, by: 1) { _ = second(stamp, arriving: stamp) }
        #expect(second(80, arriving: 80) == 79)
        #expect(coverage.clocks[0].place(second: moment(5).second) == moment(5))
    }
}
