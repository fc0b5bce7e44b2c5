@testable import SiteEngine
@testable import SiteModel
import Scheduling
import Testing

/// Corrections and locks as the machines take them in.
struct OverridesTests {
    private let plan = MeshSite.plan(MeshHistory.impatient)

    /// The inputs of a busy site, with corrections and locks in between.
    private func steps(_ seed: UInt64) -> [(at: Double, input: Input)] {
        var dice = Dice(seed: seed &+ 77)
        var overrides = Overrides(revision: 0)
        var steps = MeshHistory(seed: seed).steps
        for _ in 0..<Int.random(in: 2...5, using: &dice) {
            let at = Double.random(in: 5...99, using: &dice)
            overrides.revision += 1
            if Int.random(in: 0...2, using: &dice) == 0 {
                overrides.lockedThrough = moment(Double.random(in: 0...at, using: &dice))
            } else {
                let from = Double.random(in: 0...at, using: &dice).rounded(.down)
                let to = from + Double.random(in: 1...30, using: &dice).rounded()
                if Int.random(in: 0...2, using: &dice) == 0 {
                    overrides.amendments.append(
                        Amendment(
                            id: overrides.revision, user: UserID(.random(in: 1...3, using: &dice)),
                            began: moment(to), opens: moment(min(from, at))))
                    steps.append((at, .overrides(overrides)))
                    continue
                }
                overrides.amendments.append(
                    Amendment(
                        id: overrides.revision, user: UserID(.random(in: 1...3, using: &dice)),
                        replaced: stretch(from, to),
                        stated: Bool.random(using: &dice) ? stretch(from, min(to, at)) : nil))
            }
            steps.append((at, .overrides(overrides)))
        }
        return steps.sorted { $0.at < $1.at }
    }

    @Test(arguments: UInt64(1)...200)
    func `the facts are rows a database takes, and their sum is the saved state`(seed: UInt64) {
        var run = SiteRun(plan: plan)
        var rows = MeshRows()
        var saved = Saved()
        for step in steps(seed) {
            let facts = run.tell(step.input, step.at).facts
            rows.apply(facts)
            for fact in facts { saved.apply(fact) }
            guard case .overrides(let told) = step.input else { continue }
            #expect(run.mesh.saved.overrides == told)
            if case .site = facts.last { continue }
            Issue.record("seed \(seed): the last fact is \(facts.last as Any)")
        }
        #expect(rows.faults == [], "seed \(seed)")
        let isSum = saved == run.mesh.saved
        #expect(isSum, "seed \(seed)")
    }

    @Test(arguments: UInt64(1)...200)
    func `a mesh restored after an override decides the same sessions`(seed: UInt64) {
        var once = SiteRun(plan: plan)
        var again: SiteRun?
        var (first, second) = (MeshRows(), MeshRows())
        for step in steps(seed) {
            let facts = once.tell(step.input, step.at).facts
            first.apply(facts)
            if again == nil {
                second.apply(facts)
                if case .overrides = step.input {
                    again = SiteRun(plan: plan, saved: once.mesh.saved)
                }
            } else if let facts = again?.tell(step.input, step.at).facts {
                second.apply(facts)
            }
        }
        for user in MeshSite.users {
            let sessions = [first, second].map { rows in
                rows.sessions(of: user).map { [$0.from, $0.to] }
            }
            #expect(sessions[0] == sessions[1], "seed \(seed)")
        }
    }

    @Test(arguments: UInt64(1)...50) func `ticking more often changes nothing`(seed: UInt64) {
        var dice = Dice(seed: ~seed)
        var lazy = SiteRun(plan: plan)
        var eager = lazy
        var now = 0.0
        for step in steps(seed) {
            while now < step.at {
                now = min(step.at, now + .random(in: 0.05...0.7, using: &dice))
                eager.tell(.tick, now)
            }
            eager.tell(step.input, step.at)
            lazy.tell(step.input, step.at)
        }
        for run in 0..<2 {
            let last = Input.overrides(Overrides(revision: 99))
            if run == 0 { eager.tell(last, 130) } else { lazy.tell(last, 130) }
        }
        let isSaved = eager.mesh.saved == lazy.mesh.saved
        #expect(isSaved, "seed \(seed)")
    }

    @Test func `a correction changes the session in the same breath, and restarts nothing`() {
        var run = SiteRun()
        run.stand(at: 1, from: 100, to: 400)
        var undisturbed = run
        let correction = Amendment(
            id: 1, user: MeshSite.users[0], replaced: nil, stated: stretch(40, 60))
        let told = run.tell(.overrides(Overrides(revision: 1, amendments: [correction])), 400.5)
        #expect(told.facts.sessions.contains { $0.from == moment(40) && $0.to == moment(60) })
        #expect(told.lives == [])
        for second in 401...420 {
            run.second(Double(second), [1: [(beacon: 1, level: -50)]])
            undisturbed.second(Double(second), [1: [(beacon: 1, level: -50)]])
            #expect(run.mesh.live.presences == undisturbed.mesh.live.presences)
        }
    }

    /// A correction approved while no coordinator ran; the next one begins after the horizon.
    @Test func `what people decided is known before anything is forgotten`() {
        let hour = 3600.0
        let seconds = IntervalSet([stretch(0, 11 * hour)], joining: Ledger.joining)
        let listened = IntervalSet([stretch(-hour, 11 * hour)], joining: Frame.joining)
        var saved = Saved()
        saved.ledgers = [
            LedgerRow(
                user: MeshSite.users[0],
                heard: [RoomTime(room: MeshSite.hall, seconds: seconds)])
        ]
        saved.sessions = [Session(id: 1, user: MeshSite.users[0], from: moment(0), to: nil)]
        saved.site = SiteRow(
            clock: moment(11 * hour), next: 2,
            coverage: [RoomTime(room: MeshSite.hall, seconds: listened)], clocks: [],
            listeningSince: moment(-hour))
        let decided = Overrides(
            revision: 1,
            amendments: [
                Amendment(
                    id: 1, user: MeshSite.users[0], replaced: stretch(0, 9 * hour),
                    stated: stretch(0, 10 * hour))
            ])
        var late = SiteRun(saved: saved)
        late.tell(.overrides(decided), 60 * hour)
        saved.overrides = decided
        var early = SiteRun(saved: saved)
        early.tell(.tick, 60 * hour)
        early.tell(.tick, 60 * hour + 2)
        late.tell(.tick, 60 * hour + 2)
        let found = late.mesh.saved.sessions
        #expect(found.map(\.to) == [moment(10 * hour)])
        #expect(found.map(\.review) == early.mesh.saved.sessions.map(\.review))
        #expect(found.map(\.review) == [[.heardOutside]])
    }

    @Test func `what is not known is read as what was never decided`() {
        #expect(Saved().overrides == nil)
        #expect(Mesh(plan: MeshSite.plan(), restoring: Saved()).saved.overrides == nil)
    }
}
