import Testing

@testable import SiteModel

/// A new plan without somebody, while they are in and training.
struct MeshRetirementTests {
    var run = SiteRun()

    @Test mutating func `whoever is retired is checked out, their workout and claim end`() throws {
        let ann = MeshSite.plan(revision: 1).users[0].id
        run.stand(at: 2, from: 1, to: 30)
        run.ask(.training(ann, .start(MeshSite.bench)), id: "1", 31)
        var plan = MeshSite.plan(revision: 2)
        plan.users.removeAll { $0.id == ann }
        plan.bindings.removeAll { $0.user == ann }
        let ended = run.tell(.plan(plan), 40).facts
        var rows = MeshRows()
        rows.apply(run.decisions.facts)
        #expect(rows.faults == [])
        #expect(run.mesh.saved.stays == [])
        #expect(run.mesh.saved.claims == [])
        #expect(run.mesh.saved.sessions.allSatisfy { $0.to != nil })
        #expect(run.mesh.saved.workouts.allSatisfy { $0.workout.state == .completed })
        let kinds = ended.compactMap { fact -> Event.Kind? in
            if case .event(let event) = fact { event.kind } else { nil }
        }
        #expect(kinds == [.left, .left, .checkedOut, .completed])
    }
}
