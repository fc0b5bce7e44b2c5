@testable import SiteEngine
@testable import SiteModel
@testable import SitePipeline
import Scheduling
import Testing

/// Corrections and locks are no configuration: they change no node's and restart nothing.
struct PipelineOverridesTests {
    private let ann = UserID(1)

    /// A pipeline in the middle of a session of Ann's, everything stored, and its tag at its node.
    private func running() -> PipelineRun {
        var run = PipelineRun()
        run.connect(0)
        for second in 1...400 {
            run.second(Double(second), [("tag-1", -50)])
            run.tick(Double(second))
            run.settle()
        }
        return run
    }

    private func correction(_ run: PipelineRun) throws -> Overrides {
        let session = try #require(run.pipeline.mesh.saved.sessions.first)
        return Overrides(
            revision: 1,
            amendments: [
                Amendment(
                    id: 1, user: ann, began: session.from, opens: session.from - .seconds(600))
            ])
    }

    @Test func `an approved correction changes no configuration and restarts no page`() throws {
        var run = running()
        let before = run.pipeline.board.topics
        let overrides = try correction(run)
        let now = PipelineRun.moment(400.5)
        let told = run.note(run.pipeline.adopt(overrides: overrides, at: now))
        #expect(told.publications == [], "nothing is told before it is stored")
        #expect(run.pipeline.storedOverrides == 0)
        let stored = run.settle()
        #expect(run.pipeline.storedOverrides == 1)
        #expect(
            Set(stored.topics.filter { !$0.hasPrefix("event/") }) == ["user/u-ann/attendance"])
        let after = run.pipeline.board.topics
        let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        #expect(changed == ["\(PipelineSite.root)user/u-ann/attendance"])
        #expect(run.saved == run.pipeline.mesh.saved)
        let rendered = RetainedTopics(rendering: run.pipeline.mesh, names: PipelineSite.names())
        #expect(rendered.topics == after)
    }

    @Test func `a lock, its release and a node nobody waits for change no topic`() throws {
        var run = running()
        let before = run.pipeline.board.topics
        for (number, overrides) in [
            Overrides(revision: 1, lockedThrough: PipelineRun.moment(-90_000)),
            Overrides(revision: 2, lockedThrough: PipelineRun.moment(-100_000)),
            Overrides(
                revision: 3, lockedThrough: PipelineRun.moment(-100_000),
                excuses: [NodeExcuse(node: NodeID(2), since: PipelineRun.moment(402))]),
        ].enumerated() {
            let now = PipelineRun.moment(400.5 + Double(number) / 10)
            #expect(run.note(run.pipeline.adopt(overrides: overrides, at: now)).publications == [])
            #expect(run.settle().publications == [])
        }
        #expect(run.pipeline.board.topics == before)
        #expect(run.saved.overrides?.revision == 3)
    }

    @Test func `whoever is erased has no topics any more, and no node is configured anew`() {
        var run = running()
        var plan = PipelineSite.plan()
        plan.users.removeLast()
        plan.bindings.removeLast()
        let told = run.note(
            run.pipeline.adopt(
                plan: plan, names: PipelineSite.names(), at: PipelineRun.moment(400.5)))
        run.settle()
        let cleared = told.publications.filter(\.payload.isEmpty).map(\.topic)
        #expect(cleared.contains("\(PipelineSite.root)user/u-ben/attendance"))
        #expect(!told.topics.contains { $0.hasSuffix("config/desired") })
    }

    @Test func `what the machines know already is no input`() throws {
        var run = running()
        let overrides = try correction(run)
        let now = PipelineRun.moment(400.5)
        #expect(!run.note(run.pipeline.adopt(overrides: overrides, at: now)).isEmpty)
        #expect(run.note(run.pipeline.adopt(overrides: overrides, at: now)).isEmpty)
        run.settle()
        #expect(run.pipeline.adopt(overrides: overrides, at: now).isEmpty)
        // A coordinator that starts again knows them, too.
        var again = PipelineRun(saved: run.saved)
        #expect(again.pipeline.storedOverrides == 1)
        #expect(again.pipeline.adopt(overrides: overrides, at: now).isEmpty)
    }

    @Test func `of overrides that wait for a full disk the newest is kept`() {
        var facts: [Fact] = (1...3).map { .overrides(Overrides(revision: $0)) }
        facts.keepNewestRows()
        #expect(facts == [.overrides(Overrides(revision: 3))])
    }
}
