import Testing

@testable import NodeEngine
@testable import SiteModel

/// What is sent of an outbox, and when.
struct ReplayTests {
    let start = Timestamp(milliseconds: 1_700_000_000_000)
    let log: UInt64 = 0xABCD

    private func at(_ seconds: Double) -> Timestamp { start + .seconds(seconds) }

    private func replay(newest: Int64, acknowledged: Int64 = 0, epoch: Int64 = 0) -> Replay {
        Replay(
            log: log, boot: 7, newest: newest,
            acknowledged: Acknowledgement(epoch: epoch, sequence: acknowledged), at: start)
    }

    /// Everything sent up to a moment, of an outbox without holes, asked whenever it wants to be.
    private func sent(
        _ replay: inout Replay, from begin: Timestamp? = nil, until end: Timestamp
    ) -> [(Int64, Timestamp)] {
        var sent: [(Int64, Timestamp)] = []
        while let deadline = replay.deadline, deadline <= end {
            let now = max(deadline, begin ?? start)
            guard let position = replay.due(at: now) else { continue }
            replay.sent(position + 1, at: now)
            sent.append((position + 1, now))
        }
        return sent
    }

    @Test func `offline nothing is due`() {
        var replay = replay(newest: 5)
        #expect(replay.deadline == nil)
        #expect(replay.due(at: at(100)) == nil)
    }

    @Test func `without a cursor it begins after five seconds`() throws {
        var replay = replay(newest: 5, acknowledged: 2)
        replay.connected(at: start)
        #expect(replay.deadline == at(5))
        #expect(replay.due(at: at(4.999)) == nil)
        #expect(replay.due(at: at(5)) == 2)
    }

    @Test func `with a cursor it begins after a moment of its own`() throws {
        var moments: Set<Int64> = []
        for boot in UInt64(1)...50 {
            var replay = Replay(
                log: log, boot: boot, newest: 5,
                acknowledged: Acknowledgement(epoch: 1, sequence: 0), at: start)
            replay.connected(at: start)
            _ = replay.heard(Acknowledgement(epoch: 1, sequence: 3), log: log, at: at(0.1))
            let deadline = try #require(replay.deadline)
            #expect((at(1)...at(5)).contains(deadline))
            #expect(replay.due(at: deadline - .milliseconds(1)) == nil)
            #expect(replay.due(at: deadline) == 3)
            moments.insert(deadline.milliseconds)
        }
        #expect(moments.count > 40)
    }

    @Test func `records go out in order, fifty a second, two hundred at most`() {
        var replay = replay(newest: 1000)
        replay.connected(at: start)
        let told = sent(&replay, until: at(60))
        #expect(told.map(\.0) == Array(1...200))
        #expect(zip(told, told.dropFirst()).allSatisfy { $1.1 - $0.1 >= .milliseconds(20) })
        #expect(told.last?.1 == at(5 + 199 * 0.02))
    }

    @Test func `an acknowledgement lets the next ones go`() {
        var replay = replay(newest: 1000)
        replay.connected(at: start)
        _ = sent(&replay, until: at(20))
        let news = Acknowledgement(epoch: 1, sequence: 150)
        #expect(replay.heard(news, log: log, at: at(20)) == news)
        #expect(replay.acknowledged == news)
        // The first cursor of an epoch may come from anybody: what follows it goes out again.
        #expect(sent(&replay, from: at(20), until: at(30)).map(\.0) == Array(151...350))
        _ = replay.heard(Acknowledgement(epoch: 1, sequence: 300), log: log, at: at(31))
        #expect(sent(&replay, from: at(31), until: at(40)).map(\.0) == Array(351...500))
    }

    @Test func `what follows is sent when it is appended`() {
        var replay = replay(newest: 2)
        replay.connected(at: start)
        #expect(sent(&replay, until: at(10)).map(\.0) == [1, 2])
        replay.appended(3)
        #expect(replay.due(at: at(11)) == 2)
        replay.sent(3, at: at(11))
        #expect(replay.due(at: at(11)) == nil)
    }

    @Test func `without progress all is sent again, ever less often`() {
        var replay = replay(newest: 2)
        replay.connected(at: start)
        let told = sent(&replay, until: at(5 + 1500))
        #expect(told.map(\.0) == [1, 2, 1, 2, 1, 2, 1, 2, 1, 2])
        let again = told.enumerated().filter { $0.offset % 2 == 0 }.map { ($0.element.1 - at(5)) }
        #expect(
            again.map { Int($0.seconds.rounded()) } == [0, 60, 180, 420, 900])
        _ = replay.heard(Acknowledgement(epoch: 1, sequence: 1), log: log, at: at(1600))
        #expect(sent(&replay, from: at(1600), until: at(1670)).map(\.0) == [2, 2])
    }

    @Test func `a higher epoch rewinds, a lower one is ignored`() {
        var replay = replay(newest: 10, acknowledged: 8, epoch: 3)
        replay.connected(at: start)
        #expect(replay.heard(Acknowledgement(epoch: 2, sequence: 9), log: log, at: start) == nil)
        #expect(replay.heard(Acknowledgement(epoch: 3, sequence: 7), log: log, at: start) == nil)
        let restored = Acknowledgement(epoch: 4, sequence: 2)
        #expect(replay.heard(restored, log: log, at: start) == restored)
        #expect(sent(&replay, until: at(20)).map(\.0) == Array(3...10))
    }

    @Test func `a cursor of another outbox acknowledges nothing`() {
        var replay = replay(newest: 3)
        replay.connected(at: start)
        #expect(replay.heard(Acknowledgement(epoch: 9, sequence: 3), log: 1, at: start) == nil)
        #expect(sent(&replay, until: at(20)).map(\.0) == [1, 2, 3])
    }

    @Test func `a cursor beyond what was ever sent, or beyond all numbers, ends nothing`() {
        var replay = replay(newest: 3)
        replay.connected(at: start)
        let far = Acknowledgement(epoch: 1, sequence: Acknowledgement.greatestSequence + 1)
        #expect(replay.heard(far, log: log, at: start) == nil)
        let ahead = Acknowledgement(epoch: 1, sequence: 500)
        #expect(replay.heard(ahead, log: log, at: start) == ahead)
        #expect(sent(&replay, until: at(20)).isEmpty)
        replay.appended(501)
        #expect(replay.due(at: at(21)) == 500)
    }

    @Test func `a record that is not there does not keep it busy`() {
        var replay = replay(newest: 3)
        replay.connected(at: start)
        #expect(replay.due(at: at(5)) == 0)
        replay.exhausted()
        #expect(replay.deadline == nil)
        #expect(replay.due(at: at(6)) == nil)
    }

    @Test func `a lost connection sends again what was not acknowledged`() {
        var replay = replay(newest: 3)
        replay.connected(at: start)
        #expect(sent(&replay, until: at(10)).count == 3)
        replay.disconnected()
        #expect(replay.deadline == nil)
        replay.connected(at: at(20))
        #expect(sent(&replay, until: at(30)).map(\.0) == [1, 2, 3])
    }

    /// A line that drops messages both ways and breaks, a coordinator that is restored from an old
    /// copy, records with holes in their numbers: all arrive, in order, never too fast.
    @Test(arguments: UInt64(1)...200)
    func `whatever the line does, every record arrives, in order`(seed: UInt64) {
        var dice = Dice(seed: seed)
        var world = Line(seed: seed, log: log, at: start)
        for _ in 0..<600 { world.step(using: &dice) }
        world.isCalm = true
        // The longest patience, and then some.
        for _ in 0..<4000 { world.step(using: &dice) }
        #expect(world.stored == world.records)
        #expect(world.isInOrder)
        for (earlier, later) in zip(world.sends, world.sends.dropFirst(50)) {
            #expect(later - earlier >= .seconds(1))
        }
        #expect(world.cursor == world.records.last)
    }
}

/// A node's outbox, a line, and a coordinator that takes records only when nothing is missing
/// before them.
private struct Line {
    var records: [Int64] = []
    var stored: [Int64] = []
    var cursor: Int64 = 0
    var sends: [Timestamp] = []
    var isInOrder = true
    var isCalm = false
    private var replay: Replay
    private var epoch: Int64 = 1
    private var isConnected = false
    private var now: Timestamp
    private let log: UInt64
    private var lastSent: Int64 = 0
    /// A copy of the coordinator's rows.
    private var backup: (stored: [Int64], cursor: Int64) = ([], 0)

    init(seed: UInt64, log: UInt64, at start: Timestamp) {
        self.log = log
        now = start
        replay = Replay(
            log: log, boot: seed, newest: 0,
            acknowledged: Acknowledgement(epoch: 0, sequence: 0), at: start)
    }

    /// Half a second or so.
    mutating func step(using dice: inout Dice) {
        let end = now + .milliseconds(.random(in: 1...900, using: &dice))
        event(using: &dice)
        while let next = replay.deadline, next <= end {
            now = max(now, next)
            guard let position = replay.due(at: now) else { continue }
            guard let index = records.firstIndex(where: { $0 > position }) else {
                replay.exhausted()
                continue
            }
            let sequence = records[index]
            replay.sent(sequence, at: now)
            sends.append(now)
            arrive(sequence, after: index > 0 ? records[index - 1] : 0, using: &dice)
        }
        now = end
    }

    private mutating func event(using dice: inout Dice) {
        let isConnectedBefore = isConnected
        switch isCalm ? 0 : Int.random(in: 0..<100, using: &dice) {
        case 0..<5: isConnected = true
        case 5..<8: isConnected = false
        case 8..<40:
            let gap = Int64(Int.random(in: 0..<20, using: &dice) == 0 ? 1000 : 1)
            records.append((records.last ?? 0) + gap)
            replay.appended(records[records.count - 1])
        case 40..<42: backup = (stored, cursor)
        case 42:
            (stored, cursor) = backup
            epoch += 1
            tellCursor(using: &dice)
        default: break
        }
        if isConnected, !isConnectedBefore {
            replay.connected(at: now)
            lastSent = 0
            // The retained one; it may come late or not at all.
            tellCursor(using: &dice)
        } else if !isConnected, isConnectedBefore {
            replay.disconnected()
        }
    }

    private mutating func arrive(_ sequence: Int64, after: Int64, using dice: inout Dice) {
        guard isCalm || Int.random(in: 0..<10, using: &dice) > 0 else { return }
        if after <= cursor, sequence > cursor {
            if let last = stored.last, sequence <= last { isInOrder = false }
            stored.append(sequence)
            cursor = sequence
        }
        if isCalm || Int.random(in: 0..<4, using: &dice) == 0 { tellCursor(using: &dice) }
    }

    private mutating func tellCursor(using dice: inout Dice) {
        guard isConnected, isCalm || Int.random(in: 0..<4, using: &dice) > 0 else { return }
        _ = replay.heard(Acknowledgement(epoch: epoch, sequence: cursor), log: log, at: now)
    }
}
