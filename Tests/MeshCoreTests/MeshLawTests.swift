import Testing

@testable import SiteEngine

/// What must hold for any history of a site.
struct MeshLawTests {
    let plan = MeshSite.plan(MeshHistory.impatient)

    @Test(arguments: UInt64(1)...200) func `ticking more often changes nothing`(seed: UInt64) {
        var dice = Dice(seed: ~seed)
        var lazy = SiteRun(plan: plan)
        var eager = lazy
        var now = 0.0
        for step in MeshHistory(seed: seed).steps {
            while now < step.at {
                now = min(step.at, now + .random(in: 0.05...0.7, using: &dice))
                eager.tell(.tick, now)
            }
            eager.tell(step.input, step.at)
            lazy.tell(step.input, step.at)
        }
        // A new plan makes both write down all they know.
        eager.tell(.plan(plan), 130)
        lazy.tell(.plan(plan), 130)
        let isAlike = eager.decisions.facts.happenings == lazy.decisions.facts.happenings
        #expect(isAlike)
        let isSaved = eager.mesh.saved == lazy.mesh.saved
        #expect(isSaved)
        let happenings = lazy.decisions.facts.happenings
        #expect(!happenings.sessions.isEmpty && !happenings.stays.isEmpty)
    }

    @Test(arguments: UInt64(1)...200)
    func `the facts are rows a database takes, and their sum is the saved state`(seed: UInt64) {
        var run = SiteRun(plan: plan)
        var rows = MeshRows()
        var saved = Saved()
        for step in MeshHistory(seed: seed).steps {
            let facts = run.tell(step.input, step.at).facts
            rows.apply(facts)
            for fact in facts { saved.apply(fact) }
        }
        #expect(rows.faults == [])
        let isSum = saved == run.mesh.saved
        #expect(isSum)
    }

    @Test(arguments: UInt64(1)...200)
    func `stays of a user at one level follow each other`(seed: UInt64) {
        var run = SiteRun(plan: plan)
        var rows = MeshRows()
        for step in MeshHistory(seed: seed).steps {
            rows.apply(run.tell(step.input, step.at).facts)
        }
        for user in MeshSite.users {
            for isRoom in [true, false] {
                let stays = rows.stays(of: user, inRooms: isRoom)
                for (first, second) in zip(stays, stays.dropFirst()) {
                    #expect(first.to.map { $0 <= second.from } ?? false)
                }
            }
        }
    }

    @Test(arguments: UInt64(1)...200)
    func `the facts of an input end with the site's row`(seed: UInt64) {
        var run = SiteRun(plan: plan)
        for step in MeshHistory(seed: seed, seconds: 40).steps {
            let facts = run.tell(step.input, step.at).facts
            guard let last = facts.last else { continue }
            guard case .site(let row) = last else {
                Issue.record("\(last) is the last fact at \(step.at)")
                return
            }
            #expect(row.next == run.mesh.saved.site.next && row.clock <= moment(step.at))
        }
    }

    @Test(arguments: UInt64(1)...50) func `the same inputs have the same decisions`(seed: UInt64) {
        let runs = (0..<2).map { _ in
            var run = SiteRun(plan: plan)
            for step in MeshHistory(seed: seed).steps { run.tell(step.input, step.at) }
            return run.decisions
        }
        let isEqual = runs[0] == runs[1]
        #expect(isEqual)
    }

    /// A plan of the same people and places starts the filter anew, but ends nothing.
    @Test(arguments: UInt64(1)...50)
    func `a new plan keeps what is saved`(seed: UInt64) {
        var run = SiteRun(plan: plan)
        for step in MeshHistory(seed: seed, seconds: 50).steps { run.tell(step.input, step.at) }
        let facts = run.tell(.plan(plan), 51).facts
        #expect(facts.sessions.allSatisfy { !$0.isVoid })
        var saved = run.mesh.saved
        #expect(saved.site.clock == moment(51))
        run.tell(.tick, 51.5)
        saved.site.clock = run.mesh.saved.site.clock
        let isKept = saved == run.mesh.saved
        #expect(isKept)
    }
}
