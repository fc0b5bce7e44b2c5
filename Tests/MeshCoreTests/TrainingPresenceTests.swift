import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import TrainingEngine

/// Workouts that begin, move, pause, go on and end by themselves: the rules, without a radio.
struct TrainingPresenceTests {
    static let plan = {
        var plan = MeshSite.plan()
        for index in plan.stations.indices {
            plan.stations[index].timing = .init(autoStart: 20, autoPause: 120)
        }
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

    @discardableResult
    private mutating func ask(
        _ verb: Request.Training, _ user: UserID, _ at: Double
    ) -> Answer.Outcome {
        let (facts, outcome) = training.perform(verb, of: user, at: moment(at), next: &next)
        rows.apply(facts.map { Fact($0) })
        return outcome
    }

    /// Somebody who is at a station since a moment, and heard there now.
    private func at(
        _ station: StationID, _ user: UserID, since: Double, now: Double, isSure: Bool = true
    ) -> StationSight {
        var watch = StationWatch()
        watch.run = .init(station: station, since: moment(since), heard: moment(now))
        watch.heard = moment(now)
        return StationSight(
            user: user, watch: watch, confirmed: isSure ? station : nil, heard: moment(now))
    }

    /// Somebody who was last heard at a station at a moment, and has been silent for so many listened seconds.
    private func away(
        _ user: UserID, since: Double, for listened: Int, asked: Double? = nil
    ) -> StationSight {
        var watch = StationWatch()
        watch.heard = moment(since)
        watch.away = listened
        watch.asked = asked.map { moment($0) }
        return StationSight(user: user, watch: watch, confirmed: nil, heard: moment(since))
    }

    @discardableResult
    private mutating func step(
        _ now: Double, _ sights: StationSight..., isSettled: Bool = true
    ) -> [TrainingFact] {
        let facts = training.step(sights, isSettled: isSettled, at: moment(now), next: &next)
        rows.apply(facts.map { Fact($0) })
        #expect(rows.faults == [])
        return facts
    }

    @Test
    mutating func
        `a workout begins once somebody was at a station long enough, as of when they came`()
    {
        #expect(step(19, at(bench, ann, since: 0, now: 19)).isEmpty)
        step(20, at(bench, ann, since: 0, now: 20))
        let workout = training.latest(of: ann)
        #expect(workout?.from == moment(0) && workout?.cause == .presence)
        #expect(workout?.station == bench && training.book.holders(of: bench) == [ann])
        #expect(rows.events.values.map(\.kind) == [.started])
        #expect(step(21, at(bench, ann, since: 0, now: 21)).isEmpty)
    }

    @Test
    mutating func `a doubtful place begins nothing, nor does a station without automatic starts`() {
        #expect(step(60, at(bench, ann, since: 0, now: 60, isSure: false)).isEmpty)
        var plan = Self.plan
        plan.stations[0].timing.autoStart = nil
        training = Training(plan: plan, logs: [], downtimes: [])
        #expect(step(600, at(bench, ann, since: 0, now: 600)).isEmpty)
    }

    @Test mutating func `more people than slots begin nothing until one has gone`() {
        let both = [at(bench, ann, since: 0, now: 30), at(bench, ben, since: 5, now: 30)]
        #expect(step(30, both[0], both[1]).isEmpty)
        step(40, at(bench, ben, since: 5, now: 40))
        #expect(training.latest(of: ben)?.from == moment(5) && training.latest(of: ann) == nil)
    }

    @Test mutating func `of two who qualify in one second the one who came first is served first`()
    {
        // Three at a rack of two slots are a crowd; two are not, and the third of its slots is taken.
        ask(.start(rack), cleo, 0)
        step(40, at(rack, ben, since: 3, now: 40), at(rack, ann, since: 9, now: 40))
        #expect(training.latest(of: ben)?.from == moment(3))
        #expect(training.latest(of: ann) == nil)
        #expect(training.book.holders(of: rack) == [cleo, ben])
    }

    @Test mutating func `who has not agreed, and who ended one just now, begins none`() {
        var plan = Self.plan
        plan.users[1].hasAgreed = false
        training = Training(plan: plan, logs: [], downtimes: [])
        #expect(step(60, at(bench, ben, since: 0, now: 60)).isEmpty)
        ask(.start(rack), ann, 60)
        ask(.complete(), ann, 100)
        #expect(step(220, at(bench, ann, since: 110, now: 220)).isEmpty)
        step(221, at(bench, ann, since: 110, now: 221))
        #expect(training.latest(of: ann)?.from == moment(110))
    }

    @Test mutating func `one that was cancelled is not begun again where its user sits`() {
        step(20, at(bench, ann, since: 0, now: 20))
        ask(.cancel, ann, 30)
        #expect(step(500, at(bench, ann, since: 0, now: 500)).isEmpty)
        step(900, at(bench, ann, since: 600, now: 900))
        #expect(training.latest(of: ann)?.from == moment(600))
    }

    @Test(arguments: [Request.Training.complete(), .cancel])
    mutating func `who ends one and stays is not started again until they have been away`(
        _ end: Request.Training
    ) {
        step(20, at(bench, ann, since: 0, now: 20))
        ask(end, ann, 50)
        for now in [51.0, 171, 500, 3000] {
            #expect(step(now, at(bench, ann, since: 0, now: now)).isEmpty, "\(now)")
        }
        #expect(training.book.holders(of: bench).isEmpty)
        step(3120, at(bench, ann, since: 3100, now: 3120))
        #expect(training.latest(of: ann)?.from == moment(3100))
    }

    @Test mutating func `back at their station they begin at once, at another after two minutes`() {
        step(20, at(bench, ann, since: 0, now: 20))
        ask(.complete(), ann, 50)
        #expect(step(170, at(rack, ann, since: 60, now: 170)).isEmpty)
        step(171, at(rack, ann, since: 60, now: 171))
        #expect(training.latest(of: ann)?.from == moment(60))
        ask(.complete(), ann, 200)
        step(240, at(rack, ann, since: 220, now: 240))
        #expect(training.latest(of: ann)?.from == moment(220))
    }

    @Test mutating func `the claim moves along, as of when its user came there`() {
        ask(.start(bench), ann, 0)
        #expect(step(69, at(rack, ann, since: 50, now: 69)).isEmpty)
        step(70, at(rack, ann, since: 50, now: 70))
        #expect(
            rows.claims.values.sorted { $0.id < $1.id }.map(\.from) == [0, 50].map { moment($0) })
        #expect(
            training.book.holders(of: rack) == [ann] && training.book.holders(of: bench).isEmpty)
        #expect(training.latest(of: ann)?.station == rack)
    }

    @Test mutating func `it waits where no slot is free, and comes as of when one is`() {
        ask(.start(bench), ben, 0)
        ask(.start(rack), ann, 0)
        #expect(step(60, at(bench, ann, since: 10, now: 60)).isEmpty)
        #expect(training.book.holders(of: rack) == [ann])
        ask(.complete(), ben, 75)
        step(76, at(bench, ann, since: 10, now: 76))
        #expect(
            training.book.holders(of: bench) == [ann] && training.book.holders(of: rack).isEmpty)
        #expect(rows.claims.values.max { $0.id < $1.id }?.from == moment(75))
    }

    @Test mutating func `whoever says that they are elsewhere is not moved back`() {
        step(20, at(bench, ann, since: 0, now: 20))
        ask(.move(rack), ann, 30)
        #expect(step(90, at(bench, ann, since: 0, now: 90)).isEmpty)
        ask(.move(nil), ann, 100)
        #expect(step(160, at(bench, ann, since: 0, now: 160)).isEmpty)
        // Elsewhere they are believed again.
        step(300, at(rack, ann, since: 200, now: 300))
        #expect(training.book.holders(of: rack) == [ann])
    }

    @Test mutating func `a workout begun nowhere finds the station where its user already is`() {
        ask(.start(nil), ann, 30)
        step(31, at(bench, ann, since: 0, now: 31))
        #expect(training.book.holders(of: bench) == [ann])
        #expect(rows.claims.values.map(\.from) == [moment(30)])
    }

    @Test
    mutating func `away long enough pauses it as of the last second there, and frees the slot`() {
        step(20, at(bench, ann, since: 0, now: 20))
        #expect(step(219, away(ann, since: 100, for: 119)).isEmpty)
        step(220, away(ann, since: 100, for: 120))
        let workout = training.latest(of: ann)
        #expect(workout?.state == .paused && workout?.pausedSince == moment(100))
        #expect(workout?.pausedCause == .left && workout?.station == nil)
        #expect(training.book.holders(of: bench).isEmpty)
        #expect(rows.claims.values.map(\.to) == [moment(100)])
        #expect(rows.events.values.max { $0.id < $1.id }?.place == .station(bench))
    }

    @Test mutating func `back at a station it goes on as of the first second there, with its slot`()
    {
        step(20, at(bench, ann, since: 0, now: 20))
        step(220, away(ann, since: 100, for: 120))
        step(310, at(bench, ann, since: 300, now: 310))
        let workout = training.latest(of: ann)
        #expect(workout?.state == .active && workout?.pauses.map(\.to) == [moment(300)])
        #expect(training.book.holders(of: bench) == [ann])
    }

    @Test mutating func `back when somebody else has the slot it goes on without`() {
        step(20, at(bench, ann, since: 0, now: 20))
        step(220, away(ann, since: 100, for: 120))
        ask(.start(bench), ben, 250)
        step(310, at(bench, ann, since: 300, now: 310))
        #expect(training.latest(of: ann)?.state == .active)
        #expect(
            training.book.holders(of: bench) == [ben] && training.latest(of: ann)?.station == nil)
        // Away again, it is paused again.
        step(600, away(ann, since: 400, for: 120))
        #expect(training.latest(of: ann)?.pausedSince == moment(400))
    }

    @Test mutating func `what somebody paused themselves goes on only when they say so`() {
        step(20, at(bench, ann, since: 0, now: 20))
        step(220, away(ann, since: 100, for: 120))
        ask(.pause, ann, 230)
        #expect(step(310, at(bench, ann, since: 300, now: 310)).isEmpty)
        ask(.resume, ann, 320)
        #expect(training.latest(of: ann)?.state == .active)
    }

    @Test mutating func `one without a station, and one that never pauses, is not paused`() {
        ask(.start(nil), ann, 0)
        #expect(step(900, away(ann, since: 0, for: 900, asked: 0)).isEmpty)
        var plan = Self.plan
        plan.stations[0].timing.autoPause = nil
        training = Training(plan: plan, logs: [], downtimes: [])
        ask(.start(bench), ben, 0)
        #expect(step(900, away(ben, since: 0, for: 900, asked: 0)).isEmpty)
    }

    @Test mutating func `four hours without a sign end it at the last one`() {
        ask(.start(nil), ann, 0)
        let hours = 4.0 * 3600
        #expect(step(hours + 99, away(ann, since: 60, for: 0, asked: 100)).isEmpty)
        #expect(
            step(hours + 100, away(ann, since: 60, for: 0, asked: 100), isSettled: false).isEmpty)
        step(hours + 100, away(ann, since: 60, for: 0, asked: 100))
        let workout = training.latest(of: ann)
        #expect(workout?.state == .abandoned && workout?.to == moment(100))
        #expect(rows.events.values.max { $0.id < $1.id }?.kind == .abandoned)
        #expect(ask(.reopen, ann, hours + 200).isRefusal == false)
    }

    @Test
    mutating func `a pause that began with the last sign is dropped, an earlier one ends there`() {
        for (heard, pauses) in [(10.0, 0), (60.0, 1)] {
            training = Training(plan: Self.plan, logs: [], downtimes: [])
            rows = MeshRows()
            ask(.start(nil), ann, 0)
            ask(.pause, ann, 10)
            step(5 * 3600, away(ann, since: heard, for: 0, asked: 10))
            let workout = training.latest(of: ann)
            #expect(workout?.to == moment(heard) && workout?.pauses.count == pauses)
            #expect(workout?.pausedSince == nil)
        }
    }

    @Test mutating func `a tag that lies at a station all night is no sign, and begins nothing`() {
        step(20, at(bench, ann, since: 0, now: 20))
        let hours = 3600.0
        #expect(step(7.9 * hours, at(bench, ann, since: 0, now: 7.9 * hours)).isEmpty)
        step(8 * hours, at(bench, ann, since: 0, now: 8 * hours))
        #expect(training.latest(of: ann)?.state == .abandoned)
        #expect(training.latest(of: ann)?.to == moment(4 * hours))
        #expect(training.book.holders(of: bench).isEmpty)
        #expect(step(9 * hours, at(bench, ann, since: 0, now: 9 * hours)).isEmpty)
    }

    @Test mutating func `a station out of order takes nobody in by itself`() {
        _ = training.book.serve(
            bench, isOutOfOrder: true, note: nil, by: "desk", at: moment(0), next: &next)
        #expect(step(60, at(bench, ann, since: 0, now: 60)).isEmpty)
    }

    @Test func `a run lasts over short silences, and begins anew after a long one`() {
        var watch = StationWatch()
        func hear(_ heard: Double, quiet: Int = 0, since: Double = 0, at station: StationID? = nil)
        {
            watch.follow(
                .present(
                    station ?? bench, since: moment(since), heard: moment(heard), quiet: quiet,
                    rival: nil), lost: .seconds(10), isAway: true)
        }
        hear(5)
        hear(5, quiet: 9)
        #expect(watch.run?.since == moment(0) && watch.away == 1)
        hear(15)
        #expect(watch.run?.length == .seconds(15) && watch.away == 0)
        watch.follow(
            .leaving(bench, since: moment(0), heard: moment(15), quiet: 10), lost: .seconds(10),
            isAway: true)
        #expect(watch.run == nil && watch.away == 1)
        hear(30)
        #expect(watch.run == .init(station: bench, since: moment(30), heard: moment(30)))
        hear(50, since: 40, at: rack)
        #expect(watch.run == .init(station: rack, since: moment(40), heard: moment(50)))
        watch.follow(.notPresent, lost: .seconds(10), isAway: false)
        #expect(watch.run == nil && watch.away == 0 && watch.heard == moment(50))
    }
}
