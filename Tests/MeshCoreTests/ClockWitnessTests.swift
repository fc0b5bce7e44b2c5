import Testing

@testable import SiteEngine
@testable import SiteModel

/// A node's clock is believed by two messages, never by one.
struct ClockWitnessTests {
    var coverage = Coverage(plan: MeshSite.plan(), saved: Saved().site)
    let node = NodeID(1)

    /// The second of a frame whose own ends `stamp` seconds after the start.
    private mutating func second(_ stamp: Double, arriving now: Double) -> Double? {
        coverage.heard(MeshSite.frame(moment(stamp)), from: node, at: moment(now))
            .map { ($0.second - moment(0)).seconds }
    }

    @Test mutating func `one frame four seconds ahead moves nothing`() {
        for stamp in stride(from: 10.0, to: 20, by: 1) { _ = second(stamp, arriving: stamp + 0.1) }
        #expect(second(24, arriving: 20.1) == nil)
        for stamp in stride(from: 21.0, to: 40, by: 1) {
            #expect(second(stamp, arriving: stamp + 0.1) == stamp - 1)
        }
        #expect(coverage.clocks[0].offset == .milliseconds(100))
    }

    /// The machines start from what is stored, with our own clock an hour ahead of what it was.
    @Test mutating func `after a start by another clock all is placed by that one`() {
        for stamp in stride(from: 10.0, to: 20, by: 1) { _ = second(stamp, arriving: stamp) }
        coverage = Coverage(
            plan: MeshSite.plan(),
            saved: SiteRow(
                clock: moment(20), next: 1, coverage: coverage.rooms, clocks: coverage.clocks))
        var placed: [Double] = []
        for stamp in stride(from: 21.0, to: 40, by: 1) {
            let now = moment(3600 + stamp)
            let isPlaced = second(stamp, arriving: 3600 + stamp).map { placed.append($0) } != nil
            #expect(coverage.isUndecided(node, boot: 1, at: now) != isPlaced)
        }
        // Five seconds, not thirty.
        #expect(placed == stride(from: 3625.0, to: 3639, by: 1).map { $0 })
        let early = coverage.clocks[0].place(second: moment(20).second)
        #expect(early == moment(3620), "what came meanwhile is placed alike, as evidence")
    }

    /// Whoever came while nothing ran has a session by one clock: what was heard then waits for the first message,
    /// and is placed as what follows.
    @Test(arguments: [3600.0, -3600])
    mutating func `after a pause nothing is placed before a message says what the clock is`(
        ahead: Double
    ) {
        for stamp in stride(from: 10.0, to: 20, by: 1) { _ = second(stamp, arriving: stamp) }
        coverage = Coverage(
            plan: MeshSite.plan(),
            saved: SiteRow(
                clock: moment(20), next: 1, coverage: coverage.rooms, clocks: coverage.clocks))
        coverage.resume(from: moment(20), at: moment(60 + ahead))
        let (before, after) = (moment(20), moment(50))
        let now = moment(60 + ahead)
        #expect(coverage.isUndecided(node, boot: 1, until: after, at: now))
        #expect(!coverage.isUndecided(node, boot: 1, until: before, at: now))
        #expect(!coverage.isUndecided(node, boot: 1, until: after, at: now + .seconds(61)))
        for stamp in stride(from: 60.0, to: 70, by: 1) {
            _ = second(stamp, arriving: stamp + ahead)
        }
        #expect(!coverage.isUndecided(node, boot: 1, until: after, at: moment(70 + ahead)))
        let seconds = moment(10).second...moment(65).second
        #expect(
            coverage.clocks[0].place(seconds) == [
                Interval(from: moment(10), to: moment(20)),
                Interval(from: moment(20 + ahead), to: moment(66 + ahead)),
            ])
    }

    @Test mutating func `delivered twice it is no second witness`() {
        for stamp in stride(from: 10.0, to: 20, by: 1) { _ = second(stamp, arriving: stamp) }
        #expect(second(24, arriving: 20) == nil)
        #expect(second(24, arriving: 20.2) == nil)
        #expect(second(21, arriving: 21) == 20)
    }

    @Test mutating func `two of them half a minute apart are none either`() {
        for stamp in stride(from: 10.0, to: 20, by: 1) { _ = second(stamp, arriving: stamp) }
        #expect(second(24, arriving: 20) == nil)
        for stamp in stride(from: 21.0, through: 50, by: 1) { _ = second(stamp, arriving: stamp) }
        #expect(second(55, arriving: 51) == nil)
        #expect(second(52, arriving: 52) == 51)
    }

    @Test mutating func `two quick messages after slow ones are believed`() {
        for stamp in stride(from: 10.0, to: 20, by: 1) { _ = second(stamp, arriving: stamp + 3) }
        #expect(second(20, arriving: 20.1) == nil)
        #expect(second(21, arriving: 21.2) == 20)
        #expect(coverage.clocks[0].offset == .milliseconds(100))
    }

    /// The first message of a process is no better than others: what it said is made up for.
    @Test(arguments: [4.0, -4, 1, 9.9])
    mutating func `a damaged first frame is outvoted`(off: Double) {
        _ = second(10 + off, arriving: 10.1)
        var placed = 0
        for stamp in stride(from: 11.0, to: 40, by: 1) {
            guard let second = second(stamp, arriving: stamp + 0.1) else { continue }
            #expect(second == stamp - 1)
            placed += 1
        }
        #expect(placed >= 28)
        for stamp in stride(from: -60.0, to: 60, by: 1) {
            let place = coverage.clocks[0].place(second: moment(stamp).second)
            #expect((place - moment(stamp)).seconds == 0)
        }
    }

    @Test mutating func `a process that was heard once goes by that message`() {
        coverage.beat(boot: 1, at: moment(10), from: node, at: moment(110))
        #expect(coverage.clocks.map(\.offset) == [.seconds(100)])
        #expect(second(11, arriving: 111) == 110)
    }

    @Test mutating func `what is not confirmed yet is saved`() {
        for stamp in stride(from: 10.0, to: 20, by: 1) { _ = second(stamp, arriving: stamp + 3) }
        #expect(second(20, arriving: 20.1) == nil)
        coverage = Coverage(
            plan: MeshSite.plan(),
            saved: SiteRow(
                clock: moment(20), next: 1, coverage: coverage.rooms, clocks: coverage.clocks))
        #expect(second(21, arriving: 21.2) == 20)
    }

    /// What a bit that flipped on its way makes of one time stamp, at any place of the stream.
    @Test(arguments: UInt64(1)...200)
    func `one damaged frame changes no second of the others`(seed: UInt64) {
        var dice = Dice(seed: seed)
        let lead = Double(Int.random(in: -100_000...100_000, using: &dice)) + 0.2
        let count = 120
        let victim = Int.random(in: 0..<count, using: &dice)
        let flip = Int64(1) << Int64.random(in: 10...24, using: &dice)
        let arrivals = (0..<count).map { Double($0) + .random(in: 0.005...0.2, using: &dice) }
        var clean = Coverage(plan: MeshSite.plan(), saved: Saved().site)
        var damaged = clean
        var missing = 0
        for index in 0..<count {
            let told = moment(Double(index) - lead)
            let now = moment(arrivals[index])
            let beat = moment(arrivals[index] - lead - 0.1)
            for isDamaged in [false, true] where index % 2 == 0 {
                if isDamaged {
                    damaged.beat(boot: 1, at: beat, from: node, at: now)
                } else {
                    clean.beat(boot: 1, at: beat, from: node, at: now)
                }
            }
            let right = clean.heard(MeshSite.frame(told), from: node, at: now)?.second
            let wrong = Timestamp(milliseconds: told.milliseconds ^ flip)
            let other = damaged.heard(
                MeshSite.frame(index == victim ? wrong : told), from: node, at: now)?.second
            guard index != victim else { continue }
            if other == nil {
                missing += 1
            } else {
                #expect(other == right, "seed \(seed), frame \(index) of \(victim)")
            }
        }
        #expect(missing <= 1, "seed \(seed)")
        for index in 0..<count {
            let second = moment(Double(index) - lead).second
            #expect(
                clean.clocks[0].place(second: second) == damaged.clocks[0].place(second: second),
                "seed \(seed)")
        }
    }

    /// Nobody was heard in the damaged frame, so that sessions depend on the others alone.
    @Test(arguments: UInt64(1)...40)
    func `one damaged frame changes no session`(seed: UInt64) {
        var dice = Dice(seed: seed)
        let history = EvidenceHistory(seed: seed)
        let steps = history.frames(&dice) + history.beats(&dice)
        let sorted = steps.sorted { $0.at < $1.at }
        let place = Int.random(in: 5..<sorted.count, using: &dice)
        let ahead = Double.random(in: 1...3600, using: &dice)
        func sessions(damaged: Bool) -> [String] {
            var run = SiteRun(plan: MeshSite.plan(MeshHistory.impatient))
            for (index, step) in sorted.enumerated() {
                run.tell(step.input, step.at)
                guard damaged, index == place, case .frame(var frame, let node) = step.input else {
                    continue
                }
                frame.at = frame.at + .seconds(ahead)
                frame.entries = []
                run.tell(.frame(frame, from: node), step.at)
            }
            for second in 300...330 { run.tell(.tick, Double(second)) }
            var rows = MeshRows()
            rows.apply(run.decisions.facts)
            return MeshSite.users.flatMap { user in
                rows.sessions(of: user).map { "\(user.row): \($0.from) \($0.to as Any)" }
            }
        }
        #expect(sessions(damaged: true) == sessions(damaged: false), "seed \(seed)")
    }
}
