import Testing

@testable import NodeEngine
@testable import SiteModel

/// What must hold whatever befalls an adapter.
struct ScanLawTests {
    private func event(using dice: inout Dice) -> ScanRecovery.Event {
        let switched: [ScanRecovery.Switched] = [.done, .done, .already, .blocked, .gone, .failed]
        let foreign: [ScanRecovery.ForeignCommand] = [.enable, .disable, .other]
        switch Int.random(in: 0..<16, using: &dice) {
        case 0: return .appeared
        case 1: return .found
        case 2: return .missing
        case 3: return .vanished
        case 4: return .wentDown
        case 5: return .cameUp
        case 6: return .opened
        case 7: return .openingFailed
        case 8, 9: return .switched(switched.randomElement(using: &dice) ?? .done)
        case 10, 11, 12:
            return .answered(
                ScanCommand.allCases.randomElement(using: &dice) ?? .enable,
                status: [0, 0, 0x01, 0x0C].randomElement(using: &dice) ?? 0,
                bytes: (0..<Int.random(in: 0...64, using: &dice)).map { _ in
                    .random(in: 0...255, using: &dice)
                })
        case 13: return .foreign(foreign.randomElement(using: &dice) ?? .other)
        case 14: return .hardwareError
        default: return .heard
        }
    }

    /// A shell that tells nonsense does not get it stuck.
    @Test(arguments: UInt64(1)...200)
    func `any history leaves a deadline that moves on`(seed: UInt64) {
        var dice = Dice(seed: seed)
        var machine = ScanRecovery(at: Timestamp(milliseconds: 0))
        var now = Timestamp(milliseconds: 0)
        for step in 0..<2_000 {
            now = now + .milliseconds(.random(in: 0...3_000, using: &dice))
            if Bool.random(using: &dice), let deadline = machine.deadline, now >= deadline {
                _ = machine.tick(at: now)
            } else {
                _ = machine.handle(event(using: &dice), at: now)
            }
            guard let deadline = machine.deadline else {
                Issue.record("no deadline after \(step) steps of seed \(seed)")
                return
            }
            #expect(deadline <= now + .seconds(1_800), "seed \(seed), step \(step)")
            // A deadline that is due is seen to by one tick, or a second after the first.
            for _ in 0..<2 where (machine.deadline ?? now) <= now { _ = machine.tick(at: now) }
            #expect((machine.deadline ?? now) > now, "seed \(seed), step \(step)")
        }
    }

    /// Faults at random against an adapter that keeps the rules: it is not flooded with restarts,
    /// and ten seconds after the last fault it is heard.
    @Test(arguments: UInt64(1)...60)
    func `after any faults it is heard again, and was left in peace between`(seed: UInt64) {
        var dice = Dice(seed: seed)
        var bench = ScanBench()
        bench.knowsExtended = Bool.random(using: &dice)
        bench.run(20)
        for _ in 0..<40 {
            switch Int.random(in: 0..<11, using: &dice) {
            case 0: bench.pullOut()
            case 1: bench.plugIn()
            case 2: bench.switchedOff()
            case 3: bench.isBlocked.toggle()
            case 4: bench.isMute.toggle()
            case 5: bench.stall = .untilRescan
            case 6: bench.stall = .untilReset
            case 7: if bench.isUp { bench.hardwareError() }
            case 8: if bench.isUp { bench.meddle(.disable) }
            case 9: if bench.isUp { bench.meddle(.enable) }
            default:
                let status: UInt8 = Bool.random(using: &dice) ? 0x0C : 0x01
                bench.refusals = Array(repeating: (.enable, status), count: 2)
            }
            bench.run(.random(in: 0.05...8, using: &dice))
        }
        let starts = bench.starts
        for (index, start) in starts.enumerated() {
            let minute = starts[index...].prefix { $0 - start < .seconds(60) }.count
            #expect(minute <= 30, "seed \(seed): \(minute) starts in a minute")
        }
        bench.isBlocked = false
        bench.isMute = false
        bench.refusals = []
        if !bench.isPresent { bench.plugIn() }
        if bench.isFiltered { bench.meddle(.disable) }
        if bench.stall == .untilReset { bench.stall = nil }
        let seconds = bench.secondsUntilHeard(limit: 12)
        #expect(seconds.map { $0 <= 10 } == true, "seed \(seed): \(String(describing: seconds))")
    }

    @Test(arguments: UInt64(1)...50)
    func `ticking more often changes nothing`(seed: UInt64) {
        var dice = Dice(seed: seed)
        var lazy = ScanRecovery(at: Timestamp(milliseconds: 0))
        var eager = lazy
        var now = Timestamp(milliseconds: 0)
        for _ in 0..<500 {
            let next = now + .milliseconds(.random(in: 1...2_000, using: &dice))
            // Both see to each deadline when it is due; one of them looks in between as well.
            while let deadline = lazy.deadline, deadline <= next {
                now = max(now, deadline)
                let told = lazy.tick(at: now)
                #expect(eager.tick(at: now) == told)
                #expect(eager.tick(at: now) == [])
            }
            now = next
            #expect(eager.tick(at: now) == [])
            let event = event(using: &dice)
            #expect(lazy.handle(event, at: now) == eager.handle(event, at: now))
            #expect(lazy == eager)
        }
    }
}
