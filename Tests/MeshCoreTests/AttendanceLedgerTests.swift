import Testing

@testable import SiteEngine
@testable import SiteModel

/// The same ledger as flags, a second each: slow and plain.
private struct PlainLedger {
    static let count = 700
    var heard: [[Bool]]
    var listened: [[Bool]]

    init(rooms: Int) {
        heard = Array(repeating: Array(repeating: false, count: Self.count), count: rooms)
        listened = heard
    }

    /// Gaps of up to `most` seconds filled.
    static func filled(_ flags: [Bool], _ most: Int) -> [Bool] {
        var flags = flags
        var last: Int?
        for second in flags.indices where flags[second] {
            if let last, second - last - 1 <= most {
                for gap in (last + 1)..<second { flags[gap] = true }
            }
            last = second
        }
        return flags
    }

    func sessions(enter: Int, leave: Int, now: Int) -> [(from: Int, to: Int?)] {
        let heard = self.heard.map { Self.filled($0, 10) }
        let listened = self.listened.map { Self.filled($0, 6) }
        let anywhere = Self.filled(
            (0..<Self.count).map { second in heard.contains { $0[second] } }, 10)
        let silence = { (from: Int, to: Int) in
            let ends = heard.map { ($0[max(0, from - 10)..<from].lastIndex(of: true) ?? -10) }
            return heard.indices.filter { ends[$0] >= 0 && ends[$0] >= (ends.max() ?? 0) - 1 }
                .map { listened[$0][from..<max(from, to)].count { $0 } }.max() ?? 0
        }
        var runs: [(from: Int, to: Int)] = []
        for second in 0..<Self.count where anywhere[second] {
            if let last = runs.last, last.to == second {
                runs[runs.count - 1].to = second + 1
            } else if let last = runs.last, silence(last.to, second) < leave {
                runs[runs.count - 1].to = second + 1
            } else {
                runs.append((second, second + 1))
            }
        }
        return runs.enumerated().filter { $1.to - $1.from >= enter }.map { index, run in
            let isLast = index == runs.count - 1
            return (run.from, isLast && silence(run.to, now) < leave ? nil : run.to)
        }
    }
}

struct LedgerTests {
    static let rooms = [RoomID(1), RoomID(2), RoomID(3)]
    let timing = Policy.Timing(enter: .seconds(10), lost: .seconds(30), leave: .seconds(90))

    /// Seconds one after another with changing luck, as of a person who walks about.
    private static func flags(_ dice: inout Dice, _ chances: [Double]) -> [Bool] {
        var chance = 0.0
        return (0..<PlainLedger.count).map { second in
            if second % 20 == 0 { chance = chances.randomElement(using: &dice) ?? 0 }
            return .random(in: 0..<1, using: &dice) < chance
        }
    }

    @Test(arguments: UInt64(1)...200)
    func `seconds in any order, some told twice, give the sessions they mean`(seed: UInt64) {
        var dice = Dice(seed: seed)
        var plain = PlainLedger(rooms: 3)
        for room in 0..<3 {
            plain.heard[room] = Self.flags(&dice, [0, 0, 0, 0.02, 0.3, 0.9])
            plain.listened[room] = Self.flags(&dice, [0, 1, 1, 0.3])
        }
        var told: [(room: Int, second: Int)] = []
        var coverage: [RoomTime] = []
        for room in 0..<3 {
            var listened = IntervalSet(joining: Frame.joining)
            for second in 0..<PlainLedger.count {
                if plain.heard[room][second] { told.append((room, second)) }
                let start = Double(second)
                if plain.listened[room][second] { listened.insert(stretch(start, start + 1)) }
            }
            coverage.append(RoomTime(room: Self.rooms[room], seconds: listened))
        }
        var ledger = Ledger()
        for (room, second) in (told + told.prefix(50)).shuffled(using: &dice) {
            _ = ledger.add(second: moment(Double(second)), room: Self.rooms[room])
        }
        let sessions = ledger.sessions(
            coverage: coverage, timing: timing, policy: AttendancePolicy(mergeGap: .seconds(0)),
            now: moment(Double(PlainLedger.count)))
        let expected = plain.sessions(enter: 10, leave: 90, now: PlainLedger.count)
        #expect(sessions.map(\.from) == expected.map { moment(Double($0.from)) })
        #expect(sessions.map(\.to) == expected.map { $0.to.map { moment(Double($0)) } })
    }

    private func ledger(_ heard: [(Int, ClosedRange<Int>)]) -> Ledger {
        var ledger = Ledger()
        for (room, seconds) in heard {
            for second in seconds {
                _ = ledger.add(second: moment(Double(second)), room: Self.rooms[room])
            }
        }
        return ledger
    }

    private func listened(_ rooms: [Interval]...) -> [RoomTime] {
        rooms.enumerated().map {
            RoomTime(
                room: Self.rooms[$0.offset],
                seconds: IntervalSet($0.element, joining: Frame.joining))
        }
    }

    private func ends(_ ledger: Ledger, _ coverage: [RoomTime], now: Double) -> [Timestamp?] {
        ledger.sessions(
            coverage: coverage, timing: timing, policy: AttendancePolicy(mergeGap: .seconds(0)),
            now: moment(now)
        ).map(\.to)
    }

    @Test func `only rooms that heard the user last can tell their silence`() {
        // Room 0 heard them until 100 and dies; room 1 never heard them.
        let ledger = ledger([(0, 0...99)])
        let coverage = listened([stretch(0, 100)], [stretch(0, 1000)])
        #expect(ends(ledger, coverage, now: 1000) == [nil])
        // A room that heard them just as late can: its second may be one off.
        let both = self.ledger([(0, 0...99), (1, 98...98)])
        #expect(ends(both, coverage, now: 1000) == [moment(100)])
        let before = self.ledger([(0, 0...99), (1, 70...75)])
        #expect(ends(before, coverage, now: 1000) == [nil])
    }

    @Test func `who walks over to a room whose node dies is not checked out by the room they left`()
    {
        let ledger = ledger([(1, 0...92), (0, 90...99)])
        let coverage = listened([stretch(0, 100)], [stretch(0, 1000)])
        #expect(ends(ledger, coverage, now: 1000) == [nil])
        // Whoever stays is heard again by a room that listens, and then that is the last one.
        let stays = self.ledger([(1, 0...92), (0, 90...99), (1, 104...104)])
        #expect(ends(stays, coverage, now: 1000) == [moment(105)])
    }

    @Test func `leaving at one millisecond and back at the next second are two sessions`() {
        let coverage = listened([stretch(0, 1000)])
        let apart = ledger([(0, 0...99), (0, 190...250)])
        #expect(ends(apart, coverage, now: 251) == [moment(100), nil])
        let together = ledger([(0, 0...99), (0, 189...250)])
        #expect(ends(together, coverage, now: 251) == [nil])
    }

    @Test func `silence ends a session when it has lasted, to the second`() {
        let ledger = ledger([(0, 0...99)])
        let coverage = listened([stretch(0, 1000)])
        #expect(ends(ledger, coverage, now: 189) == [nil])
        #expect(ends(ledger, coverage, now: 190) == [moment(100)])
        #expect(ends(ledger, coverage, now: 50) == [nil], "a clock set back ends nothing")
    }

    @Test func `a second heard again is no news`() {
        var ledger = Ledger()
        let news = [0, 0, 1].map { ledger.add(second: moment(5), room: Self.rooms[$0]) }
        #expect(news == [true, false, true])
        #expect(ledger.lastHeard == moment(6))
        _ = ledger.forget(
            before: moment(100), coverage: listened([stretch(0, 100)]), timing: timing,
            policy: AttendancePolicy(mergeGap: .seconds(0)), amendments: [])
        #expect(ledger.lastHeard == nil && ledger.heard.isEmpty)
    }
}
