import Testing

@testable import SiteEngine
@testable import SiteModel

/// A room machine, told once a second. Entry takes 5 s, lost 15 s, leaving 30 s.
@Suite struct CorePresenceTests {
    typealias Machine = LevelMachine<RoomID>

    let timing = Policy.Timing(enter: .seconds(5), lost: .seconds(15), leave: .seconds(30))
    let gym = RoomID(1)
    let hall = RoomID(2)

    func second(_ count: Int) -> Timestamp { Timestamp(second: Int64(count)) }

    /// Steps through seconds with the same evidence.
    func run(
        _ machine: inout Machine, _ seconds: Range<Int>, at place: RoomID?, isCovered: Bool = true
    ) -> [Machine.Move] {
        seconds.flatMap { now in
            machine.step(
                evidence: place.map { ($0, second(now)) }, isCovered: isCovered, timing: timing)
        }
    }

    @Test func `walking past does not enter`() {
        var machine = Machine()
        #expect(run(&machine, 0..<4, at: gym) == [])
        #expect(run(&machine, 4..<60, at: nil) == [])
        #expect(machine.state == .notPresent)
    }

    @Test func `entered is the first heard moment and left the last`() {
        var machine = Machine()
        #expect(run(&machine, 10..<20, at: gym) == [.entered(gym, at: second(10))])
        #expect(run(&machine, 20..<49, at: nil) == [])
        #expect(run(&machine, 49..<50, at: nil) == [.left(gym, at: second(19))])
        #expect(run(&machine, 50..<90, at: nil) == [])
    }

    @Test func `silence nobody could have broken does not count`() {
        var machine = Machine()
        _ = run(&machine, 0..<10, at: gym)
        #expect(run(&machine, 10..<5000, at: nil, isCovered: false) == [])
        #expect(machine.place == gym)
        #expect(run(&machine, 5000..<5029, at: nil) == [])
        #expect(run(&machine, 5029..<5030, at: nil) == [.left(gym, at: second(9))])
    }

    @Test func `a second elsewhere moves nobody`() {
        var machine = Machine()
        _ = run(&machine, 0..<10, at: gym)
        #expect(run(&machine, 10..<12, at: hall) == [])
        #expect(run(&machine, 12..<30, at: gym) == [])
        #expect(machine.since == second(0))
    }

    @Test func `who is heard elsewhere long enough has moved`() {
        var machine = Machine()
        _ = run(&machine, 0..<10, at: gym)
        #expect(
            run(&machine, 10..<20, at: hall)
                == [.left(gym, at: second(9)), .entered(hall, at: second(10))])
        #expect(machine.place == hall)
    }

    @Test func `leaving turns back to present without a new entry`() {
        var machine = Machine()
        _ = run(&machine, 0..<10, at: gym)
        _ = run(&machine, 10..<30, at: nil)
        guard case .leaving = machine.state else {
            Issue.record("not leaving but \(machine.state)")
            return
        }
        #expect(run(&machine, 30..<40, at: gym) == [])
        #expect(machine.since == second(0))
    }

    /// Every state meets every kind of evidence, covered and not; what may follow is listed.
    @Test func `each pair of states is reached only as it may be`() {
        let states: [LevelState<RoomID>] = [
            .unknown, .notPresent,
            .entering(gym, since: second(0), heard: second(3), quiet: 0),
            .entering(gym, since: second(0), heard: second(3), quiet: 4),
            .present(gym, since: second(0), heard: second(9), quiet: 0, rival: nil),
            .present(
                gym, since: second(0), heard: second(9), quiet: 0,
                rival: Rival(place: hall, since: second(4))),
            .present(gym, since: second(0), heard: second(9), quiet: 14, rival: nil),
            .leaving(gym, since: second(0), heard: second(9), quiet: 29),
        ]
        let allowed: [String: Set<String>] = [
            "unknown": ["unknown", "notPresent", "entering"],
            "notPresent": ["notPresent", "entering"],
            "entering": ["entering", "notPresent", "present"],
            "present": ["present", "leaving"],
            "leaving": ["leaving", "present", "notPresent", "entering"],
        ]
        var seen: [String: Set<String>] = [:]
        for state in states {
            for place in [nil, gym, hall] {
                for isCovered in [true, false] {
                    var machine = Machine(state)
                    _ = run(&machine, 10..<11, at: place, isCovered: isCovered)
                    seen[name(state), default: []].insert(name(machine.state))
                }
            }
        }
        #expect(seen == allowed)
    }

    func name(_ state: LevelState<RoomID>) -> String {
        switch state {
        case .unknown: "unknown"
        case .notPresent: "notPresent"
        case .entering: "entering"
        case .present: "present"
        case .leaving: "leaving"
        }
    }

    /// Whatever is heard: entries and leavings alternate, and no stay ends before it began.
    @Test(arguments: UInt64(1)...200) func `stays follow each other`(seed: UInt64) {
        var dice = Dice(seed: seed)
        var machine = Machine()
        var open: (place: RoomID, from: Timestamp)?
        var last = second(0)
        for now in 0..<400 {
            let place = [nil, gym, gym, hall][dice.roll(now / 40 % 2 == 0 ? 4 : 2)]
            for move in run(&machine, now..<now + 1, at: place, isCovered: dice.roll(8) > 0) {
                switch move {
                case .entered(let room, let at):
                    #expect(open == nil && at >= last, "seed \(seed)")
                    open = (room, at)
                    last = at
                case .left(let room, let at):
                    #expect(open?.place == room && at >= last, "seed \(seed)")
                    open = nil
                    last = at
                }
            }
            #expect(open?.place == machine.place, "seed \(seed)")
        }
    }
}

extension Dice {
    /// A number below `sides`.
    mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &self) }
}
