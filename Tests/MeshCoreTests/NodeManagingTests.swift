import Testing

@testable import NodeEngine
@testable import SiteModel

/// What a node can be told to do while it runs, and what it raises its hand for.
struct NodeManagingTests {
    let start = Timestamp(milliseconds: 1_700_000_000_000)

    private func at(_ seconds: Double) -> Timestamp { start + .seconds(seconds) }

    /// Ticks once a second up to and including `seconds`; each second beacon 0 is heard once.
    private func run(_ core: inout NodeCore, _ seconds: ClosedRange<Int>) -> [NodeCore.Effect] {
        seconds.flatMap { second in
            core.heard(Packet.iBeacon(0, -60), at: at(Double(second) - 0.5))
            return core.tick(at: at(Double(second)))
        }
    }

    @Test func `a node told to stop hears nothing and has no frames`() {
        var core = NodeCore.listening(at: start)
        #expect(run(&core, 1...2).frames.count == 2)
        let stopped = core.listen(false, at: at(2.2))
        #expect(stopped.healths.map(\.adapter) == [.stopped])
        let silence = run(&core, 3...40)
        #expect(silence.frames == [])
        // What was heard before may still be told.
        #expect(silence.readings.allSatisfy { $0.at < at(2) })
        #expect(silence.healths.map(\.adapter) == [.stopped])
        #expect(silence.healths.map(\.advertisementRate) == [2 / 30])
        // What the radio does meanwhile does not matter.
        #expect(core.adapter(.up, at: at(40.5)).healths == [])
        #expect(core.listen(false, at: at(40.6)) == [])
        #expect(core.listen(true, at: at(41)).healths.map(\.adapter) == [.absent])
        _ = core.adapter(.up, at: at(41.5))
        #expect(run(&core, 42...43).frames.map(\.at) == [at(43)])
    }

    @Test func `a stopped node raises no alert about its radio`() {
        var core = NodeCore.listening(at: start)
        _ = core.listen(false, at: at(1))
        #expect(run(&core, 2...40).healths.allSatisfy { $0.alerts == [] })
    }

    @Test func `a burst gives frames for a while`() {
        var core = NodeCore.listening(profile: .sparse, at: start)
        #expect(run(&core, 1...3).frames == [])
        #expect(core.burst(for: .seconds(3), at: at(3)) == [])
        #expect(run(&core, 4...10).frames.map(\.at) == [at(4), at(5), at(6)])
        // A shorter one does not cut a longer one off.
        _ = core.burst(for: .seconds(4), at: at(10))
        _ = core.burst(for: .seconds(1), at: at(10))
        #expect(run(&core, 11...20).frames.count == 4)
        #expect(core.policy.profile == .sparse)
    }

    @Test func `an alert is raised when its cause has lasted, and told at once both times`() {
        var core = NodeCore.listening(at: start)
        _ = run(&core, 1...1)
        _ = core.adapter(.down, at: at(1.5))
        // The cause is first seen at the end of its second.
        let told = (2...9).flatMap { core.tick(at: at(Double($0))) }.healths
        #expect(told.map(\.at) == [at(2)])
        #expect(told.map(\.alerts) == [[RaisedAlert(.radioDown, since: at(2))]])
        #expect(core.adapter(.up, at: at(9.5)).healths.map(\.alerts.count) == [1])
        // It is held for a moment: its cause was last seen at 9 s.
        let cleared = run(&core, 10...20).healths
        #expect(cleared.map(\.at) == [at(12)])
        #expect(cleared.map(\.alerts) == [[]])
        // Being without an adapter is worth it only when it lasts.
        _ = core.adapter(.absent, at: at(20.5))
        _ = core.tick(at: at(21))
        _ = core.adapter(.up, at: at(21.5))
        #expect(run(&core, 22...29).healths.flatMap(\.alerts) == [])
    }

    @Test func `a fault over within a blink is seen, and cleared`() {
        var core = NodeCore.listening(at: start)
        _ = run(&core, 1...1)
        func says(_ state: ScanStatus.State, _ second: Double) -> [[RaisedAlert]] {
            core.scanner(
                ScanStatus(state: state, adapter: "hci0", since: at(second)), at: at(second)
            )
            .healths.map(\.alerts)
        }
        #expect(says(.recovering, 1.1) == [[RaisedAlert(.radioRecovering, since: at(1.1))]])
        #expect(says(.scanning, 1.3) == [[RaisedAlert(.radioRecovering, since: at(1.1))]])
        let cleared = run(&core, 2...20).healths.filter { $0.alerts == [] }
        #expect(cleared.first?.at == at(5))
    }

    @Test func `what the shell sees is raised, too, the oldest first`() {
        var core = NodeCore.listening(at: start)
        core.conditions([.hot])
        _ = run(&core, 1...3)
        core.conditions([.hot, .outboxFull])
        let alerts = run(&core, 4...6).healths.map(\.alerts)
        #expect(
            alerts == [
                [RaisedAlert(.outboxFull, since: at(4))],
                [RaisedAlert(.hot, since: at(1)), RaisedAlert(.outboxFull, since: at(4))],
            ])
        core.conditions([])
        #expect(run(&core, 7...12).healths.map(\.alerts) == [[]])
    }

    @Test(arguments: [
        (ScanStatus.State.absent, NodeAlert.radioAbsent), (.blocked, .radioBlocked),
        (.down, .radioDown), (.foreign, .radioForeign), (.quiet, .radioQuiet),
        (.failed, .radioFailed), (.recovering, .radioRecovering),
    ])
    func `a scanner's trouble is an alert`(state: ScanStatus.State, alert: NodeAlert) {
        var core = NodeCore.listening(at: start)
        let news = core.scanner(
            ScanStatus(state: state, adapter: "hci0", since: start), at: at(0.1))
        #expect(news.healths.map(\.scanner?.state) == [state])
        #expect(
            core.scanner(ScanStatus(state: state, adapter: "hci0", since: start), at: at(0.2)) == []
        )
        let raised = news.healths + run(&core, 1...4).healths
        #expect(raised.last?.alerts.map(\.alert) == [alert])
        _ = core.scanner(ScanStatus(state: .scanning, adapter: "hci0", since: start), at: at(4.5))
        #expect(run(&core, 5...9).healths.map(\.alerts) == [[]])
    }

    @Test func `useful is who closes seconds and hears, or is mending that`() {
        var core = NodeCore.listening(at: start)
        _ = run(&core, 1...1)
        #expect(core.isUseful(at: at(2.9)))
        #expect(!core.isUseful(at: at(3.1)))
        for second in 2...700 { _ = core.tick(at: at(Double(second))) }
        #expect(!core.isUseful(at: at(700.5)))
        #expect(core.isUseful(at: at(700.5), expectsPackets: false))
        _ = core.scanner(
            ScanStatus(state: .recovering, adapter: "hci0", since: start), at: at(700.5))
        #expect(core.isUseful(at: at(700.6)))
        _ = core.scanner(ScanStatus(state: .scanning, adapter: "hci0", since: start), at: at(700.7))
        #expect(!core.isUseful(at: at(700.8)))
        _ = run(&core, 701...701)
        #expect(core.isUseful(at: at(701)))
    }

    @Test func `a clock that is set is counted, one that is slewed is not`() {
        var watch = ClockWatch()
        var noticed = (1...100).map { watch.look(offset: .milliseconds(Int64($0) / 2)) }
        #expect(!noticed.contains(true))
        #expect(!watch.isOff)
        noticed = [-3600, -3600].map { watch.look(offset: .seconds($0)) }
        #expect(noticed == [true, false])
        #expect(watch.isOff)
        noticed = [watch.look(offset: .milliseconds(10))]
        #expect(noticed == [true])
        #expect(watch.steps == 2)
        #expect(!watch.isOff)
    }
}
