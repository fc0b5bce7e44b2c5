import Scheduling
import Testing

@testable import SiteEngine
@testable import SiteModel

/// What became known late counts as if it had been known at once, and what is forgotten counts as if
/// it were still known: cases that once went wrong.
struct AttendanceSetTests {
    static let hour = 3600
    let user = MeshSite.users[0]

    /// A site that is told evidence, and the rows it stored.
    private struct Told {
        var plan: Plan
        var mesh: Mesh
        var rows = MeshRows()
        private var sequence: [Int64: Int64] = [:]

        init(longestBreak: Double = 0) {
            var policy = Policy()
            policy.attendance = AttendancePolicy(
                mergeGap: .seconds(longestBreak > 0 ? 300 : 0),
                longestBreak: .seconds(longestBreak))
            plan = MeshSite.plan(policy)
            mesh = Mesh(plan: plan, restoring: Saved())
        }

        mutating func tell(_ input: Input, _ at: Double) {
            var made: [Decision] = []
            mesh.handle(input, at: moment(at), into: &made)
            rows.apply(made.facts)
        }

        /// A node's minutes from one to another, not including it, all told at `at`; it heard user 1
        /// in `heard`.
        mutating func replay(
            _ node: Int64, minutes: Range<Int>, heard: [Range<Int>] = [], at: Double
        ) {
            for minute in minutes {
                let number = sequence[node, default: 0] + 1
                sequence[node] = number
                let span = minute * 60..<minute * 60 + 60
                let runs = heard.map { $0.clamped(to: span) }.filter { !$0.isEmpty }.map {
                    Evidence.Run(
                        beacon: BeaconID(1), first: $0.lowerBound - span.lowerBound,
                        last: $0.upperBound - 1 - span.lowerBound, count: 1,
                        strongest: RSSI(dBm: -50), mean: RSSI(dBm: -50))
                }
                let evidence = Evidence(
                    record: Record(log: UInt64(node), sequence: number, after: number - 1), boot: 1,
                    from: moment(Double(span.lowerBound)), to: moment(Double(span.upperBound)),
                    listened: .seconds(60), floor: RSSI(dBm: -95), isSynced: true, gaps: [],
                    runs: runs)
                tell(.evidence(evidence, from: NodeID(node)), at)
            }
            pass(until: at + 2)
        }

        mutating func pass(until end: Double) {
            for second in [end - 1, end] { tell(.tick, second) }
        }

        mutating func start(at now: Double) {
            mesh = Mesh(plan: plan, restoring: mesh.saved)
            pass(until: now + 2)
        }

        /// Times, breaks and codes of the sessions of user 1.
        var sessions: [String] {
            rows.sessions(of: MeshSite.users[0]).map { session in
                let text = { (at: Timestamp) in "\(Int((at - moment(0)).seconds))" }
                let words =
                    ["\(text(session.from))–\(session.to.map(text) ?? "open")"]
                    + session.breaks.map { "\(text($0.from))+\(Int($0.length.seconds))" }
                    + session.review.map(\.rawValue)
                return words.joined(separator: " ")
            }
        }
    }

    @Test func `silence that is told last of all ends the session it ended`() {
        var site = Told()
        site.tell(.tick, 3700)
        site.replay(4, minutes: 0..<10, heard: [300..<600], at: 3700)
        site.replay(4, minutes: 20..<60, heard: [1200..<1500], at: 3701)
        #expect(site.sessions == ["300–1500 coverage-gap"])
        site.replay(1, minutes: 0..<10, heard: [300..<600], at: 3710)
        site.replay(1, minutes: 10..<60, at: 3720)
        let stored = site.sessions
        #expect(stored == ["300–600", "1200–1500 coverage-gap"])
        site.start(at: 3730)
        #expect(site.sessions == stored)
    }

    @Test func `silence before a check-out is noted when it is told after it`() {
        var site = Told()
        site.replay(1, minutes: 0..<20, heard: [300..<1200], at: 1200)
        site.tell(
            .request(
                Request(
                    client: "desk", id: "1",
                    name: "asked",
                    verb: .attendance(user, .checkOut(at: nil, reason: nil)))), 2400
        )
        #expect(site.sessions == ["300–2400"])
        site.replay(1, minutes: 20..<60, at: 4000)
        #expect(site.sessions == ["300–2400 silent-before-out"])
        site.start(at: 4100)
        #expect(site.sessions == ["300–2400 silent-before-out"])
    }

    @Test(arguments: [20, 60, 90])
    func `a break stays one when the power is off for days`(hours: Int) {
        var site = Told(longestBreak: 7200)
        let heard = [120..<2000, 4000..<7200]
        site.replay(1, minutes: 0..<120, heard: heard, at: 7200)
        #expect(site.sessions == ["120–open 2000+2000"])
        let back = hours * Self.hour
        site.pass(until: Double(back))
        site.replay(1, minutes: back / 60 + 1..<back / 60 + 20, at: Double(back + 1200))
        #expect(site.sessions == ["120–7200 2000+2000 coverage-gap"])
        site.start(at: Double(back + 1300))
        #expect(site.sessions == ["120–7200 2000+2000 coverage-gap"])
    }

    @Test func `a session that was held open too long is not too long when it has ended`() {
        var site = Told()
        site.replay(1, minutes: 0..<15, heard: [300..<900], at: 950)
        site.pass(until: Double(15 * Self.hour))
        #expect(site.sessions == ["300–open too-long"])
        site.pass(until: Double(37 * Self.hour))
        #expect(site.sessions == ["300–900 coverage-gap"])
    }

    @Test func `a tag that stays for days after the check-out opens nothing`() {
        var site = Told()
        for hour in 0..<60 {
            let end = Double((hour + 1) * Self.hour)
            site.replay(
                1, minutes: hour * 60..<hour * 60 + 60, heard: [300..<60 * Self.hour], at: end)
            if hour == 0 {
                site.tell(
                    .request(
                        Request(
                            client: "desk", id: "1",
                            name: "asked",
                            verb: .attendance(user, .checkOut(at: nil, reason: nil)))),
                    end + 10)
            }
        }
        #expect(site.sessions == ["300–3610 heard-outside"])
        site.start(at: Double(60 * Self.hour + 100))
        #expect(site.sessions == ["300–3610 heard-outside"])
    }

    /// A session that ended before the horizon goes on where late evidence of within it says so.
    @Test func `evidence of just within the horizon continues a session from before it`() {
        var site = Told()
        site.replay(1, minutes: 0..<10, heard: [300..<540], at: 600)
        // Nobody listens for 14 hours; then they are heard, which becomes known 36 hours later.
        let (back, late) = (14 * Self.hour + 1200, 50 * Self.hour)
        site.replay(
            4, minutes: late / 60..<late / 60 + 10, heard: [late..<late + 300],
            at: Double(late + 700))
        #expect(site.sessions == ["300–540 coverage-gap", "\(late)–\(late + 300) coverage-gap"])
        site.replay(
            1, minutes: back / 60..<back / 60 + 15, heard: [back..<back + 600],
            at: Double(late + 800))
        let stored = site.sessions
        #expect(site.rows.faults == [])
        #expect(
            stored == [
                "300–\(back + 600) coverage-gap too-long", "\(late)–\(late + 300) coverage-gap",
            ])
        site.start(at: Double(late + 900))
        #expect(site.sessions == stored)
    }

    @Test func `what is kept of a tag left behind stays small`() {
        var site = Told()
        for hour in 0..<4 * 24 {
            let minutes = hour * 60..<hour * 60 + 60
            let heard = minutes.filter { $0 >= 5 }.map { $0 * 60 + 20..<$0 * 60 + 30 }
            site.replay(1, minutes: minutes, heard: heard, at: Double((hour + 1) * Self.hour))
        }
        #expect(site.sessions == ["320–open too-long"])
        let row = site.mesh.saved.ledgers.first { $0.user == user }
        let kept = row?.heard.first?.seconds.intervals.count ?? 0
        #expect((36 * 60...38 * 60).contains(kept))
    }

    @Test func `a ledger stored without a checkpoint loses nothing of a session that goes on`() {
        var site = Told(longestBreak: 7200)
        site.replay(1, minutes: 0..<120, heard: [120..<2000, 4000..<7200], at: 7200)
        var saved = site.mesh.saved
        let now = 36 * Self.hour + 5000
        saved.site.clock = moment(Double(now))
        for index in saved.ledgers.indices {
            saved.ledgers[index].checkpoint = nil
            for room in saved.ledgers[index].heard.indices {
                saved.ledgers[index].heard[room].seconds.forget(before: moment(5000))
            }
        }
        site.mesh = Mesh(plan: site.plan, restoring: saved)
        site.pass(until: Double(now + 2))
        #expect(site.sessions == ["120–open 2000+2000 too-long"])
    }

    @Test func `a tag left behind is corrected when its first day is forgotten`() {
        var site = Told()
        for hour in 0..<50 {
            site.replay(
                1, minutes: hour * 60..<hour * 60 + 60, heard: [300..<60 * Self.hour],
                at: Double((hour + 1) * Self.hour))
        }
        #expect(site.sessions == ["300–open too-long"])
        let now = Double(50 * Self.hour + 60)
        let correction = Amendment(
            id: 1, user: user, replaced: Interval(from: moment(300), to: moment(now)),
            stated: stretch(300, 3600))
        site.tell(.overrides(Overrides(revision: 1, amendments: [correction])), now)
        #expect(site.sessions == ["300–3600 heard-outside"])
        site.replay(
            1, minutes: 50 * 60..<51 * 60, heard: [300..<60 * Self.hour],
            at: Double(51 * Self.hour))
        #expect(site.sessions == ["300–3600 heard-outside"])
        site.start(at: Double(51 * Self.hour + 100))
        #expect(site.sessions == ["300–3600 heard-outside"])
        #expect(site.rows.faults == [])
    }

    /// Frames of one node are lost and late, people come, go and say so: what is decided live is what a
    /// coordinator that starts there decides.
    @Test(arguments: UInt64(1)...40)
    func `late frames change what a start would change`(seed: UInt64) {
        var dice = Dice(seed: seed)
        var site = Told()
        var under: [(at: Double, input: Input)] = []
        var isThere = true
        var isOn = true
        var asked = 0
        for second in 1...900 {
            if Int.random(in: 0..<60, using: &dice) == 0 { isThere.toggle() }
            if Int.random(in: 0..<80, using: &dice) == 0 { isOn.toggle() }
            if isOn, Int.random(in: 0..<8, using: &dice) > 0 {
                let late = Int.random(in: 0..<4, using: &dice) == 0 ? 9.0 : 0.8
                let levels: [(beacon: Int64, level: Double)] = isThere ? [(1, -50)] : []
                under.append(
                    (
                        Double(second) + .random(in: 0...late, using: &dice),
                        .frame(
                            MeshSite.frame(moment(Double(second)), levels), from: NodeID(1))
                    ))
            }
            if Int.random(in: 0..<50, using: &dice) == 0 {
                asked += 1
                let verb: Request.Verb =
                    Bool.random(using: &dice)
                    ? .attendance(user, .checkIn(at: nil, reason: nil))
                    : .attendance(user, .checkOut(at: nil, reason: nil))
                under.append(
                    (
                        Double(second),
                        .request(Request(client: "desk", id: "\(asked)", name: "asked", verb: verb))
                    ))
            }
            let due = under.filter { $0.at <= Double(second) }.sorted { $0.at < $1.at }
            under.removeAll { $0.at <= Double(second) }
            for (at, input) in due { site.tell(input, at) }
            site.tell(.tick, Double(second))
            guard second % 5 == 0 else { continue }
            var (going, started) = (site, site)
            // Attendance starts anew from what is saved.
            started.tell(.overrides(Overrides(revision: 1)), Double(second))
            going.pass(until: Double(second + 2))
            started.pass(until: Double(second + 2))
            #expect(going.sessions == started.sessions, "seed \(seed) at \(second)")
            if going.sessions != started.sessions { return }
        }
        #expect(!site.sessions.isEmpty, "seed \(seed)")
    }
}
