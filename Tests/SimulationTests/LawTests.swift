import Foundation
import TestSupport
import Testing

@testable import Basics
@testable import Simulation
@testable import SiteEngine
@testable import SiteModel
@testable import SitePipeline

/// The laws of the design, on histories with loss, delay, duplicates, dead nodes, wrong clocks,
/// a broker that forgets or is away, outboxes, and crashes of the coordinator: ten people, real node cores, a real
/// SQLite file. A failure names its seed.
@Suite struct LawTests {
    static let seconds = 120.0

    private func faults(_ seed: UInt64) -> Faults {
        Faults(
            seed: seed, nodes: Layout.small.nodes.count,
            during: Interval(
                from: SimulatedSite.start + .seconds(20),
                to: SimulatedSite.start + .seconds(Self.seconds)))
    }

    /// Every other history has a time without a broker, in which the outboxes fill.
    private func outages(_ seed: UInt64) -> [Interval] {
        var random = SeededRandom(seed: seed, stream: 10)
        guard random.chance(0.5) else { return [] }
        let from = SimulatedSite.start + random.span(seconds: 20...60)
        return [Interval(from: from, to: from + random.span(seconds: 5...50))]
    }

    /// When the filter has refilled after a cut: 15 s in which the broker was there.
    private func settling(_ cut: Timestamp, _ outages: [Interval]) -> Timestamp {
        var settled = cut + .seconds(15)
        for outage in outages where outage.from < settled && cut < outage.to {
            settled = outage.to + .seconds(15)
        }
        return settled
    }

    /// Law 1: what is stored is what the mesh says it has saved. And the board is always what the
    /// mesh would render, and what the broker retains.
    @Test(arguments: TestLength.seeds(of: 400))
    func `stored, saved, rendered and retained agree after every commit`(seed: UInt64) throws {
        try checkAgreement(seed, SimulatedSite.Scale())
    }

    /// The same while a manager corrects sessions and locks what is past.
    @Test(arguments: TestLength.seeds(of: 100))
    func `corrected and locked, they agree as well`(seed: UInt64) throws {
        try checkAgreement(seed, managed)
    }

    /// The same while workouts begin, move and pause by themselves, and people wait for stations.
    @Test(arguments: TestLength.seeds(of: 100))
    func `with workouts by themselves and queues, they agree as well`(seed: UInt64) throws {
        var scale = SimulatedSite.Scale()
        scale.isAutomatic = true
        try checkAgreement(seed, scale)
    }

    private var managed: SimulatedSite.Scale {
        var scale = SimulatedSite.Scale()
        scale.isManaged = true
        return scale
    }

    private func checkAgreement(_ seed: UInt64, _ scale: SimulatedSite.Scale) throws {
        var site = try SimulatedSite(seed: seed, faults: faults(seed), scale: scale)
        defer { site.cleanUp() }
        site.brokerOutages = outages(seed)
        var commits = 0
        let check = { (site: SimulatedSite) throws in
            commits += 1
            let loaded = try #require(try site.store.load())
            #expect(loaded.saved == site.pipeline.mesh.saved, "seed \(seed)")
        }
        site.afterCommit = check
        try site.run(seconds: Self.seconds)
        // Liveness: a quiet end in which everything is told.
        for _ in 0..<8 { try site.run(seconds: 1) }
        #expect(commits > 5, "seed \(seed)")
        let mesh = site.pipeline.mesh
        let rendered = RetainedTopics(rendering: mesh, names: site.names)
        if site.pipeline.isSettled {
            #expect(site.pipeline.board.topics == rendered.topics, "seed \(seed)")
            #expect(site.retained == rendered.topics, "seed \(seed)")
        }
        #expect(site.pipeline.isSettled, "seed \(seed)")
        if scale.isManaged {
            #expect((mesh.saved.overrides?.revision ?? 0) > 2, "seed \(seed)")
            #expect(mesh.saved.overrides?.lockedThrough != nil, "seed \(seed)")
        }
        #expect(mesh.epoch == 1, "seed \(seed): nobody has put an old database in place")
        #expect(!mesh.saved.cursors.isEmpty, "seed \(seed): evidence is part of the history")
    }

    /// What a coordinator that starts by another clock makes of it: it dies in the middle, comes back with the clock
    /// of the machine set, dies again and comes back once more. What is stored agrees after every commit, and
    /// nobody is told to have been there for hours: what lies between two clocks is said to be a gap, or is none.
    /// Nobody says anything in it: what was said keeps the time of the clock it was said by.
    @Test(arguments: TestLength.seeds(of: 400))
    func `starts by wrong clocks invent no time and lose none`(seed: UInt64) throws {
        var dice = SeededRandom(seed: seed, stream: 11)
        var faults = Faults()
        if dice.chance(0.5) { faults.loss = dice.number(in: 0.01...0.2) }
        if dice.chance(0.5) { faults.delay = dice.span(seconds: 0.1...2) }
        var scale = SimulatedSite.Scale()
        scale.isBusy = false
        scale.registered = .seconds(3 * 86_400)
        var undisturbed = try SimulatedSite(seed: seed, faults: Faults(), scale: scale)
        defer { undisturbed.cleanUp() }
        let end = 300.0
        try undisturbed.run(seconds: end)
        faults.crashes = [
            SimulatedSite.start + dice.span(seconds: 30...70),
            SimulatedSite.start + dice.span(seconds: 90...130),
        ]
        var site = try SimulatedSite(seed: seed, faults: faults, scale: scale)
        defer { site.cleanUp() }
        let leads = [-86_400.0, -3600, -300, 300, 3600, 86_400]
        site.clocks = [
            .init(
                lead: .seconds(leads[dice.index(below: leads.count)]), isSynced: dice.chance(0.3),
                away: dice.span(seconds: 0...30)),
            .init(
                lead: .seconds(0), isSynced: dice.chance(0.5), away: dice.span(seconds: 0...30)),
        ]
        let clocks = site.clocks
        site.afterCommit = { site in
            let loaded = try #require(try site.store.load())
            #expect(loaded.saved == site.pipeline.mesh.saved, "seed \(seed)")
        }
        try site.run(seconds: end)
        for user in site.plan.users {
            let (truth, told) = (attended(undisturbed, by: user.id), attended(site, by: user.id))
            let whose = "seed \(seed), \(user.id), \(clocks): \(told) of \(truth)"
            // A minute in which nobody listened is worth nobody's attention.
            let most = truth.vouched + 30 + GapJudge.patience.seconds
            #expect(told.vouched <= most, "\(whose)")
            // Neither lost nor counted twice, whatever clock they were placed by. At each death rows are at most
            // 10 s old, and messages under way; where the clock goes on from the newest, what was heard meanwhile lies beside what follows.
            let away = clocks.reduce(0) { $0 + $1.away.seconds }
            #expect(told.heard <= truth.heard + 30, "\(whose)")
            #expect(told.heard >= truth.heard - 30 - away, "\(whose)")
        }
    }

    /// Of somebody, in seconds: the sessions that are not said to have a gap or a wrong clock, and how long any
    /// room heard them.
    private func attended(
        _ site: SimulatedSite, by user: UserID
    ) -> (vouched: Double, heard: Double) {
        let saved = site.pipeline.mesh.saved
        let vouched = saved.sessions.filter { session in
            session.user == user && !session.isVoid
                && !session.review.contains { $0 == .coverageGap || $0 == .wrongClock }
        }
        let ledger = saved.ledgers.first { $0.user == user }
        let heard = IntervalSet(
            ledger?.heard.flatMap(\.seconds.intervals) ?? [], joining: Ledger.joining)
        return (
            vouched.reduce(0) { sum, session in
                sum + max(0, ((session.to ?? site.coordinatorNow) - session.from).seconds)
            },
            heard.intervals.reduce(0) { $0 + $1.length.seconds }
        )
    }

    /// Law 2: a mesh restored after any commit decides the rest as the one that went on.
    @Test func `a restored mesh decides the same facts`() throws {
        try checkRestoring(TestLength.seeds(of: 400), SimulatedSite.Scale())
    }

    /// The same while a manager corrects sessions and locks what is past.
    @Test func `restored among corrections and locks, it decides the same facts`() throws {
        try checkRestoring(TestLength.seeds(of: 100), managed)
    }

    /// Of the moves after the first 15 s one in a thousand people may have others: how well levels fit somebody
    /// (`Weights.rateSeconds`) and how often they came back (`Restlessness.memory`) is remembered for longer and is
    /// not saved, and decides where it hangs by a hair. Over 400 seeds it was 2 of 12,000.
    private func checkRestoring(_ seeds: ClosedRange<UInt64>, _ scale: SimulatedSite.Scale) throws {
        var (people, strays) = (0, [String]())
        for seed in seeds {
            let (some, others) = try restored(seed, scale)
            people += some
            strays += others
        }
        #expect(strays.count * 1000 <= people, "of \(people): \(strays)")
    }

    /// Compares what follows three cuts of a history. Returns how many people's moves were compared, and whose
    /// differ.
    private func restored(
        _ seed: UInt64, _ scale: SimulatedSite.Scale
    ) throws -> (people: Int, strays: [String]) {
        var faults = faults(seed)
        faults.crashes = []
        var site = try SimulatedSite(seed: seed, faults: faults, scale: scale)
        defer { site.cleanUp() }
        site.brokerOutages = outages(seed)
        var cuts: [(after: Int, saved: Saved)] = []
        site.afterCommit = { site in
            guard let last = site.facts.last else { return }
            cuts.append((last.after, site.pipeline.mesh.saved))
        }
        try site.run(seconds: Self.seconds)
        try #require(cuts.count > 5, "seed \(seed)")
        var random = SeededRandom(seed: seed, stream: 9)
        var (people, strays) = (0, [String]())
        for _ in 0..<3 {
            let cut = cuts[random.index(below: cuts.count)]
            var pipeline = Pipeline(plan: site.plan, names: site.names, saved: cut.saved)
            pipeline.keepsDecisions = true
            for input in site.told[cut.after...] {
                // What waited for a database would be refused in the end.
                var effects: [Pipeline.Effect]
                defer { while effects.hasCommit { effects = pipeline.committed() } }
                switch input {
                case .message(let topic, let payload, let isRetained, let at):
                    effects = pipeline.heard(
                        topic: topic, payload: payload.span, isRetained: isRetained, at: at)
                case .tick(let at): effects = pipeline.tick(at: at)
                case .recalled(let found, let at): effects = pipeline.recalled(found, at: at)
                case .overrides(let overrides, let at):
                    effects = pipeline.adopt(overrides: overrides, at: at)
                }
            }
            var again: [Fact] = []
            for case .fact(let fact) in pipeline.takeDecisions() { again.append(fact) }
            let once = site.facts.filter { $0.after > cut.after }.map(\.fact)
            let moment = cut.saved.site.clock
            let settled = settling(moment, site.brokerOutages)
            let (first, second) = (Story(once, until: settled), Story(again, until: settled))
            #expect(first.firm == second.firm, "seed \(seed), cut after input \(cut.after)")
            people += site.plan.users.count
            strays += first.strays(from: second).map { user in
                "seed \(seed), cut after input \(cut.after), \(user)"
            }
        }
        return (people, strays)
    }
}

/// Facts without their row numbers, and without what Law 2 allows to differ: where a user's room
/// and station moves of the first 15 s differ, everything that follows from them may, too.
struct Story {
    /// Sessions, workouts, claims and answers, which may not differ at all, of each person in order. What is decided of
    /// several in one second has no order among them: which of them an input finds open depends on the start.
    private(set) var firm: [UserID?: [String]] = [:]
    /// By user: the moves of the first 15 s, and those after.
    private(set) var moves: [UserID: (early: [String], later: [String])] = [:]

    init(_ facts: [Fact], until settled: Timestamp) {
        for fact in facts {
            switch fact {
            case .site, .ledger, .presence, .event, .evidence, .nodeEvent, .cursor,
                .reasons, .offset, .overrides:
                break
            case .set(let row):
                var row = row
                (row.id, row.workout) = (0, 0)
                firm[row.user, default: []].append("set \(row)")
            case .downtime(let row):
                firm[nil, default: []].append("downtime \(row.from) \(row.to as Any)")
            case .wait(let row):
                var row = row
                row.id = 0
                firm[row.user, default: []].append("wait \(row)")
            case .session(let row):
                var row = row
                row.id = 0
                row.revision = 0
                firm[row.user, default: []].append("session \(row)")
            case .statement(let row):
                firm[row.user, default: []].append("statement \(row.kind) \(row.at)")
            case .dispute(let row): firm[row.user, default: []].append("dispute \(row)")
            // Of an event, by the session it is about; numbers may differ, and so may when it was
            // noticed after a restart.
            case .notification(let row):
                let cause = row.kind.isOfEvent ? "" : row.cause
                firm[row.user, default: []].append("notification \(row.kind) \(cause) \(row.at)")
            case .workout(let row):
                var row = row
                row.id = 0
                firm[row.user, default: []].append("workout \(row)")
            case .claim(let row):
                firm[row.user, default: []].append(
                    "claim \(row.station.row) \(row.slot) \(row.to as Any)")
            case .answer(let row):
                switch row.outcome {
                case .refused(let why, _):
                    firm[row.request.verb.user, default: []].append(
                        "answer \(row.request) \(row.at) \(why)")
                case .workout, .session, .set, .station:
                    firm[row.request.verb.user, default: []].append(
                        "answer \(row.request) \(row.at) done")
                }
            case .stay(let row):
                let line = "\(row.place) \(row.from) \(row.to as Any)"
                if (row.to ?? row.from) <= settled {
                    moves[row.user, default: ([], [])].early.append(line)
                } else {
                    moves[row.user, default: ([], [])].later.append(line)
                }
            }
        }
    }

    /// The users whose later moves differ although the early ones do not.
    func strays(from other: Story) -> [UserID] {
        Set(moves.keys).union(other.moves.keys).sorted().filter { user in
            let mine = moves[user] ?? ([], [])
            let theirs = other.moves[user] ?? ([], [])
            return mine.early == theirs.early && mine.later != theirs.later
        }
    }
}
