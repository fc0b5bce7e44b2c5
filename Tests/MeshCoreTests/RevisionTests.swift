import Testing

@testable import Positioning
@testable import SiteEngine
@testable import SiteModel

/// A new revision in the middle of what people do: those it is not about notice nothing.
@Suite(.timeLimit(.minutes(2)))
struct RevisionTests {
    /// What was decided of somebody, live and stored, without when the machines wrote their rows.
    private struct Told: Equatable {
        var lives: [Live]
        var facts: [Fact]
    }

    /// Two hundred seconds of a busy site, with `change` in force from a moment on.
    private func told(
        seed: UInt64, policy: Policy, from moment: Double, changed: ((inout Plan) -> Void)?
    ) -> Told {
        var run = SiteRun(plan: MeshSite.plan(policy))
        var isChanged = false
        for step in MeshHistory(seed: seed, seconds: 200).steps {
            if step.at >= moment, !isChanged, let changed {
                isChanged = true
                var plan = MeshSite.plan(policy, revision: 2)
                changed(&plan)
                run.tell(.plan(plan), step.at)
            }
            run.tell(step.input, step.at)
        }
        let known = Set(MeshSite.users)
        return Told(
            lives: run.decisions.lives.filter { live in
                switch live {
                case .presence(let state), .glance(let state): known.contains(state.user)
                case .beacon(let state): state.beacon.row <= 5
                default: true
                }
            },
            facts: run.decisions.facts.filter { fact in
                switch fact {
                case .reasons: true
                default: !fact.isProgress
                }
            })
    }

    private static let changes: [(name: String, change: @Sendable (inout Plan) -> Void)] = [
        ("a name", { _ in }),
        ("a person without a tag", { $0.users.append(User(id: UserID(9))) }),
        (
            "a person with a tag",
            { plan in
                // Before the others in each list: nothing may go by where somebody stands.
                plan.users.insert(User(id: UserID(-4)), at: 0)
                plan.beacons.insert(
                    Beacon(id: BeaconID(-4), identity: .address(99)), at: 0)
                plan.bindings.insert(
                    Binding(
                        beacon: BeaconID(-4), user: UserID(-4), from: Timestamp(milliseconds: 0),
                        to: nil), at: 0)
            }
        ),
    ]

    @Test(arguments: Self.changes.indices, UInt64(1)...30)
    func `who is not changed is decided of as if nothing were`(change: Int, seed: UInt64) {
        let moment = 40 + Double(seed) * 5.3
        let (name, changed) = Self.changes[change]
        var policy = MeshHistory.impatient
        if seed.isMultiple(of: 2) { policy.locating = LocatingPolicy(shadow: .nearest) }
        let without = told(seed: seed, policy: policy, from: moment, changed: nil)
        let with = told(seed: seed, policy: policy, from: moment, changed: changed)
        #expect(without.facts.count > 10)
        Self.expectSame(with.facts, without.facts, name)
        Self.expectSame(with.lives, without.lives, name)
    }

    private static func expectSame<Element: Equatable>(
        _ with: [Element], _ without: [Element], _ name: String
    ) {
        #expect(with.count == without.count, "\(name)")
        let first = zip(with, without).first { $0 != $1 }
        #expect(first == nil, "\(name): \(first.map { "\($0)\nnot\n\($1)" } ?? "")")
    }

    @Test func `another place for locating is no carryover`() {
        let old = MeshSite.plan()
        let others: [(inout Plan) -> Void] = [
            { $0.nodes.removeLast() },
            { $0.rooms[0].area = Area(low: .init(x: 0, y: 0), high: .init(x: 1, y: 1)) },
            { $0.stations[0].position = Position(x: 1, y: 1) },
            { $0.policy.locating = LocatingPolicy(method: .nearest) },
            { $0.beacons[4].anchor = Place(room: MeshSite.yard, station: nil) },
        ]
        for change in others {
            var new = old
            change(&new)
            #expect(Carryover(from: old, to: new) == nil)
        }
        var new = old
        new.beacons[1].identity = .address(77)
        let carried = Carryover(from: old, to: new)
        #expect(carried?.beacons == [0, nil, 2, 3, 4], "another tag is heard anew")
        #expect(carried?.users == [0, 1, 2])
    }

    /// What is told of places is what is told of people, from the same moment on.
    @Test func `who is retired stands nowhere at once`() {
        var run = SiteRun()
        run.stand(at: 2, from: 1, to: 60)
        #expect(run.mesh.live.stations[0].here == [UserID(1)])
        var plan = MeshSite.plan(revision: 2)
        plan.users.removeFirst()
        plan.bindings.removeAll { $0.user == UserID(1) }
        run.tell(.plan(plan), 60.5)
        #expect(run.mesh.live.stations.allSatisfy { $0.here.isEmpty && $0.users.isEmpty })
        #expect(run.mesh.live.rooms.allSatisfy { ($0.count ?? 0) == 0 })
        #expect(run.mesh.live.site.present == 0)
        #expect(run.mesh.live.presences.map(\.user) == [UserID(2), UserID(3)])
    }

    @Test func `a tag that changes hands brings nothing of whom it was with`() {
        var run = SiteRun()
        run.stand(at: 2, from: 1, to: 60)
        var plan = MeshSite.plan(revision: 2)
        for index in plan.bindings.indices where plan.bindings[index].beacon == BeaconID(1) {
            plan.bindings[index].user = UserID(3)
            plan.bindings[index].from = moment(60.5)
        }
        run.tell(.plan(plan), 60.5)
        let before = run.decisions.count
        for second in 61...64 { run.second(Double(second)) }
        let reasons = run.decisions[before...].compactMap { decision -> UserID? in
            if case .fact(.reasons(let reasons)) = decision { reasons.user } else { nil }
        }
        #expect(reasons == [])
        #expect(run.mesh.live.presences[2].place == nil)
        run.stand(at: 3, from: 65, to: 120)
        #expect(run.mesh.live.presences[2].station == MeshSite.rack)
        #expect(run.mesh.saved.stays.allSatisfy { $0.user == UserID(3) || $0.from < moment(60) })
    }

    @Test func `who comes anew is located and comes in`() {
        var run = SiteRun()
        run.stand(at: 2, from: 1, to: 30)
        var plan = MeshSite.plan(revision: 2)
        plan.users.append(User(id: UserID(9)))
        plan.beacons.append(Beacon(id: BeaconID(9), identity: .address(99)))
        plan.bindings.append(
            Binding(
                beacon: BeaconID(9), user: UserID(9), from: Timestamp(milliseconds: 0), to: nil))
        run.tell(.plan(plan), 30.5)
        for second in 31...300 {
            run.second(Double(second), [3: [(9, -50)], 2: [(1, -50)]])
        }
        #expect(run.mesh.saved.sessions.map(\.user).sorted() == [UserID(1), UserID(9)])
        #expect(run.mesh.live.presences.last?.station == MeshSite.rack)
        #expect(run.mesh.live.presences.first?.station == MeshSite.bench)
    }
}
