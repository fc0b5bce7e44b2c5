import MeshCore
import Testing

@testable import MeshSim

/// Honest people are left in peace, and cheats are found, on simulated radio.
struct DoubtsTests {
    /// Layout, people, interval in ms, whether somebody measured where the nodes are.
    static let sites: [(layout: Layout, people: Int, interval: Int64, isMeasured: Bool)] = [
        (.small, 20, 1000, true), (.small, 20, 300, false), (.gym, 40, 1000, true),
        (.gym, 40, 1000, false),
    ]

    /// The bar: one false alarm in a thousand check-ins, over all rules.
    @Test(arguments: sites.indices) func `honest people are left in peace`(site: Int) {
        let (layout, people, interval, isMeasured) = Self.sites[site]
        let (seeds, hours) = LongRun.isOn ? (5, 24) : (1, 3)
        var checkIns = 0
        var told: [Doubt] = []
        for seed in 1...seeds {
            var gym = HonestGym(
                layout, people: people, seed: UInt64(100 * site + seed),
                interval: .milliseconds(interval), isMeasured: isMeasured)
            gym.run(seconds: hours * 3600)
            checkIns += gym.checkIns
            told += gym.told
        }
        #expect(checkIns > hours * seeds * people)
        let kinds = Dictionary(grouping: told, by: \.kind).mapValues(\.count)
        print("site \(site): \(checkIns) check-ins, \(told.count) false alarms \(kinds)")
        #expect(told.count <= max(checkIns / 1000, 0), "site \(site): \(told)")
    }
}
