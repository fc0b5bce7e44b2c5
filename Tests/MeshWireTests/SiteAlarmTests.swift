import Testing

@testable import SitePipeline
@testable import SiteModel

/// What a person is told to look at, and what is none of it.
struct SiteAlarmTests {
    var alarm = SiteAlarm()
    let node = NodeID(3)

    private func moment(_ seconds: Double) -> Timestamp {
        Timestamp(milliseconds: 1_700_000_000_000) + .seconds(seconds)
    }

    private func raised(_ second: Double) -> [RaisedSiteAlert] { alarm.raised(at: moment(second)) }

    // MARK: Two nodes with one id

    @Test mutating func `processes that alternate are two nodes`() {
        for second in 0..<120 {
            // The broker throws one off whenever the other connects, every twenty seconds.
            alarm.saw(
                boot: second / 20 % 2 == 0 ? 0xA : 0xB, of: node, at: moment(Double(second)))
        }
        #expect(
            raised(120) == [RaisedSiteAlert(.duplicateID, node: node, since: moment(40))])
        for second in 120..<1000 {
            alarm.saw(
                boot: second / 20 % 2 == 0 ? 0xA : 0xB, of: node, at: moment(Double(second)))
        }
        #expect(raised(1000).first?.since == moment(40), "it is the same all the time")
        for second in 1000..<1700 { alarm.saw(boot: 0xA, of: node, at: moment(Double(second))) }
        #expect(raised(1700) == [])
    }

    @Test mutating func `outboxes that alternate are two nodes`() {
        for minute in 0..<8 {
            alarm.saw(log: minute % 2 == 0 ? 1 : 2, of: node, at: moment(Double(minute) * 60))
        }
        #expect(raised(430).map(\.alert) == [.duplicateID])
    }

    @Test mutating func `restarts, one swap and one message of somebody else are none`() {
        for second in 0..<3600 {
            alarm.saw(boot: UInt64(second / 5), of: node, at: moment(Double(second)))
            alarm.saw(
                log: (1200..<2400).contains(second) ? 2 : 1, of: node, at: moment(Double(second)))
            #expect(raised(Double(second)) == [])
        }
        alarm.saw(boot: 5, of: node, at: moment(3600))
        alarm.saw(boot: 719, of: node, at: moment(3601))
        #expect(raised(3602) == [])
    }

    @Test mutating func `a few swaps a day are none`() {
        for hour in 0..<48 {
            alarm.saw(log: UInt64(hour % 2), of: node, at: moment(Double(hour) * 3600))
            #expect(raised(Double(hour) * 3600) == [])
        }
    }

    @Test mutating func `nodes are told apart`() {
        for second in 0..<100 {
            alarm.saw(
                boot: UInt64(second % 2), of: NodeID(Int64(second % 2)), at: moment(Double(second)))
        }
        #expect(raised(100) == [])
    }

    // MARK: Outboxes

    @Test mutating func `an outbox that has not become less for an hour is stuck`() {
        for half in 0...121 {
            alarm.saw(waiting: Int64(3 + half / 2), of: node, at: moment(Double(half) * 30))
            let expected = half >= 120 ? [SiteAlert.outboxStuck] : []
            #expect(raised(Double(half) * 30).map(\.alert) == expected)
        }
        #expect(raised(3700).first?.since == moment(0))
        alarm.saw(waiting: 40, of: node, at: moment(3720))
        #expect(raised(3720) == [])
    }

    @Test mutating func `an outbox that is emptied now and then is not`() {
        for half in 0...1000 {
            alarm.saw(waiting: Int64(half % 2), of: node, at: moment(Double(half) * 30))
            #expect(raised(Double(half) * 30) == [])
        }
        // One that has nothing, for hours, is not either.
        for half in 1001...1500 {
            alarm.saw(waiting: 0, of: node, at: moment(Double(half) * 30))
            #expect(raised(Double(half) * 30) == [])
        }
    }

    @Test mutating func `a node that was away has an hour again`() {
        for half in 0...100 { alarm.saw(waiting: 5, of: node, at: moment(Double(half) * 30)) }
        alarm.saw(waiting: 400, of: node, at: moment(80_000))
        #expect(raised(80_000) == [])
        for half in 0...120 {
            alarm.saw(waiting: 400, of: node, at: moment(80_000 + Double(half) * 30))
        }
        #expect(raised(83_600).map(\.alert) == [.outboxStuck])
        #expect(raised(84_000) == [], "it is away again")
    }

    // MARK: Clocks

    @Test
    mutating func `a clock that is behind what time servers tell the nodes is noticed within 5 s`()
    {
        for second in stride(from: 0.0, to: 4, by: 2) {
            alarm.saw(wall: moment(second + 3600), of: node, at: moment(second + 0.1))
        }
        #expect(raised(4) == [RaisedSiteAlert(.clockBehind, since: moment(0.1))])
        alarm.saw(wall: moment(6), of: node, at: moment(6))
        #expect(raised(6) == [])
    }

    @Test mutating func `one beat, one node of three, and nodes that are behind prove nothing`() {
        alarm.saw(wall: moment(3600), of: node, at: moment(0))
        #expect(raised(0) == [])
        for second in stride(from: 0.0, to: 20, by: 2) {
            alarm.saw(wall: moment(second + 9), of: NodeID(1), at: moment(second))
            alarm.saw(wall: moment(second - 0.1), of: NodeID(2), at: moment(second))
            alarm.saw(wall: moment(second - 900), of: node, at: moment(second))
            #expect(raised(second) == [])
        }
        #expect(raised(40) == [])
    }

    @Test mutating func `what the coordinator sees of its own clock is told once`() {
        alarm.ownClock(.clockBehind, at: moment(1))
        alarm.ownClock(.clockBehind, at: moment(2))
        for second in 0..<3 {
            alarm.saw(wall: moment(7200), of: node, at: moment(Double(second)))
        }
        #expect(raised(3) == [RaisedSiteAlert(.clockBehind, since: moment(1))])
        alarm.ownClock(.clockStepped, at: moment(4))
        #expect(raised(4).map(\.alert) == [.clockStepped, .clockBehind])
        alarm.ownClock(nil, at: moment(5))
        #expect(raised(20) == [])
    }

    // MARK: The coordinator's own connection

    /// A connection made and lost `seconds` later, each of `moments`.
    private mutating func connect(at moments: [Double], for seconds: Double) {
        for second in moments {
            alarm.connected(at: moment(second))
            alarm.lost(at: moment(second + seconds))
        }
    }

    @Test mutating func `brief connections, each taken at once, are another client`() {
        connect(at: [0, 20, 40], for: 10)
        #expect(raised(55) == [], "the last may be a broker that stops")
        alarm.connected(at: moment(60))
        #expect(raised(60) == [RaisedSiteAlert(.duplicateID, since: moment(10))])
        alarm.lost(at: moment(70))
        alarm.connected(at: moment(80))
        #expect(raised(600).map(\.since) == [moment(10)], "it is the same all the time")
        #expect(raised(671) == [])
    }

    @Test mutating func `a broker that is away, lasting connections and two in a while are none`() {
        for round in 0..<20 {
            connect(at: [Double(round) * 30], for: 10)
            alarm.lost(at: moment(Double(round) * 30 + 12))
            #expect(raised(Double(round) * 30 + 12) == [])
        }
        connect(at: (0..<20).map { 10_000 + Double($0) * 100 }, for: 90)
        #expect(raised(12_000) == [])
        for hour in 0..<20 {
            connect(at: [20_000, 20_020].map { $0 + Double(hour) * 1000 }, for: 10)
            alarm.connected(at: moment(20_040 + Double(hour) * 1000))
            #expect(raised(20_040 + Double(hour) * 1000) == [])
            alarm.lost(at: moment(20_140 + Double(hour) * 1000))
        }
    }
}
