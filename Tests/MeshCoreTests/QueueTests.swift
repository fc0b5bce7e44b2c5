import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import TrainingEngine

/// Queues of stations: who waits, whom a slot is offered to, and for how long it is kept.
struct QueueTests {
    static let plan = {
        var plan = MeshSite.plan()
        plan.users += (4...60).map { User(id: UserID($0)) }
        for index in plan.stations.indices { plan.stations[index].timing.claimGrace = 60 }
        return plan
    }()

    var training = Training(plan: Self.plan, logs: [], downtimes: [])
    var rows = MeshRows()
    var next: Int64 = 1
    let ann = MeshSite.users[0]
    let ben = MeshSite.users[1]
    let cleo = MeshSite.users[2]
    let bench = MeshSite.bench
    let rack = MeshSite.rack

    private mutating func apply(_ facts: [TrainingFact]) {
        rows.apply(facts.map { Fact($0) })
        #expect(rows.faults == [])
    }

    @discardableResult
    private mutating func ask(
        _ verb: Request.Training, _ user: UserID, _ at: Double
    ) -> Answer.Outcome {
        let (facts, outcome) = training.perform(verb, of: user, at: moment(at), next: &next)
        apply(facts)
        apply(training.settle(at: moment(at), next: &next))
        return outcome
    }

    /// What refuses it; `nil`: it is done.
    @discardableResult
    private mutating func queue(
        _ verb: Request.Queue, _ user: UserID, _ at: Double, _ station: StationID? = nil
    ) -> ProblemCode? {
        let (facts, outcome) = training.perform(
            verb, at: station ?? bench, of: user, at: moment(at), next: &next)
        apply(facts)
        if case .refused(let code, _) = outcome { return code }
        return nil
    }

    private mutating func settle(
        _ at: Double, left: [UserID] = [], day: (Timestamp) -> Int64 = { _ in 0 }
    ) {
        apply(training.settle(at: moment(at), left: left, day: day, next: &next))
    }

    private var offers: [UserID] { training.book.queue(at: bench).offers.map(\.user) }
    private var kinds: [Event.Kind] {
        rows.events.values.sorted { $0.id < $1.id }.map(\.kind)
    }

    @Test
    mutating func `a slot that becomes free is offered to who waits longest, nobody else gets it`()
    {
        ask(.start(bench), ann, 0)
        #expect(queue(.join, ben, 1) == nil && queue(.join, cleo, 2) == nil)
        #expect(training.book.queue(at: bench).length == 2 && offers == [])
        ask(.complete(), ann, 10)
        #expect(offers == [ben])
        #expect(training.book.queue(at: bench).offers.first?.until == moment(70))
        #expect(ask(.start(bench), cleo, 11).isRefusal && ask(.start(bench), ann, 11).isRefusal)
        #expect(queue(.accept, ben, 12) == nil)
        #expect(
            training.book.holders(of: bench) == [ben] && training.book.queue(at: bench).length == 1)
        #expect(rows.waits.values.first { $0.user == ben }?.outcome == .accepted)
        #expect(kinds == [.started, .queued, .queued, .completed, .offered, .started])
    }

    @Test
    mutating func `an offer that nobody takes lapses, and the next is offered it for as long`() {
        ask(.start(bench), ann, 0)
        queue(.join, ben, 1)
        queue(.join, cleo, 2)
        ask(.complete(), ann, 10)
        settle(69)
        #expect(offers == [ben])
        settle(70)
        #expect(
            offers == [cleo] && training.book.queue(at: bench).offers.first?.until == moment(130))
        #expect(queue(.accept, ben, 71) == .expired)
        #expect(queue(.accept, ann, 71) == .badState)
        #expect(rows.waits.values.first { $0.user == ben }?.ended == moment(70))
    }

    @Test mutating func `an offer is late in the millisecond in which it ends, whoever asks first`()
    {
        queue(.join, ben, 0)
        #expect(queue(.accept, ben, 60) == .expired)
        #expect(training.book.queue(at: bench).length == 0)
    }

    @Test mutating func `an offer is accepted once, and by nobody else`() {
        queue(.join, ben, 0)
        #expect(queue(.accept, cleo, 1) == .badState)
        #expect(queue(.accept, ben, 2) == nil)
        #expect(queue(.accept, ben, 3) == .badState)
        #expect(training.open == 1)
    }

    @Test mutating func `whoever starts or moves there has accepted`() {
        queue(.join, ben, 0)
        ask(.start(rack), cleo, 0)
        queue(.join, cleo, 1)
        ask(.start(bench), ben, 2)
        #expect(rows.waits.values.first { $0.user == ben }?.outcome == .accepted)
        ask(.complete(), ben, 5)
        #expect(offers == [cleo])
        ask(.move(bench), cleo, 6)
        #expect(rows.waits.values.first { $0.user == cleo }?.outcome == .accepted)
        #expect(
            training.book.holders(of: bench) == [cleo] && training.book.holders(of: rack).isEmpty)
    }

    @Test mutating func `joining where a slot is free is an offer at once`() {
        #expect(queue(.join, ann, 0) == nil)
        #expect(offers == [ann])
    }

    @Test
    mutating func `one waits at one station, not where one is, and not where it is out of order`() {
        ask(.start(bench), ann, 0)
        #expect(queue(.join, ann, 1) == .badState)
        queue(.join, ben, 1)
        #expect(queue(.join, ben, 2) == .alreadyExists)
        #expect(queue(.join, ben, 2, rack) == .alreadyExists)
        apply(
            training.book.serve(
                rack, isOutOfOrder: true, note: nil, by: "d", at: moment(3), next: &next
            )
            .facts)
        #expect(queue(.join, cleo, 4, rack) == .outOfOrder)
        #expect(queue(.join, cleo, 4, StationID(99)) == .notFound)
        #expect(queue(.leave, cleo, 5) == .badState)
        #expect(queue(.leave, ben, 5) == nil && queue(.leave, ben, 6) == .badState)
    }

    @Test mutating func `out of order takes offers back, and keeps places`() {
        queue(.join, ben, 0)
        apply(
            training.book.serve(
                bench, isOutOfOrder: true, note: nil, by: "d", at: moment(1), next: &next
            )
            .facts)
        settle(1)
        #expect(offers == [] && training.book.queue(at: bench).length == 1)
        #expect(queue(.accept, ben, 2) == .badState)
        apply(
            training.book.serve(
                bench, isOutOfOrder: false, note: nil, by: "d", at: moment(500), next: &next
            ).facts)
        settle(500)
        #expect(training.book.queue(at: bench).offers == [.init(user: ben, until: moment(560))])
    }

    @Test mutating func `a wait ends with the workout, with leaving the site and with the day`() {
        ask(.start(bench), ann, 0)
        for (user, end) in [(ben, 0), (cleo, 1), (UserID(4), 2)] {
            queue(.join, user, Double(end + 1))
        }
        ask(.start(rack), ben, 5)
        ask(.complete(), ben, 6)
        settle(7, left: [cleo])
        #expect(training.book.queue(at: bench).length == 1)
        settle(8) { $0.milliseconds / 1000 < moment(8).second ? 1 : 2 }
        #expect(training.book.queue(at: bench).length == 0)
        #expect(rows.waits.values.allSatisfy { $0.outcome == .ended })
    }

    @Test mutating func `a grace that ended while nobody decided ends at the restart`() {
        ask(.start(bench), ann, 0)
        queue(.join, ben, 1)
        queue(.join, cleo, 2)
        ask(.complete(), ann, 10)
        let waits = rows.waits.values.sorted { $0.id < $1.id }
        training = Training(plan: Self.plan, logs: [], downtimes: [], waits: waits)
        settle(1000)
        #expect(rows.waits.values.first { $0.user == ben }?.ended == moment(1000))
        #expect(training.book.queue(at: bench).offers == [.init(user: cleo, until: moment(1060))])
    }

    @Test mutating func `fifty who join at once are served in their order, nobody is overtaken`() {
        ask(.start(bench), ann, 0)
        let people = (10..<60).map { UserID($0) }
        for user in people { #expect(queue(.join, user, 1) == nil) }
        ask(.complete(), ann, 2)
        var (served, at): ([UserID], Double) = ([], 3)
        while let user = offers.first {
            served.append(user)
            #expect(offers.count == 1 && queue(.accept, user, at) == nil)
            ask(.complete(), user, at + 1)
            at += 2
        }
        #expect(served == people)
    }

    @Test mutating func `two slots are two offers, and who let one pass joins at the end`() {
        #expect(queue(.join, ann, 0, rack) == nil && queue(.join, ben, 0, rack) == nil)
        queue(.join, cleo, 1, rack)
        #expect(training.book.queue(at: rack).offers.map(\.user) == [ann, ben])
        settle(60)
        #expect(training.book.queue(at: rack).offers.map(\.user) == [cleo])
        queue(.join, ann, 61, rack)
        #expect(training.book.queue(at: rack).offers.map(\.user) == [cleo, ann])
        // Joined anew, the old offer is forgotten.
        #expect(queue(.accept, ann, 62, rack) == nil)
    }

    @Test mutating func `presence takes the slot that was offered`() {
        var plan = Self.plan
        plan.stations[0].timing.autoStart = 20
        training = Training(plan: plan, logs: [], downtimes: [])
        queue(.join, ben, 0)
        var watch = StationWatch()
        watch.run = .init(station: bench, since: moment(5), heard: moment(25))
        for (user, holders) in [(cleo, []), (ben, [ben])] {
            let sight = StationSight(
                user: user, watch: watch, confirmed: bench, heard: moment(25))
            apply(training.step([sight], isSettled: true, at: moment(25), next: &next))
            #expect(training.book.holders(of: bench) == holders)
        }
        settle(25)
        #expect(rows.waits.values.map(\.outcome) == [.accepted])
    }

    @Test func `when it will be free is told of at least five uses`() {
        var paces: [StationPace] = []
        for use in 1...5 {
            #expect(paces.first?.median == nil)
            paces.take(
                Claim(
                    id: Int64(use), station: bench, slot: 1, user: ann, workout: 1,
                    from: moment(0), to: moment(Double(use * 100))))
        }
        #expect(paces.first?.median == .seconds(300))
        var (training, next) = (training, Int64(1))
        #expect(training.book.estimate(of: bench, by: paces) == nil)
        _ = training.perform(.start(bench), of: ann, at: moment(1000), next: &next)
        #expect(training.book.estimate(of: bench, by: paces) == moment(1300))
    }

    @Test mutating func `a wait ends with its workout, also with one that ended before it began`() {
        ask(.start(bench), ann, 0)
        ask(.start(rack), ben, 0)
        queue(.join, ben, 10)
        queue(.join, cleo, 11)
        ask(.complete(at: moment(9)), ben, 20)
        let wait = rows.waits.values.first { $0.user == ben }
        #expect(wait?.ended == moment(20) && wait?.outcome == .ended)
        ask(.complete(), ann, 30)
        #expect(offers == [cleo], "nobody waits for the grace of who has gone")
        // Who has ended one may wait again, however late it was said.
        #expect(queue(.join, ben, 40) == nil)
        settle(41)
        #expect(training.book.queue(at: bench).length == 2)
    }
}
