import Testing

@testable import SiteModel

/// A second locator beside the one that decides.
struct ShadowTests {
    static func plan(_ shadow: LocatingPolicy.Method?) -> Plan {
        var policy = MeshHistory.impatient
        policy.locating = LocatingPolicy(method: .zoneLevel, shadow: shadow)
        return MeshSite.plan(policy)
    }

    static func told(_ run: SiteRun) -> [ShadowState] {
        run.decisions.lives.compactMap { if case .shadow(let state) = $0 { state } else { nil } }
    }

    @Test func `it is told once a minute, and only if it is asked for`() {
        var run = SiteRun(plan: Self.plan(.zoneLevel))
        run.stand(at: 2, from: 1, to: 190)
        let told = Self.told(run)
        #expect(told.map { ($0.at - $0.since).seconds } == [60, 120, 180])
        #expect(run.mesh.live.shadow == told.last)
        var plain = SiteRun(plan: Self.plan(nil))
        plain.stand(at: 2, from: 1, to: 190)
        #expect(Self.told(plain).isEmpty && plain.mesh.live.shadow == nil)
    }

    @Test func `the same rule agrees with itself in every second`() throws {
        var run = SiteRun(plan: Self.plan(.zoneLevel))
        run.stand(at: 2, from: 1, to: 60)
        run.stand(at: 3, from: 61, to: 130)
        let state = try #require(Self.told(run).last)
        #expect(state.seconds > 100 && state.agreed == state.seconds && state.agreement == 1)
        #expect(state.deciding == state.shadow)
        #expect(state.deciding.method == .zoneLevel && state.deciding.alone == 0)
        #expect(state.deciding.changes == 1)
        #expect((0.5...1).contains(state.deciding.probability))
    }

    @Test(arguments: UInt64(1)...20) func `it decides nothing`(seed: UInt64) {
        var runs = [nil, LocatingPolicy.Method.nearest].map { SiteRun(plan: Self.plan($0)) }
        for step in MeshHistory(seed: seed).steps {
            for index in runs.indices { runs[index].tell(step.input, step.at) }
        }
        let facts = runs.map(\.decisions.facts)
        #expect(facts[0] == facts[1])
        #expect(!facts[0].isEmpty)
    }

    @Test func `a new plan begins a new comparison`() throws {
        var run = SiteRun(plan: Self.plan(.zoneLevel))
        run.stand(at: 2, from: 1, to: 100)
        run.tell(.plan(Self.plan(.nearest)), 100)
        #expect(run.mesh.live.shadow == nil)
        run.stand(at: 2, from: 101, to: 170)
        let state = try #require(Self.told(run).last)
        #expect(state.shadow.method == .nearest)
        #expect(state.seconds <= 70 && state.since >= moment(100))
    }
}
