import Foundation
import TestSupport
import Testing

@testable import SiteEngine
@testable import SiteModel

/// Stored sessions are a function of what was taken in, and of nothing else: not of its order, its
/// delays or its portions, and not of when the coordinator was started.
struct SessionLawTests {
    /// What is told, what is stored, and what all evidence taken so far comes to.
    private struct Run {
        var mesh: Mesh
        var rows = MeshRows()
        var rebuilding: Rebuilding
        var heard: [[[Range<Int>]]]
        var listened: [[Range<Int>]]
        var statements: [Statement] = []
        let plan: Plan

        init(_ plan: Plan) {
            self.plan = plan
            mesh = Mesh(plan: plan, restoring: Saved())
            rebuilding = Rebuilding(plan: plan)
            listened = plan.rooms.map { _ in [] }
            heard = plan.users.map { _ in plan.rooms.map { _ in [] } }
        }

        mutating func tell(_ input: Input, _ at: Int) {
            var made: [Decision] = []
            mesh.handle(input, at: moment(Double(at)), into: &made)
            rows.apply(made.facts)
            for fact in made.facts {
                switch fact {
                case .evidence(let row): take(row)
                case .statement(let statement):
                    rebuilding.take(statement)
                    statements.append(statement)
                default: break
                }
            }
        }

        private mutating func take(_ row: EvidenceRow) {
            rebuilding.take(row)
            guard row.verdict == .taken, let from = row.from else { return }
            let start = Int((from - moment(0)).seconds)
            let room = Int(SessionHistory.rooms[Int(row.node.row) - 1].row) - 1
            var second = 0
            for gap in row.evidence.gaps + [60...60] {
                if second < gap.lowerBound {
                    listened[room].append(start + second..<start + gap.lowerBound)
                }
                second = gap.upperBound + 1
            }
            for run in row.evidence.runs {
                heard[Int(run.beacon.row) - 1][room].append(
                    start + run.first..<start + run.last + 1)
            }
        }

        func stored(_ user: Int) -> [String] {
            rows.sessions(of: plan.users[user].id).map { session in
                words(
                    session.from, session.to, session.inCause, session.outCause, session.breaks,
                    session.review)
            }
        }

        func atOnce(_ user: Int, _ now: Int) -> [String] {
            rebuilding.sessions(of: user, at: moment(Double(now))).map { session in
                words(
                    session.from, session.to, session.inCause, session.outCause, session.breaks,
                    session.review.sorted())
            }
        }

        func plainly(_ user: Int, _ now: Int) -> [String] {
            let plain = PlainSessions(
                heard: heard[user], listened: listened, policy: plan.policy, now: now)
            let said = statements.filter { $0.user == plan.users[user].id }
                .sorted { ($0.at, $0.id) < ($1.at, $1.id) }
                .map { (at: Int(($0.at - moment(0)).seconds), isIn: $0.kind == .checkIn) }
            return plain.sessions(said).map { session in
                let out: Session.OutCause? =
                    session.to == nil ? nil : session.isStatedEnd ? .manual : .lastHeard
                return words(
                    moment(Double(session.from)), session.to.map { moment(Double($0)) },
                    session.isStated ? .manual : .heard, out,
                    session.breaks.map {
                        stretch(Double($0.lowerBound), Double($0.upperBound))
                    }, session.review.sorted())
            }
        }

        private func words(
            _ from: Timestamp, _ to: Timestamp?, _ inCause: Session.InCause,
            _ outCause: Session.OutCause?, _ breaks: [Interval], _ review: [Review]
        ) -> String {
            let text = { (moment: Timestamp) in "\(Int((moment - MeshCoreTests.moment(0)).seconds))"
            }
            let pauses = breaks.map { "\(text($0.from))–\(text($0.to))" }.joined(separator: ",")
            let codes = review.map(\.rawValue).joined(separator: ",")
            return "\(text(from))–\(to.map(text) ?? "open") \(inCause.rawValue)"
                + "/\(outCause?.rawValue ?? "") [\(pauses)] \(codes)"
        }
    }

    /// Compares what is stored at `now` with the sessions after a start from what is stored, and with
    /// those of all evidence at once. Returns the run after the start, and what differs.
    private func compare(
        _ run: Run, _ now: Int, plainly: Bool
    ) -> (restarted: Run, faults: [String]) {
        var restarted = run
        restarted.mesh = Mesh(plan: run.plan, restoring: run.mesh.saved)
        for second in now...now + 2 { restarted.tell(.tick, second) }
        var faults = run.rows.faults
        for user in run.plan.users.indices {
            let stored = run.stored(user)
            let others = [
                ("after a start", restarted.stored(user)), ("at once", run.atOnce(user, now)),
                ("plainly", plainly ? run.plainly(user, now) : stored),
            ]
            for (name, other) in others where other != stored {
                let only = stored.filter { !other.contains($0) }
                let missing = other.filter { !stored.contains($0) }
                faults.append("user \(user + 1) at \(now): stored \(only), \(name) \(missing)")
            }
        }
        return (restarted, faults)
    }

    @Test(arguments: TestLength.seeds(of: 200))
    func `what is stored is what a start makes of it, and all evidence at once`(seed: UInt64) {
        let history = SessionHistory(seed: seed)
        var dice = Dice(seed: ~seed)
        var run = Run(history.plan)
        var faults: [String] = []
        func check(_ now: Int, plainly: Bool) {
            let (restarted, found) = compare(run, now, plainly: plainly)
            faults += found
            if Int.random(in: 0..<5, using: &dice) == 0 { run = restarted }
        }
        for (number, step) in history.steps.enumerated() where faults.isEmpty {
            for input in step.inputs { run.tell(input, step.at) }
            for second in step.at + 1...step.at + 3 { run.tell(.tick, second) }
            check(step.at + 3, plainly: number % 20 == 0)
        }
        var now = max(history.end, history.steps.last?.at ?? 0) + 10
        for hours in [0, 6, 14, 20, 37, 40] where faults.isEmpty {
            now += hours * 3600 / 2
            run.tell(.tick, now)
            check(now, plainly: true)
        }
        #expect(run.mesh.saved.sessions.count < 200)
        #expect(faults == [], "seed \(seed)")
    }
}
