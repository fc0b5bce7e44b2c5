import Testing

@testable import SiteEngine
@testable import SiteModel

/// One user at one level of place, second by second. Entry takes 5 s, lost 10 s, leaving 20 s.
struct LevelMachineTests {
    typealias State = LevelState<RoomID>
    typealias Machine = LevelMachine<RoomID>

    static let timing = Policy.Timing(
        enter: .seconds(5), lost: .seconds(10), leave: .seconds(20))
    static let here = RoomID(1)
    static let there = RoomID(2)

    /// One step of the table. Evidence is heard at second 30.
    struct Row: CustomTestStringConvertible, Sendable {
        var from: State
        var evidence: RoomID?
        var isCovered = true
        var to: State
        var moves: [Machine.Move] = []

        var testDescription: String {
            "\(from), \(evidence.map { "\($0.row)" } ?? "nothing"), \(isCovered)"
        }
    }

    private static func entering(
        _ place: RoomID, _ since: Double, _ heard: Double, _ quiet: Int = 0
    )
        -> State
    { .entering(place, since: moment(since), heard: moment(heard), quiet: quiet) }

    private static func present(
        _ place: RoomID, _ since: Double, _ heard: Double, _ quiet: Int = 0, _ rival: Double? = nil
    ) -> State {
        .present(
            place, since: moment(since), heard: moment(heard), quiet: quiet,
            rival: rival.map { Rival(place: there, since: moment($0)) })
    }

    private static func leaving(_ since: Double, _ heard: Double, _ quiet: Int) -> State {
        .leaving(here, since: moment(since), heard: moment(heard), quiet: quiet)
    }

    static let nobody: [Row] = [
        Row(from: .unknown, evidence: here, to: entering(here, 30, 30)),
        Row(from: .unknown, evidence: here, isCovered: false, to: entering(here, 30, 30)),
        Row(from: .unknown, evidence: nil, to: .notPresent),
        Row(from: .unknown, evidence: nil, isCovered: false, to: .unknown),
        Row(from: .notPresent, evidence: here, to: entering(here, 30, 30)),
        Row(from: .notPresent, evidence: here, isCovered: false, to: entering(here, 30, 30)),
        Row(from: .notPresent, evidence: nil, to: .notPresent),
        Row(from: .notPresent, evidence: nil, isCovered: false, to: .notPresent),
    ]

    static let entry: [Row] = [
        Row(from: entering(here, 26, 29, 2), evidence: here, to: entering(here, 26, 30)),
        Row(
            from: entering(here, 25, 29), evidence: here, to: present(here, 25, 30),
            moves: [.entered(here, at: moment(25))]),
        Row(
            from: entering(here, 25, 29), evidence: here, isCovered: false,
            to: present(here, 25, 30), moves: [.entered(here, at: moment(25))]),
        Row(from: entering(here, 20, 24), evidence: there, to: entering(there, 30, 30)),
        Row(from: entering(here, 26, 27, 3), evidence: nil, to: entering(here, 26, 27, 4)),
        Row(from: entering(here, 26, 27, 4), evidence: nil, to: .notPresent),
        Row(
            from: entering(here, 26, 27, 4), evidence: nil, isCovered: false,
            to: entering(here, 26, 27, 4)),
    ]

    static let stay: [Row] = [
        Row(from: present(here, 0, 29, 1), evidence: here, to: present(here, 0, 30)),
        Row(from: present(here, 0, 29, 1, 29), evidence: here, to: present(here, 0, 30)),
        Row(
            from: present(here, 0, 29), evidence: there, isCovered: false,
            to: present(here, 0, 29, 0, 30)),
        Row(
            from: present(here, 0, 24, 5, 25), evidence: there, to: present(there, 25, 30),
            moves: [.left(here, at: moment(24)), .entered(there, at: moment(25))]),
        Row(from: present(here, 0, 29, 8), evidence: nil, to: present(here, 0, 29, 9)),
        Row(from: present(here, 0, 29, 9), evidence: nil, to: leaving(0, 29, 10)),
        Row(
            from: present(here, 0, 29, 9), evidence: nil, isCovered: false,
            to: present(here, 0, 29, 9)),
        Row(from: present(here, 0, 29, 3, 28), evidence: nil, to: present(here, 0, 29, 4)),
    ]

    static let goodbye: [Row] = [
        Row(from: leaving(0, 15, 14), evidence: here, to: present(here, 0, 30)),
        Row(
            from: leaving(0, 15, 14), evidence: there, isCovered: false,
            to: present(here, 0, 15, 14, 30)),
        Row(
            from: leaving(0, 15, 19), evidence: there, to: entering(there, 30, 30),
            moves: [.left(here, at: moment(15))]),
        Row(from: leaving(0, 15, 14), evidence: nil, to: leaving(0, 15, 15)),
        Row(from: leaving(0, 15, 19), evidence: nil, isCovered: false, to: leaving(0, 15, 19)),
        Row(
            from: leaving(0, 15, 19), evidence: nil, to: .notPresent,
            moves: [.left(here, at: moment(15))]),
    ]

    @Test(arguments: nobody + entry + stay + goodbye)
    func `each state answers evidence and silence as the table says`(row: Row) {
        var machine = Machine(row.from)
        let moves = machine.step(
            evidence: row.evidence.map { ($0, moment(30)) }, isCovered: row.isCovered,
            timing: Self.timing)
        #expect(machine.state == row.to)
        #expect(moves == row.moves)
    }

    /// Tells a machine what is heard, a second each.
    private func run(
        _ machine: inout Machine, _ seconds: Range<Int>, _ evidence: (Int) -> RoomID?
    ) -> [Machine.Move] {
        seconds.flatMap { second in
            machine.step(
                evidence: evidence(second).map { ($0, moment(Double(second))) }, isCovered: true,
                timing: Self.timing)
        }
    }

    /// From one place to another every four seconds, which is too short for an entry.
    @Test func `whoever never settles leaves the old place all the same`() {
        var machine = Machine()
        _ = run(&machine, 0..<10) { _ in Self.here }
        let moves = run(&machine, 10..<100) { $0 / 4 % 2 == 0 ? Self.there : RoomID(3) }
        #expect(moves == [.left(Self.here, at: moment(9))])
        #expect(machine.place == nil)
    }

    @Test func `an entry that takes longer than leaving is believed in the end`() {
        let timing = Policy.Timing(enter: .seconds(5), lost: .seconds(1), leave: .seconds(2))
        var machine = Machine(Self.present(Self.here, 0, 9))
        var moves: [Machine.Move] = []
        for second in 10..<20 {
            moves += machine.step(
                evidence: (Self.there, moment(Double(second))), isCovered: true, timing: timing)
        }
        #expect(moves == [.left(Self.here, at: moment(9)), .entered(Self.there, at: moment(10))])
    }

    @Test func `half a second of patience is enough for one silent second`() {
        let half = Timestamp.Span.seconds(0.5)
        let timing = Policy.Timing(enter: half, lost: half, leave: half)
        var machine = Machine(Self.present(Self.here, 0, 9))
        let moves = machine.step(evidence: nil, isCovered: true, timing: timing)
        #expect(moves == [.left(Self.here, at: moment(9))])
        #expect(machine.state == .notPresent)
    }

    /// Places are last heard at different times, and evidence jumps between them.
    @Test(arguments: UInt64(1)...200)
    func `moves alternate and stays never overlap`(seed: UInt64) {
        var dice = Dice(seed: seed)
        let span = { (range: ClosedRange<Double>) in
            Timestamp.Span.seconds(.random(in: range, using: &dice))
        }
        let enter = span(0.5...6)
        let lost = span(0.5...6)
        let timing = Policy.Timing(enter: enter, lost: lost, leave: lost + span(0...10))
        var machine = Machine()
        var heard: [RoomID: Timestamp] = [:]
        var open: RoomID?
        var newest = moment(0)
        for second in 0..<300 {
            for row in Int64(1)...3 where Int.random(in: 0..<4, using: &dice) == 0 {
                heard[RoomID(row)] = moment(Double(second))
            }
            let place = RoomID(.random(in: 1...4, using: &dice))
            let moves = machine.step(
                evidence: heard[place].map { (place, $0) },
                isCovered: Int.random(in: 0..<5, using: &dice) > 0, timing: timing)
            for move in moves {
                switch move {
                case .entered(let place, let at):
                    #expect(open == nil && at >= newest, "second \(second)")
                    (open, newest) = (place, at)
                case .left(let place, let at):
                    #expect(open == place && at >= newest, "second \(second)")
                    (open, newest) = (nil, at)
                }
            }
            #expect(machine.place == open)
            #expect((machine.since == nil) == (open == nil))
        }
    }

    /// Tells a machine of a tag that is heard in some seconds, for four each, and waited for.
    private func run(
        _ machine: inout Machine, until end: Int, heard: [Int: RoomID], patience: Double
    ) -> [Machine.Move] {
        var newest: (place: RoomID, at: Int)?
        return (0..<end).flatMap { second -> [Machine.Move] in
            if let place = heard[second] { newest = (place, second) }
            let fresh = newest.flatMap { second - $0.at <= 3 ? $0 : nil }
            return machine.step(
                evidence: fresh.map { ($0.place, moment(Double($0.at))) }, isCovered: true,
                timing: Self.timing, patience: .seconds(patience))
        }
    }

    @Test func `a tag that sends seldom enters with two packets that agree`() {
        let heard = [0: Self.here, 10: Self.here, 20: Self.here]
        var machine = Machine()
        #expect(
            run(&machine, until: 30, heard: heard, patience: 30)
                == [.entered(Self.here, at: moment(0))])
        // Not waited for, it never would.
        var impatient = Machine()
        #expect(run(&impatient, until: 30, heard: heard, patience: 0) == [])
    }

    @Test func `packets that do not agree enter nowhere`() {
        var machine = Machine()
        let places = [Self.here, Self.there, RoomID(3)]
        let heard = Dictionary(uniqueKeysWithValues: (0..<12).map { ($0 * 10, places[$0 % 3]) })
        #expect(run(&machine, until: 120, heard: heard, patience: 30) == [])
        #expect(machine.place == nil)
    }

    @Test func `one packet enters nowhere, however long it is waited for`() {
        var machine = Machine()
        #expect(run(&machine, until: 200, heard: [0: Self.here], patience: 30) == [])
        #expect(machine.state == .notPresent)
    }

    @Test func `two packets that are lost make no flap, and a tag that is gone leaves`() {
        var machine = Machine()
        var heard = [0: Self.here, 10: Self.here, 40: Self.here]
        #expect(
            run(&machine, until: 60, heard: heard, patience: 30)
                == [.entered(Self.here, at: moment(0))])
        machine = Machine()
        heard[50] = Self.here
        #expect(
            run(&machine, until: 90, heard: heard, patience: 30)
                == [.entered(Self.here, at: moment(0)), .left(Self.here, at: moment(50))])
    }

    @Test func `two packets that agree on another place are a move`() {
        var machine = Machine()
        let heard = [0: Self.here, 10: Self.here, 20: Self.there, 30: Self.there]
        #expect(
            run(&machine, until: 35, heard: heard, patience: 30) == [
                .entered(Self.here, at: moment(0)), .left(Self.here, at: moment(10)),
                .entered(Self.there, at: moment(20)),
            ])
        var visitor = Machine()
        let back = [0: Self.here, 10: Self.here, 20: Self.there, 30: Self.here, 40: Self.there]
        #expect(
            run(&visitor, until: 45, heard: back, patience: 30)
                == [.entered(Self.here, at: moment(0))])
    }
}
