import Testing

@testable import Simulation
@testable import SiteModel

/// Each seed has its own selection of faults.
struct SimFaultsTests {
    let period = Interval(
        from: Timestamp(milliseconds: 1_790_000_000_000),
        to: Timestamp(milliseconds: 1_790_003_600_000))

    @Test func `each kind is left out by about half of the seeds`() {
        let all = (UInt64(0)..<200).map { Faults(seed: $0, nodes: 11, during: period) }
        let frequencies = [
            all.count { $0.loss > 0 }, all.count { $0.duplication > 0 },
            all.count { $0.delay > .milliseconds(0) },
            all.count { $0.outages.contains { !$0.isEmpty } },
            all.count { $0.clockOffsets.contains { $0 != .milliseconds(0) } },
            all.count { !$0.crashes.isEmpty }, all.count { !$0.brokerRestarts.isEmpty },
            all.count { $0.strays > 0 },
        ]
        #expect(frequencies.allSatisfy { (70...130).contains($0) }, "\(frequencies)")
    }

    @Test(arguments: UInt64(1)...200)
    func `faults stay in their bounds and follow from the seed`(seed: UInt64) {
        let faults = Faults(seed: seed, nodes: 4, during: period)
        #expect(faults == Faults(seed: seed, nodes: 4, during: period))
        #expect((0...0.3).contains(faults.loss) && (0...0.2).contains(faults.duplication))
        #expect(faults.crashes == faults.crashes.sorted())
        for moment in faults.crashes + faults.brokerRestarts {
            #expect(period.from <= moment && moment <= period.to)
        }
        for (node, outages) in faults.outages.enumerated() {
            for outage in outages {
                #expect(!faults.isOut(node, at: outage.from - .milliseconds(1)))
                #expect(faults.isOut(node, at: outage.from))
                #expect(!faults.isOut(node, at: outage.to))
            }
        }
        for (node, offset) in faults.clockOffsets.enumerated() {
            #expect(abs(offset.seconds) <= 5)
            #expect(faults.clock(of: node, at: period.from) - period.from == offset)
        }
    }

    @Test func `without faults every node runs, on time`() {
        let none = Faults()
        #expect(!none.isOut(3, at: period.from))
        #expect(none.clock(of: 3, at: period.from) == period.from)
    }
}
