import Testing

@testable import SiteEngine
@testable import SiteModel

/// What nodes say afterwards gives the sessions that were, whatever was said at the time.
struct EvidenceTests {
    let node = NodeID(2)

    /// Evidence of node 2's process 1 about seconds after the start of the test; its clock is ours.
    private func evidence(
        _ seconds: Range<Int>, heard: [ClosedRange<Int>] = [], seq: Int64 = 1, after: Int64? = nil,
        log: UInt64 = 5, boot: UInt64 = 1, isSynced: Bool = true, gaps: [ClosedRange<Int>] = [],
        level: Double = -50
    ) -> Input {
        .evidence(
            Evidence(
                record: Record(log: log, sequence: seq, after: after ?? seq - 1), boot: boot,
                from: moment(Double(seconds.lowerBound)), to: moment(Double(seconds.upperBound)),
                listened: .seconds(Double(seconds.count)), floor: RSSI(dBm: -95),
                isSynced: isSynced, gaps: gaps,
                runs: heard.map {
                    .init(
                        beacon: BeaconID(1), first: $0.lowerBound - seconds.lowerBound,
                        last: $0.upperBound - seconds.lowerBound, count: 3,
                        strongest: RSSI(dBm: level), mean: RSSI(dBm: level))
                }), from: node)
    }

    private func sessions(_ run: SiteRun) -> [[Double?]] {
        var rows = MeshRows()
        rows.apply(run.decisions.facts)
        #expect(rows.faults == [])
        return rows.sessions(of: MeshSite.users[0]).map { session in
            [session.from, session.to].map { $0.map { ($0 - moment(0)).seconds } }
        }
    }

    private func cursors(_ run: SiteRun) -> [Int64] {
        run.decisions.facts.compactMap {
            if case .cursor(let row) = $0 { row.sequence } else { nil }
        }
    }

    private func states(_ run: SiteRun) -> [RecordVerdict] {
        run.decisions.facts.compactMap {
            if case .evidence(let row) = $0 { row.verdict } else { nil }
        }
    }

    /// Frames, evidence, or both; the evidence at once, or all of it at the end, in any order and
    /// some of it twice.
    @Test(arguments: UInt64(1)...60)
    func `frames and evidence in any order give the same sessions`(seed: UInt64) {
        var dice = Dice(seed: seed)
        let history = EvidenceHistory(seed: seed)
        let (frames, beats) = (history.frames(&dice), history.beats(&dice))
        let evidence = history.evidence()
        var late = (evidence + evidence.prefix(7)).shuffled(using: &dice)
        for index in late.indices { late[index].at = 302 + Double(index) * 0.2 }
        var doubled = late
        for index in doubled.indices { doubled[index].at += 15 }
        let tellings: [String: [EvidenceHistory.Step]] = [
            "frames": frames, "evidence": beats + evidence, "both": frames + evidence,
            "late": beats + late,
            "both, and late again": frames + beats + evidence + late + doubled,
        ]
        var outcomes: [String: [String]] = [:]
        for (name, steps) in tellings {
            var run = SiteRun(plan: MeshSite.plan(MeshHistory.impatient))
            for step in steps.sorted(by: { $0.at < $1.at }) { run.tell(step.input, step.at) }
            for second in 300...330 { run.tell(.tick, Double(second)) }
            var rows = MeshRows()
            rows.apply(run.decisions.facts)
            #expect(rows.faults == [], "\(name)")
            outcomes[name] = MeshSite.users.flatMap { user in
                rows.sessions(of: user).map { session in
                    let ends = [session.from, session.to].map {
                        $0.map { ($0 - moment(0)).seconds }
                    }
                    return "\(user.row): \(ends[0] ?? 0)–\(ends[1] ?? .infinity)"
                }
            }
        }
        #expect(outcomes["frames"]?.isEmpty == false)
        for (name, sessions) in outcomes { #expect(sessions == outcomes["frames"], "\(name)") }
    }

    @Test func `what was heard while the line was cut becomes a session`() {
        var run = SiteRun()
        run.second(1)
        run.tell(.tick, 400)
        run.tell(evidence(60..<120, heard: [70...110]), 400.2)
        run.tell(evidence(120..<180, seq: 2), 400.3)
        run.tell(evidence(180..<240, seq: 3), 400.4)
        #expect(sessions(run) == [])
        run.tell(.tick, 401)
        run.tell(.tick, 402)
        #expect(sessions(run) == [[70, 111]])
        #expect(cursors(run) == [3], "three records, one transaction")
        #expect(states(run) == [.taken, .taken, .taken])
    }

    @Test func `seconds in which the radio did not listen end no session`() {
        var run = SiteRun()
        run.tell(.tick, 400)
        run.tell(evidence(0..<60, heard: [10...39]), 400)
        run.tell(evidence(60..<120, seq: 2, gaps: [0...59]), 400)
        run.tell(evidence(120..<180, seq: 3, gaps: [0...29, 40...59]), 400)
        run.tell(.tick, 402)
        #expect(sessions(run) == [[10, nil]])
        // Twenty seconds of silence, then ten more, and now the sixty that are missing.
        run.tell(evidence(180..<240, seq: 4), 402)
        run.tell(.tick, 404)
        #expect(sessions(run) == [[10, 40]])
    }

    @Test func `a session that late listening leaves too short is withdrawn`() {
        var run = SiteRun()
        run.tell(.tick, 900)
        run.tell(evidence(0..<60, heard: [0...4], gaps: [5...59]), 900)
        run.tell(
            evidence(
                120..<180, heard: [0...4].map { $0.lowerBound + 175...179 }, seq: 2, gaps: [0...54]),
            900)
        for minute in 3...7 {
            run.tell(evidence(minute * 60..<minute * 60 + 60, seq: Int64(minute)), 900)
        }
        run.tell(.tick, 902)
        #expect(sessions(run) == [[0, 180]])
        run.tell(evidence(5..<65, seq: 20), 903)
        run.tell(evidence(65..<125, seq: 21), 903)
        run.tell(.tick, 905)
        #expect(sessions(run) == [])
    }

    @Test func `what is told twice changes nothing, and the cursor is told again`() {
        var run = SiteRun()
        run.tell(.tick, 400)
        run.tell(evidence(60..<120, heard: [70...110]), 400)
        run.tell(.tick, 401)
        run.tell(.tick, 402)
        let saved = run.mesh.saved
        run.tell(evidence(60..<120, heard: [70...115]), 402.5)
        #expect(run.mesh.verdict == .duplicate)
        #expect(run.tell(.tick, 403).lives.contains(.cursorAgain(node, log: 5)))
        #expect(!run.tell(.tick, 404).lives.contains(.cursorAgain(node, log: 5)))
        #expect(run.mesh.saved == saved)
    }

    @Test func `a record behind a missing one counts, but is not acknowledged`() {
        var run = SiteRun()
        run.tell(.tick, 400)
        run.tell(evidence(60..<120, heard: [70...110], seq: 2), 400)
        #expect(run.mesh.verdict == .gap)
        run.tell(.tick, 402)
        #expect(sessions(run) == [[70, nil]])
        #expect(run.mesh.saved.cursors.map(\.sequence) == [0])
        run.tell(evidence(0..<60), 402)
        run.tell(evidence(60..<120, heard: [70...110], seq: 2), 402)
        #expect(run.mesh.verdict == .taken)
        run.tell(.tick, 403)
        #expect(run.mesh.saved.cursors.map(\.sequence) == [2])
    }

    @Test func `what a node no longer has is not waited for`() {
        var run = SiteRun()
        run.tell(.tick, 400)
        run.tell(evidence(60..<120, seq: 500, after: 0), 400)
        run.tell(evidence(120..<180, seq: 600, after: 500), 400)
        run.tell(.tick, 401)
        #expect(run.mesh.saved.cursors.map(\.sequence) == [600])
    }

    @Test func `a record that cannot be read is passed over`() {
        var run = SiteRun()
        run.tell(.tick, 400)
        run.tell(.unreadable(Record(log: 5, sequence: 1, after: 0), from: node), 400)
        run.tell(.tick, 401)
        #expect(run.mesh.saved.cursors.map(\.sequence) == [1])
        #expect(states(run) == [])
    }

    @Test func `a gap that stays is answered with a new epoch, at most once an hour`() {
        var run = SiteRun()
        var epochs: [Int64] = []
        for second in stride(from: 400.0, to: 7000, by: 60) {
            let number = Int64(second)
            run.tell(evidence(60..<120, seq: number), second)
            run.tell(.tick, second + 1)
            if epochs.last != run.mesh.saved.site.epoch { epochs.append(run.mesh.saved.site.epoch) }
        }
        #expect(epochs == [1, 2, 3])
    }

    @Test func `an epoch only grows`() {
        var run = SiteRun()
        run.tell(.epoch(atLeast: 7), 1)
        run.tell(.tick, 2)
        run.tell(.epoch(atLeast: 3), 3)
        run.tell(.tick, 4)
        #expect(run.mesh.saved.site.epoch == 7)
    }

    @Test func `an outbox that is new starts a cursor of its own, and few are remembered`() {
        var run = SiteRun()
        for log in UInt64(1)...6 {
            run.tell(evidence(60..<120, seq: 9, after: 0, log: log), 400 + Double(log) * 2)
        }
        run.tell(.tick, 420)
        #expect(run.mesh.saved.cursors.map(\.log) == [3, 4, 5, 6])
        #expect(run.mesh.saved.cursors.current(of: node)?.log == 6)
    }

    @Test func `evidence older than 36 hours, or of a time to come, changes nothing`() {
        let now = 36 * 3600.0 + 300
        var run = SiteRun()
        run.tell(.tick, now)
        run.tell(evidence(240..<300, heard: [250...290]), now)
        #expect(run.mesh.verdict == .late)
        run.tell(
            evidence(Int(now) + 2..<Int(now) + 62, heard: [Int(now) + 3...Int(now) + 60], seq: 2),
            now)
        #expect(run.mesh.verdict == .future)
        run.tell(.tick, now + 200)
        #expect(sessions(run) == [])
        #expect(states(run) == [.late, .future])
        #expect(cursors(run) == [2], "it is acknowledged all the same")
        run.tell(evidence(300..<360, heard: [301...359], seq: 3), now)
        #expect(run.mesh.verdict == .late, "the second before the horizon")
    }

    @Test func `a clock that is about to be known is waited for, and not for ever`() {
        var run = SiteRun()
        run.tell(.tick, 400)
        run.tell(evidence(60..<120, heard: [70...110], isSynced: false), 400)
        #expect(run.mesh.verdict == .clockless)
        run.tell(.beat(boot: 1, told: moment(301), from: node), 401)
        run.tell(evidence(60..<120, heard: [70...110], isSynced: false), 402)
        #expect(run.mesh.verdict == .taken)
        run.tell(.tick, 404)
        #expect(sessions(run) == [[170, nil]])

        var silent = SiteRun()
        silent.tell(evidence(60..<120, heard: [70...110], isSynced: false), 400)
        silent.tell(evidence(60..<120, heard: [70...110], isSynced: false), 500)
        #expect(silent.mesh.verdict == .clockless)
        silent.tell(evidence(60..<120, heard: [70...110], isSynced: false), 551)
        #expect(silent.mesh.verdict == .uncertain)
        silent.tell(.tick, 553)
        #expect(sessions(silent) == [])
        #expect(cursors(silent) == [1])
    }

    @Test func `evidence of an earlier process goes by its clock, or by none`() {
        var run = SiteRun()
        run.tell(.beat(boot: 1, told: moment(-1000), from: node), 10)
        run.tell(.beat(boot: 3, told: moment(400), from: node), 400)
        run.tell(evidence(-940 ..< -880, heard: [-930 ... -890], isSynced: false), 400)
        #expect(run.mesh.verdict == .taken)
        run.tell(evidence(100..<160, heard: [110...150], seq: 2, boot: 2, isSynced: false), 400)
        #expect(run.mesh.verdict == .uncertain)
        run.tell(.tick, 402)
        #expect(sessions(run) == [[80, nil]])
    }

    @Test func `a weak run counts for nothing`() {
        var run = SiteRun()
        run.tell(.tick, 400)
        run.tell(evidence(60..<120, heard: [70...110], level: -96), 400)
        run.tell(.tick, 402)
        #expect(sessions(run) == [])
    }

    @Test func `a run of a tag that was handed on is shared out`() {
        var plan = MeshSite.plan()
        plan.bindings = [
            Binding(
                beacon: BeaconID(1), user: MeshSite.users[0], from: moment(0), to: moment(90.5)),
            Binding(beacon: BeaconID(1), user: MeshSite.users[1], from: moment(90.5), to: nil),
        ]
        var run = SiteRun(plan: plan)
        run.tell(.tick, 400)
        run.tell(evidence(60..<120, heard: [70...110]), 400)
        run.tell(.tick, 402)
        var rows = MeshRows()
        rows.apply(run.decisions.facts)
        let ends = MeshSite.users.map { user in rows.sessions(of: user).map(\.from) }
        #expect(ends == [[moment(70)], [moment(91)], []])
        #expect(run.mesh.saved.ledgers.first?.heard.first?.seconds.last?.to == moment(91))
    }

    @Test func `a node that is not in the plan is not believed`() {
        var run = SiteRun()
        run.tell(.tick, 400)
        guard case .evidence(let evidence, _) = evidence(60..<120) else { return }
        run.tell(.evidence(evidence, from: NodeID(99)), 400)
        run.tell(.unreadable(evidence.record, from: NodeID(99)), 400)
        run.tell(.tick, 402)
        #expect(run.mesh.saved.cursors == [])
        #expect(states(run) == [])
    }

    @Test func `what happened at a node is stored with its time by our clock`() {
        var run = SiteRun()
        run.tell(.beat(boot: 1, told: moment(300), from: node), 400)
        let event = NodeEvent(
            record: Record(log: 5, sequence: 1, after: 0), boot: 1, at: moment(250),
            kind: "adapter-lost", detail: nil, beacon: nil, value: nil)
        run.tell(.nodeEvent(event, from: node), 401)
        run.tell(.nodeEvent(event, from: node), 401.5)
        #expect(run.mesh.verdict == .duplicate)
        run.tell(.tick, 402)
        let rows = run.decisions.facts.compactMap {
            if case .nodeEvent(let row) = $0 { row } else { nil }
        }
        #expect(
            rows == [NodeEventRow(node: node, event: event, at: moment(401), happened: moment(350))]
        )
    }
}
