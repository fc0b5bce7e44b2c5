import Testing

@testable import NodeEngine

/// Getting a scan to run, and keeping it, against everything that adapters are known to do.
struct ScanRecoveryTests {
    /// Scanning for twenty seconds, ten reports each.
    private func healthy() -> ScanBench {
        var bench = ScanBench()
        bench.run(20)
        return bench
    }

    // Getting a scan to run.

    @Test func `a scan is on in half a second, begun once`() {
        var bench = ScanBench()
        bench.run(0.5)
        #expect(bench.state == .scanning)
        #expect(bench.machine.isListening)
        #expect(bench.starts.count == 1)
        #expect(bench.machine.recoveries.total == 0)
    }

    @Test func `an adapter that is on already is switched on all the same`() {
        var bench = ScanBench()
        bench.isUp = true
        bench.run(0.5)
        #expect(bench.count(.switchOn) == 1)
        #expect(bench.state == .scanning)
    }

    @Test func `a scan that somebody left on is ended first`() {
        var bench = ScanBench()
        (bench.isUp, bench.isScanning, bench.used) = (true, true, .legacy)
        bench.run(0.5)
        #expect(bench.state == .scanning)
        #expect(bench.machine.recoveries.total == 0)
    }

    @Test func `a controller of Bluetooth 5 is given the extended commands only`() {
        var bench = ScanBench()
        bench.knowsExtended = true
        bench.run(0.5)
        #expect(bench.state == .scanning)
        #expect(bench.count(.send(.enable, .extended)) == 1)
        #expect(bench.count(.send(.disable, .legacy)) == 0)
    }

    @Test func `one that says it knows the extended commands and does not gets the others`() {
        var bench = ScanBench()
        bench.boasts = true
        bench.run(0.5)
        #expect(bench.state == .scanning)
        #expect(bench.starts.count == 1)
    }

    @Test func `one that was given the other family by somebody is switched off and on`() {
        var bench = ScanBench()
        (bench.isUp, bench.used) = (true, .extended)
        bench.run(5)
        #expect(bench.state == .scanning)
        #expect(bench.count(.switchOff) == 1)
        #expect(bench.machine.recoveries.powerCycles == 1)
    }

    @Test func `a blocked adapter is tried every two seconds, and says blocked throughout`() {
        var bench = ScanBench()
        bench.isBlocked = true
        bench.run(1)
        let since = bench.machine.state.since
        bench.run(30)
        #expect(bench.machine.state == (.blocked, since))
        #expect((10...16).contains(bench.count(.switchOn)))
        #expect(!bench.machine.isListening)
        bench.isBlocked = false
        #expect(bench.secondsUntilHeard(limit: 10).map { $0 < 3 } == true)
    }

    @Test func `an absent adapter is awaited, and taken as soon as it appears`() {
        var bench = ScanBench()
        bench.isPresent = false
        bench.run(60)
        #expect(bench.state == .absent)
        #expect((20...31).contains(bench.count(.look)))
        bench.plugIn()
        bench.run(0.5)
        #expect(bench.state == .scanning)
    }

    // What ends a scan.

    @Test func `a foreign scan is left alone until it ends, and is no silence`() {
        var bench = healthy()
        bench.meddle(.disable)
        bench.run(0.05)
        bench.meddle(.other)
        bench.meddle(.enable)
        #expect(bench.state == .foreign)
        #expect(!bench.machine.isListening)
        bench.run(10)
        #expect(bench.starts.count == 1)
        bench.meddle(.disable)
        #expect(bench.secondsUntilHeard(limit: 10).map { $0 < 1 } == true)
        #expect(bench.state == .scanning)
        #expect(bench.machine.takeovers == 1)
    }

    @Test func `a foreign scan that does not end is taken back after 15 seconds`() {
        var bench = healthy()
        bench.meddle(.enable)
        let seconds = bench.secondsUntilHeard(limit: 30)
        #expect(seconds.map { (14...16).contains($0) } == true)
    }

    @Test func `a scan that somebody ends is begun again within a second, unnoticed`() {
        var bench = healthy()
        bench.meddle(.disable)
        #expect(bench.state == .foreign)
        #expect(bench.machine.isListening)
        #expect(bench.secondsUntilHeard(limit: 10).map { $0 < 0.6 } == true)
        #expect(bench.machine.recoveries.rescans == 1)
    }

    @Test func `two who fight for an adapter do it every five seconds, not every third of one`() {
        var bench = healthy()
        for _ in 0..<600 {
            bench.meddle(.disable)
            bench.run(0.1)
        }
        #expect(bench.starts.count <= 7)
        bench = healthy()
        for _ in 0..<120 {
            bench.meddle(.disable)
            bench.run(0.5)
        }
        #expect(bench.starts.count <= 20)
        #expect(bench.secondsUntilHeard(limit: 10).map { $0 < 6 } == true)
    }

    @Test func `after a hardware error the scan is begun again, and nobody is blamed`() {
        var bench = healthy()
        bench.hardwareError()
        #expect(bench.state == .recovering)
        #expect(bench.secondsUntilHeard(limit: 10).map { $0 < 1 } == true)
        #expect(bench.machine.takeovers == 0)
    }

    @Test func `an adapter that is switched off is switched on again after a second`() {
        var bench = healthy()
        bench.switchedOff()
        #expect(bench.state == .down)
        #expect(!bench.machine.isListening)
        #expect(bench.secondsUntilHeard(limit: 10).map { (1...2).contains($0) } == true)
    }

    @Test func `one that is pulled out is forgotten, and comes back as it is`() {
        var bench = healthy()
        bench.pullOut()
        #expect(bench.state == .absent)
        bench.run(5)
        bench.knowsExtended = true
        bench.plugIn()
        #expect(bench.secondsUntilHeard(limit: 10).map { $0 < 1 } == true)
        #expect(bench.count(.send(.enable, .extended)) == 1)
    }

    @Test func `a controller that stalls until the next scan is back in four seconds`() {
        var bench = healthy()
        bench.stall = .untilRescan
        #expect(bench.secondsUntilHeard(limit: 10).map { $0 < 4 } == true)
        #expect(bench.count(.switchOff) == 0)
        #expect(bench.machine.recoveries.rescans == 1)
    }

    @Test func `one that stalls until a reset is back in seven, time and again`() {
        var bench = healthy()
        for round in 1...3 {
            bench.stall = .untilReset
            #expect(bench.secondsUntilHeard(limit: 10).map { $0 < 7 } == true)
            #expect(bench.count(.switchOff) == round)
            bench.run(3)
            #expect(bench.state == .scanning)
        }
    }

    @Test(arguments: [0x0C, 0x01, 0x07] as [UInt8], [ScanCommand.parameters, .enable])
    func `refused commands are given again`(status: UInt8, command: ScanCommand) {
        var bench = healthy()
        bench.refusals = Array(repeating: (command, status), count: 3)
        bench.hardwareError()
        #expect(bench.secondsUntilHeard(limit: 10) != nil)
        bench.run(0.1)
        #expect(bench.state == .scanning)
        #expect(bench.refusals.isEmpty)
    }

    @Test(arguments: [1.0, 6, 20, 60, 250])
    func `a mute controller is met within ten seconds of its coming round`(seconds: Double) {
        var bench = healthy()
        (bench.isMute, bench.stall) = (true, .untilReset)
        bench.run(seconds)
        bench.isMute = false
        #expect(bench.secondsUntilHeard(limit: 10) != nil)
    }

    @Test func `a mute controller is given one command at a time, and counts as failed`() {
        var bench = healthy()
        (bench.isMute, bench.stall) = (true, .untilReset)
        let before = bench.effects.count
        bench.run(120)
        #expect(bench.state == .failed)
        #expect(!bench.machine.isListening)
        let sent = bench.effects.dropFirst(before).filter {
            if case .send = $0.effect { true } else { false }
        }
        #expect(sent.count <= 4)
        #expect(bench.machine.recoveries.powerCycles == 0)
    }

    @Test func `a trouble that lasts for hours is seen to ever less often`() {
        var bench = healthy()
        (bench.isMute, bench.stall) = (true, .untilReset)
        bench.run(3_700, step: 100)
        let before = bench.count(.switchOn)
        bench.run(3_600, step: 100)
        #expect((10...14).contains(bench.count(.switchOn) - before))
    }

    // Silence.

    @Test func `where nobody transmits any more it does not reset for ever`() {
        var bench = healthy()
        bench.period = nil
        bench.run(3_600)
        #expect(bench.state == .quiet)
        #expect(bench.machine.isListening)
        // After 5 s, then 1, 2, 4, 8, 16 and 30 minutes later.
        #expect(bench.count(.switchOff) == 6)
        #expect(bench.machine.recoveries.rescans == 1)
    }

    @Test func `where nobody ever transmitted the first remedy waits two minutes`() {
        var bench = ScanBench()
        bench.period = nil
        bench.run(119)
        #expect(bench.starts.count == 1)
        bench.run(2)
        #expect(bench.starts.count == 2)
        bench.run(100)
        #expect(bench.count(.switchOff) == 0)
    }

    @Test func `rare advertisements are no reason for anything`() {
        var bench = ScanBench()
        bench.period = .seconds(5)
        bench.run(600)
        #expect(bench.starts.count == 1)
        #expect(bench.state == .scanning)
    }

    @Test func `where advertisements have become rare that is learned`() {
        var bench = healthy()
        bench.period = .seconds(7)
        bench.run(300)
        let before = bench.starts.count
        bench.run(600)
        #expect(bench.starts.count == before)
    }

    @Test func `a single report ends the ladder`() {
        var bench = healthy()
        bench.period = nil
        bench.run(20)
        #expect(bench.state == .quiet)
        bench.handle(.heard)
        #expect(bench.state == .scanning)
    }

    // Stopping.

    @Test func `stopping ends the scan, and only starting begins it again`() {
        var bench = healthy()
        #expect(bench.machine.stop(at: bench.now) == [.send(.disable, .legacy), .close])
        #expect(bench.machine.deadline == nil)
        #expect(!bench.machine.isListening)
        bench.isScanning = false
        for event: ScanRecovery.Event in [.appeared, .found, .cameUp, .hardwareError, .heard] {
            #expect(bench.machine.handle(event, at: bench.now) == [])
        }
        #expect(bench.state == .stopped)
        #expect(bench.machine.start(at: bench.now) == [.look])
        bench.handle(.found)
        bench.run(1)
        #expect(bench.state == .scanning)
    }
}
