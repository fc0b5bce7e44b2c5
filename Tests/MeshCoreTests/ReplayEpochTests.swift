import Testing

@testable import NodeEngine
@testable import SiteModel

/// A node obeys the highest epoch, as long as anybody has it.
struct ReplayEpochTests {
    let start = Timestamp(milliseconds: 1_700_000_000_000)
    var replay: Replay

    init() {
        replay = Replay(
            log: 7, boot: 1, newest: 50, acknowledged: Acknowledgement(epoch: 1, sequence: 40),
            at: start)
        replay.connected(at: start)
    }

    private mutating func hear(_ epoch: Int64, _ sequence: Int64, _ second: Double)
        -> Acknowledgement?
    {
        replay.heard(
            Acknowledgement(epoch: epoch, sequence: sequence), log: 7, at: start + .seconds(second))
    }

    @Test mutating func `an epoch that no coordinator confirms is given up after ten minutes`() {
        #expect(hear(900, 45, 10)?.epoch == 900)
        for minute in 1...10 { #expect(hear(1, 40, Double(minute) * 60) == nil) }
        #expect(hear(1, 40, 660) == Acknowledgement(epoch: 1, sequence: 40))
        #expect(replay.acknowledged == Acknowledgement(epoch: 1, sequence: 40))
        #expect(replay.due(at: start + .seconds(661)) == 40, "what follows goes out again")
        #expect(hear(1, 41, 662)?.sequence == 41)
    }

    @Test mutating func `an epoch that is confirmed now and then stays`() {
        _ = hear(3, 45, 10)
        for minute in 1...100 {
            #expect(hear(1, 49, Double(minute) * 60) == nil)
            if minute % 9 == 0 { _ = hear(3, 45, Double(minute) * 60 + 1) }
        }
        #expect(replay.acknowledged == Acknowledgement(epoch: 3, sequence: 45))
    }

    @Test mutating func `old cursors that come once in a while say nothing`() {
        _ = hear(3, 45, 10)
        for hour in 1...5 { #expect(hear(1, 49, Double(hour) * 3600) == nil) }
    }

    @Test(arguments: [Acknowledgement.greatestEpoch + 1, 1 << 53, .max, 0, -1] as [Int64])
    mutating func `an epoch that cannot be is not obeyed at all`(epoch: Int64) {
        #expect(hear(epoch, 45, 10) == nil)
        #expect(hear(2, 30, 20)?.epoch == 2)
    }
}
