import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import TrainingEngine

/// Workouts that begin, pause and go on by themselves, from what nodes hear.
struct MeshTrainingTests {
    static let plan = {
        var plan = MeshSite.plan()
        for index in plan.stations.indices {
            plan.stations[index].timing = .init(autoStart: 20, autoPause: 60)
        }
        return plan
    }()

    var run = SiteRun(plan: Self.plan)
    let ann = MeshSite.users[0]

    private var workout: Workout? { run.mesh.training.latest(of: ann) }

    /// Nobody is heard, by nodes that listen.
    private mutating func silence(from: Int, to: Int, nodes: ClosedRange<Int64> = 1...5) {
        for second in from...to { run.second(Double(second), nodes: nodes) }
    }

    @Test mutating func `who stands at the bench trains there since they came`() throws {
        silence(from: 0, to: 9)
        run.stand(at: 2, from: 10, to: 60)
        let workout = try #require(workout)
        #expect(workout.cause == .presence && workout.station == MeshSite.bench)
        #expect(workout.from >= moment(10) && workout.from <= moment(13))
        #expect(run.mesh.saved.workouts.map(\.workout) == [workout])
    }

    @Test mutating func `who goes is paused as of the last second, and goes on when they are back`()
        throws
    {
        run.stand(at: 2, from: 0, to: 60)
        silence(from: 61, to: 130)
        let paused = try #require(workout)
        #expect(paused.pausedCause == .left)
        #expect(try #require(paused.pausedSince) >= moment(59))
        #expect(try #require(paused.pausedSince) <= moment(61))
        #expect(run.mesh.training.book.holders(of: MeshSite.bench).isEmpty)
        run.stand(at: 2, from: 131, to: 160)
        #expect(workout?.state == .active)
        #expect(run.mesh.training.book.holders(of: MeshSite.bench) == [ann])
        #expect(try #require(workout?.pauses.first?.to) >= moment(131))
        #expect(try #require(workout?.pauses.first?.to) <= moment(140))
    }

    @Test mutating func `a time in which nobody listens pauses nothing`() {
        run.stand(at: 2, from: 0, to: 60)
        for second in 61...400 { run.tell(.tick, Double(second)) }
        #expect(workout?.state == .active)
    }

    @Test mutating func `a restart in any second of it changes nothing`() throws {
        var undisturbed = SiteRun(plan: Self.plan)
        undisturbed.stand(at: 2, from: 0, to: 60)
        for second in 61...200 { undisturbed.second(Double(second)) }
        let truth = try #require(undisturbed.mesh.training.latest(of: ann))
        for cut in stride(from: 32, to: 130, by: 7) {
            var run = SiteRun(plan: Self.plan)
            for second in 0...200 {
                if second == cut { run = SiteRun(plan: Self.plan, saved: run.mesh.saved) }
                run.second(Double(second), second <= 60 ? [2: [(beacon: 1, level: -50)]] : [:])
            }
            let workout = try #require(run.mesh.training.latest(of: ann), "cut at \(cut)")
            #expect(workout.from == truth.from, "cut at \(cut)")
            let since = try #require(workout.pausedSince, "cut at \(cut)")
            let told = try #require(truth.pausedSince)
            // What the last seconds before a cut told is lost with them.
            #expect(since <= told && told - since <= .seconds(10), "cut at \(cut)")
        }
    }

    @Test
    mutating func `to and fro between two stations is one workout, at places that were believed`() {
        for second in 0..<3600 {
            let node: Int64 = second / 3 % 2 == 0 ? 2 : 3
            run.second(Double(second), [node: [(beacon: 1, level: -50)]])
        }
        #expect(run.mesh.saved.workouts.count <= 1)
        #expect(run.mesh.saved.workouts.first?.claims.count ?? 0 <= 3)
    }

    @Test mutating func `a station that is retired in the middle takes nothing with it`() {
        run.stand(at: 2, from: 0, to: 60)
        var plan = Self.plan
        plan.revision = 2
        plan.stations.removeFirst()
        plan.nodes[1].station = nil
        run.tell(.plan(plan), 60.5)
        silence(from: 61, to: 200)
        #expect(workout?.to == nil && workout?.station == nil)
        #expect(run.mesh.training.book.holders(of: MeshSite.bench).isEmpty)
    }

    @Test mutating func `two tags of one person at two stations are one workout`() {
        for second in 0...120 {
            run.second(
                Double(second),
                [2: [(beacon: 1, level: -50)], 3: [(beacon: 4, level: -52)]])
        }
        #expect(run.mesh.saved.workouts.count <= 1)
        #expect(run.mesh.saved.workouts.flatMap(\.claims).filter { $0.to == nil }.count <= 1)
    }

    @Test mutating func `what somebody is asked for is a sign, a refusal and a repeat are none`() {
        run.ask(.training(ann, .start(nil)), id: "a", 0)
        run.tell(.tick, 400)
        run.ask(.training(ann, .start(nil)), id: "b", 3600)
        run.ask(.training(ann, .start(nil)), id: "a", 3700)
        run.tell(.tick, 4 * 3600 + 10)
        #expect(workout?.state == .abandoned && workout?.to == moment(0))
    }

    @Test mutating func `whoever takes an offer from afar has the whole time to come`() throws {
        let ben = MeshSite.users[1]
        run.stand(at: 2, from: 0, to: 60)
        run.ask(.training(ben, .start(MeshSite.rack)), id: "b", 61)
        run.ask(.queue(ann, .join, MeshSite.rack), id: "j", 62)
        // Nearly paused, they take a slot by phone.
        silence(from: 63, to: 115)
        run.ask(.queue(ann, .accept, MeshSite.rack), id: "a", 115.5)
        #expect(run.mesh.training.book.holders(of: MeshSite.rack) == [ben, ann])
        silence(from: 116, to: 170)
        #expect(workout?.state == .active)
        silence(from: 171, to: 185)
        #expect(workout?.state == .paused)
    }

    @Test mutating func `who finishes at the bench and stays there trains no more`() {
        run.stand(at: 2, from: 0, to: 60)
        run.ask(.training(ann, .complete()), id: "1", 60.5)
        run.stand(at: 2, from: 61, to: 400)
        #expect(workout?.state == .completed)
        #expect(run.mesh.training.book.holders(of: MeshSite.bench).isEmpty)
        silence(from: 401, to: 460)
        run.stand(at: 2, from: 461, to: 500)
        #expect(workout?.state == .active && (workout?.from ?? moment(0)) >= moment(461))
    }
}
