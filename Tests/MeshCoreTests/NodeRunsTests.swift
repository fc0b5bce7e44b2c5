import Testing

@testable import NodeEngine
@testable import SiteModel

/// The evidence of each minute says what was heard in its seconds, whatever happened in between.
struct NodeRunsTests {
    /// A whole minute.
    let start = Timestamp(milliseconds: 1_700_000_040_000)

    private func at(_ seconds: Double) -> Timestamp { start + .seconds(seconds) }

    /// Ticks once a second, and hears an iBeacon in the middle of the seconds named.
    private func run(
        _ core: inout NodeCore, until end: Int, from begin: Int = 0,
        hearing seconds: [UInt16: [Int]] = [:], level: Int8 = -60
    ) -> [NodeEvidence] {
        var evidence: [NodeEvidence] = []
        for second in begin..<end {
            for minor in seconds.keys.sorted() where seconds[minor]?.contains(second) ?? false {
                core.heard(Packet.iBeacon(minor, level), at: at(Double(second) + 0.5))
            }
            evidence += core.tick(at: at(Double(second + 1))).evidence
        }
        return evidence
    }

    @Test func `a minute without anybody is told too`() {
        var core = NodeCore.listening(at: start)
        #expect(
            run(&core, until: 60) == [
                NodeEvidence(
                    boot: 7, from: start, to: at(60), gaps: [], floor: RSSI(dBm: -95), runs: [])
            ])
    }

    @Test func `a run ends when its beacon was unheard for ten seconds`() {
        var core = NodeCore.listening(at: start)
        let heard = run(&core, until: 60, hearing: [0: [59], 1: [3, 4, 14, 25, 26]])
        #expect(heard.count == 1)
        #expect(
            heard.first?.runs.map { [$0.beacon, $0.first, $0.last, $0.count] } == [
                [0, 59, 59, 1], [1, 3, 14, 3], [1, 25, 26, 2],
            ])
    }

    @Test func `a run says how strong it was`() {
        var core = NodeCore.listening(at: start)
        for (level, moment) in [(-70, 5.1), (-60, 5.2), (-50, 5.3), (-80, 6.5)] as [(Int8, Double)]
        {
            core.heard(Packet.iBeacon(1, level), at: at(moment))
        }
        let runs = run(&core, until: 60, from: 6).first?.runs
        #expect(
            runs == [
                NodeRun(
                    beacon: 1, first: 5, last: 6, count: 4, strongest: RSSI(dBm: -50),
                    mean: RSSI(dBm: -65))
            ])
    }

    @Test func `seconds below the floor are no evidence`() {
        var core = NodeCore.listening(floor: RSSI(dBm: -70), at: start)
        _ = run(&core, until: 10, hearing: [0: [1, 2]], level: -71)
        let rest = run(&core, until: 60, from: 10, hearing: [0: [30]], level: -70)
        #expect(rest.first?.runs.map(\.first) == [30])
        #expect(rest.first?.floor == RSSI(dBm: -70))
    }

    @Test func `what nobody registered is no evidence`() {
        var core = NodeCore.listening(known: 1, unregistered: true, at: start)
        #expect(run(&core, until: 60, hearing: [0: [1], 1: [1]]).first?.runs.count == 1)
    }

    @Test func `the first minute begins with the process, in the second it began`() {
        var core = NodeCore.listening(at: at(12.4))
        let first = run(&core, until: 60, from: 12, hearing: [0: [12, 20]])
        #expect(first.map(\.from) == [at(12)])
        #expect(first.map(\.to) == [at(60)])
        #expect(first.first?.gaps == [0...0])
        #expect(first.first?.listened == .seconds(47))
        #expect(first.first?.runs.map { [$0.first, $0.last] } == [[8, 8]])
        #expect(run(&core, until: 120, from: 60).map(\.from) == [at(60)])
    }

    @Test func `seconds in which the radio did not listen throughout are gaps`() {
        var core = NodeCore.listening(at: start)
        _ = run(&core, until: 5)
        _ = core.adapter(.down, at: at(5.5))
        _ = core.tick(at: at(6))
        _ = core.adapter(.up, at: at(7.5))
        let heard = run(&core, until: 60, from: 8, hearing: [:])
        #expect(heard.first?.gaps == [5...7])
        #expect(heard.first?.listened == .seconds(57))
    }

    @Test func `a minute the radio did not listen to is told with nothing listened`() {
        var core = NodeCore.listening(at: start)
        _ = core.adapter(.absent, at: start)
        let evidence = run(&core, until: 60)
        #expect(evidence.map(\.gaps) == [[0...59]])
        #expect(evidence.map(\.listened) == [.seconds(0)])
    }

    /// Neither the second in which it stopped has a frame, nor has it a run.
    @Test func `a suspended process did not listen, and keeps the seconds before`() {
        var core = NodeCore.listening(at: start)
        _ = run(&core, until: 20, hearing: [0: [3]])
        core.heard(Packet.iBeacon(0, -50), at: at(20.2))
        let woken = core.tick(at: at(200.7)).evidence
        #expect(woken.map(\.from) == [start])
        #expect(woken.map(\.to) == [at(60)])
        #expect(woken.first?.gaps == [20...59])
        #expect(woken.first?.runs.map { [$0.first, $0.last] } == [[3, 3]])
        let next = run(&core, until: 240, from: 200, hearing: [0: [230]])
        #expect(next.map(\.from) == [at(180)])
        #expect(next.first?.gaps == [0...20])
        #expect(next.first?.runs.map(\.first) == [50])
    }

    @Test func `a gap within a minute leaves one minute`() {
        var core = NodeCore.listening(at: start)
        _ = run(&core, until: 20)
        _ = core.tick(at: at(31.5))
        let evidence = run(&core, until: 60, from: 32)
        #expect(evidence.map(\.from) == [start])
        #expect(evidence.first?.gaps == [20...31])
    }

    @Test func `profile sparse has evidence too`() {
        var core = NodeCore.listening(profile: .sparse, at: start)
        #expect(run(&core, until: 60, hearing: [1: [7]]).first?.runs.count == 1)
    }

    @Test func `other beacons end the minute early, by the old indices`() {
        var core = NodeCore.listening(at: start)
        _ = run(&core, until: 10, hearing: [0: [2], 1: [3]])
        core.heard(Packet.iBeacon(1, -60), at: at(10.1))
        let policy = NodePolicy(
            revision: 2, profile: .ranging, publishesUnregistered: false, maximumRange: 1000,
            known: [Packet.identity(1)])
        let early = core.conclude(at: at(10.4)).evidence
        #expect(early.map(\.to) == [at(10)])
        #expect(early.first?.runs.map(\.beacon) == [0, 1])
        #expect(core.apply(policy, at: at(10.4)).evidence == [])
        let late = run(&core, until: 60, from: 10)
        #expect(late.map(\.from) == [at(10)])
        #expect(late.first?.runs == [], "the second of the change has no frame either")
        #expect(late.first?.gaps == [0...0])
    }

    @Test func `a policy with the same beacons and floor ends nothing`() {
        var core = NodeCore.listening(at: start)
        _ = run(&core, until: 10)
        var policy = core.policy
        policy.profile = .sparse
        #expect(core.apply(policy, at: at(10.5)).evidence == [])
        #expect(run(&core, until: 60, from: 10).map(\.from) == [start])
    }

    @Test func `a minute with very many runs is told in parts`() {
        var core = NodeCore.listening(known: 300, at: start)
        let everybody = Dictionary(uniqueKeysWithValues: (0..<UInt16(300)).map { ($0, [1, 40]) })
        let parts = run(&core, until: 60, hearing: everybody)
        #expect(parts.map(\.runs.count) == [512, 88])
        #expect(parts.map(\.from) == [start, start])
        let order = parts.flatMap(\.runs).map { [$0.beacon, $0.first] }
        #expect(order == (0..<300).flatMap { [[$0, 1], [$0, 40]] })
    }

    /// Whatever is heard when: the runs are the heard seconds with holes up to ten seconds filled.
    @Test(arguments: UInt64(1)...200)
    func `the runs of a minute are the seconds heard, small holes filled`(seed: UInt64) {
        var dice = Dice(seed: seed)
        let begin = Int.random(in: 0..<60, using: &dice)
        var core = NodeCore.listening(known: 3, at: at(Double(begin)))
        var heard: [[Int]] = [[], [], []]
        var evidence: [NodeEvidence] = []
        let chance = Int.random(in: 2...30, using: &dice)
        for second in begin..<240 {
            for minor in 0..<3 where Int.random(in: 0..<chance, using: &dice) == 0 {
                core.heard(
                    Packet.iBeacon(UInt16(minor), -70),
                    at: at(Double(second)) + .milliseconds(.random(in: 0...999, using: &dice)))
                heard[minor].append(second)
            }
            if Int.random(in: 0..<4, using: &dice) > 0 || second == 239 {
                evidence += core.tick(at: at(Double(second + 1))).evidence
            }
        }
        #expect(evidence.map(\.to) == [at(60), at(120), at(180), at(240)])
        #expect(evidence.map(\.from) == [at(Double(begin)), at(60), at(120), at(180)])
        for minor in 0..<3 {
            let told = evidence.flatMap { part in
                part.runs.filter { $0.beacon == minor }.flatMap { run in
                    (run.first...run.last).map { Int((part.from - start).seconds) + $0 }
                }
            }
            #expect(told == filled(heard[minor]), "beacon \(minor)")
        }
        let count = evidence.flatMap(\.runs).reduce(0) { $0 + $1.count }
        #expect(count == heard.joined().count)
    }

    /// The seconds, and those between two of a minute that are at most ten apart.
    private func filled(_ seconds: [Int]) -> [Int] {
        var filled: [Int] = []
        for second in seconds {
            if let last = filled.last, second - last <= 10, last / 60 == second / 60 {
                filled += (last + 1..<second)
            }
            filled.append(second)
        }
        return filled
    }
}

extension [NodeCore.Effect] {
    var evidence: [NodeEvidence] {
        compactMap { if case .evidence(let evidence) = $0 { evidence } else { nil } }
    }
}
