import Basics
import Records
import Simulation
import Notifications
import SiteEngine
import SiteModel
import SiteStore
import Registry

/// One site of a simulated month: its nodes' outboxes, a real core, a real database, and what goes
/// wrong between them.
struct MonthSite {
    /// What the run cannot go on from.
    enum Fault: Error, CustomStringConvertible {
        /// The document was not imported.
        case nothingImported
        /// The books would not correct a session.
        case notCorrected(BooksRefusal)

        var description: String {
            switch self {
            case .nothingImported: "the simulated site was not imported"
            case .notCorrected(let refusal): "no correction: \(refusal)"
            }
        }
    }

    /// Somebody has something to say, from a moment on.
    private struct Word {
        var statement: MonthStatement
        var due: Timestamp
    }

    /// Facts are stored at least this often, in seconds of simulated time.
    private static let commitEvery: Int64 = 600
    /// A kiosk that is refused tries again so long after.
    private static let again = Timestamp.Span.seconds(600)
    /// And gives up so long after the moment it is about.
    private static let patience = Timestamp.Span.seconds(35 * 3600)
    /// Somebody says that they were there for so much longer at both ends: more than evidence can say.
    private static let widening = Timestamp.Span.seconds(900)
    /// And that so long after they left.
    private static let afterthought = Timestamp.Span.seconds(6 * 3600)
    /// The chance that a record is delivered twice.
    private static let duplication = 0.02

    let store: Store
    private(set) var plan: Plan
    private let site: Int
    /// By person.
    let users: [UserID]
    private let slugs: [String]
    private let trouble: MonthTrouble
    private let isDisturbed: Bool
    private var mesh: Mesh
    private var air: MonthAir
    private var nodes: [MonthNode]
    private var words: [Word]
    private var crashes: [Timestamp]
    /// The visit whose session somebody will correct.
    private var correction: MonthVisit?
    /// Visits without a tag.
    private let tagless: [MonthVisit]
    private var dice: SeededRandom
    /// What was decided and is not stored yet, by input.
    private var pending: [[Fact]] = []
    /// The end of what was stored last, in seconds since the Unix epoch.
    private var stored: Int64
    private var isUp = true
    private var isCut: [Bool]
    private var isDark: [Bool]
    private var requests = 0

    /// Statements that were refused until it was too late.
    private(set) var refusals = 0
    /// Statements that were taken.
    private(set) var taken = 0
    /// Corrections that were approved.
    private(set) var corrections = 0
    /// Records delivered, again or for the first time.
    private(set) var deliveries = 0
    /// How often the core was made anew from the database.
    private(set) var restarts = 0

    /// A site at the beginning of the month, in a new database. Undisturbed, only power is lost.
    init(
        _ life: MonthLife, site: Int, people: Int, trouble: MonthTrouble, isDisturbed: Bool,
        seed: UInt64, database: String
    ) throws {
        self.site = site
        self.trouble = trouble
        self.isDisturbed = isDisturbed
        store = try Store(path: database)
        let carriers = Layout.people(count: people, seed: seed)
        _ = try SiteImport(store).importDocument(
            Self.document(site: site, people: carriers), at: life.start - .seconds(3600))
        guard let loaded = try store.load() else { throw Fault.nothingImported }
        plan = loaded.plan
        mesh = Mesh(plan: loaded.plan, restoring: loaded.saved)
        users = carriers.compactMap { loaded.names.users.id($0.slug) }
        slugs = carriers.map(\.slug)
        let beacons = carriers.compactMap { loaded.names.beacons.id($0.beaconSlug) }
        nodes = (0..<MonthLife.rooms).map {
            MonthNode(log: UInt64(100 * site + $0 + 1), beacons: beacons)
        }
        isCut = nodes.map { _ in false }
        isDark = isCut
        air = MonthAir(life, site: site, people: people, seed: seed)
        crashes = isDisturbed ? trouble.crashes(site: site) : []
        dice = SeededRandom(seed: seed, stream: 50 + UInt64(site))
        correction = Self.lone(life, site: site)
        tagless = life.visits.filter { $0.site == site && $0.isTagless }
        stored = life.start.second
        words = life.statements
            .filter { $0.site == site && (!$0.isTagged || Self.isQuiet(trouble, site, $0.at)) }
            .map { Word(statement: $0, due: $0.at) }
    }

    /// Whoever says goodbye while the evidence that they are in has not come is told that they are not
    /// in, and leaves it at that: what they said is not part of the truth.
    private static func isQuiet(_ trouble: MonthTrouble, _ site: Int, _ at: Timestamp) -> Bool {
        !trouble.spells.contains {
            $0.site == site && $0.interval.from - .seconds(1800) <= at
                && at < $0.interval.to + .seconds(1800)
        }
    }

    /// The first long visit with a tag that has nothing to do with any other of that person.
    private static func lone(_ life: MonthLife, site: Int) -> MonthVisit? {
        let margin = widening + .seconds(3600)
        return life.visits.first { visit in
            visit.site == site && !visit.isTagless && !visit.checksOut
                && visit.interval.length > .seconds(7200)
                && !life.visits.contains { other in
                    other != visit && other.site == site && other.person == visit.person
                        && other.interval.from < visit.interval.to + margin
                        && visit.interval.from < other.interval.to + margin
                }
        }
    }

    private static func document(site: Int, people: [Person]) -> SiteDocument {
        let rooms = (1...MonthLife.rooms).map { "room-\($0)" }
        return SiteDocument(
            slug: MonthLife.sites[site], name: MonthLife.sites[site], timeZone: MonthLife.timeZone,
            isDemo: true, rooms: rooms.map { .init(slug: $0, name: $0) }, stations: [],
            nodes: rooms.map { .init(slug: "n-\($0)", name: "Node of \($0)", room: $0) },
            users: people.map { .init(slug: $0.slug, name: $0.name) },
            beacons: people.map {
                .init(
                    slug: $0.beaconSlug, title: "Tag \($0.minor)", identity: $0.identity,
                    user: $0.slug)
            },
            policy: Policy(attendance: AttendancePolicy()))
    }

    /// The next moment somebody has something to say, if that is before `limit`; else `limit`.
    func boundary(before limit: Timestamp) -> Timestamp {
        words.first.map { min($0.due, limit) } ?? limit
    }

    /// Lets time pass between two whole minutes, and what was heard come a second later.
    mutating func pass(from: Int64, to: Int64) throws {
        for second in from..<to { listen(second) }
        let now = Timestamp(second: to + 1)
        while let crash = crashes.first, crash <= now {
            crashes.removeFirst()
            deliver(at: crash)
            try crashAndReturn()
        }
        guard !(isDisturbed && trouble.holds(.coordinatorDown, site: site, at: now)) else {
            if isUp { pending.removeAll() }
            isUp = false
            return
        }
        if !isUp { try returnFromFile() }
        deliver(at: now)
        handle(.tick, at: now + .seconds(1))
        if !(isDisturbed && trouble.holds(.brokerAway, site: site, at: now)) {
            let before = taken
            try speak(at: now + .seconds(1))
            // A kiosk says “done” when it is stored.
            if taken > before { stored = 0 }
        }
        if to - stored >= Self.commitEvery {
            try commit()
            stored = to
            try correct(at: now + .seconds(1))
        }
    }

    /// A manager corrects the session of a visit, once there is one that has ended.
    private mutating func correct(at now: Timestamp) throws {
        guard let visit = correction, now > visit.interval.to + Self.afterthought else { return }
        let session = mesh.saved.sessions.first {
            $0.user == users[visit.person] && $0.from < visit.interval.to
                && ($0.to.map { visit.interval.from < $0 } ?? false)
        }
        guard let session else { return }
        correction = nil
        try approve(
            .times(
                session.id, revision: session.revision,
                from: visit.interval.from - Self.widening, to: visit.interval.to + Self.widening),
            reason: "worked outside before and after", at: now)
    }

    /// Somebody asks for a correction, and a manager approves of it.
    private mutating func approve(
        _ change: SessionChange, reason: String, at now: Timestamp
    ) throws {
        let asked = try Books(store).perform(
            .request(change, reason: reason), by: "person", via: .cli, at: now)
        guard case .correction(let row) = try asked.mapError(Fault.notCorrected).get() else {
            return
        }
        _ = try Books(store).perform(
            .approve(row.id, reason: "so it was"), by: "manager", via: .cli, at: now
        ).mapError(Fault.notCorrected).get()
        handle(.overrides(try store.decisions()), at: now)
        try commit()
        corrections += 1
    }

    /// Stores what is left.
    mutating func finish() throws { try commit() }

    /// Records that were never stored; none once everything has been told.
    var waiting: Int { nodes.reduce(0) { $0 + $1.waiting } }

    private mutating func listen(_ second: Int64) {
        let heard = air.hear(second)
        if second % 60 == 0 { lookForPower(at: Timestamp(second: second)) }
        for index in nodes.indices {
            if isDark[index] {
                nodes[index].losePower()
            } else {
                nodes[index].listen(second, heard: heard[index])
            }
        }
    }

    /// Power comes and goes with whole minutes.
    private mutating func lookForPower(at moment: Timestamp) {
        let isSiteDark = trouble.holds(.siteWithoutPower, site: site, at: moment)
        for index in nodes.indices {
            isDark[index] =
                isSiteDark
                || trouble.holds(.nodeWithoutPower, site: site, node: index, at: moment)
        }
    }

    /// Every node that reaches the coordinator tells what it has not told.
    private mutating func deliver(at now: Timestamp) {
        let isAway = isDisturbed && trouble.holds(.brokerAway, site: site, at: now)
        let first = isDisturbed ? dice.index(below: nodes.count) : 0
        for offset in nodes.indices {
            let index = (first + offset) % nodes.count
            let isOffline =
                isDisturbed && trouble.holds(.nodeOffline, site: site, node: index, at: now)
            guard !isAway, !isOffline else {
                isCut[index] = true
                continue
            }
            if isCut[index] {
                isCut[index] = false
                nodes[index].rewind()
            }
            for record in nodes[index].tell() {
                handle(.evidence(record, from: plan.nodes[index].id), at: now)
                deliveries += 1
                guard isDisturbed, dice.chance(Self.duplication) else { continue }
                handle(.evidence(record, from: plan.nodes[index].id), at: now)
                deliveries += 1
            }
        }
    }

    private mutating func handle(_ input: Input, at now: Timestamp) {
        var decisions: [Decision] = []
        mesh.handle(input, at: now, into: &decisions)
        let facts = decisions.compactMap { decision -> Fact? in
            if case .fact(let fact) = decision { fact } else { nil }
        }
        if !facts.isEmpty { pending.append(facts) }
    }

    /// Who had no tag, and could not say so before they were heard again, asks for a correction.
    private mutating func askAfterwards(_ statement: MonthStatement, at now: Timestamp) throws {
        refusals += 1
        let visit = tagless.first {
            $0.person == statement.person && $0.interval.from <= statement.at
                && statement.at < $0.interval.to
        }
        guard statement.kind == .checkIn, let visit else { return }
        try commit()
        try approve(
            .add(
                user: slugs[visit.person], from: visit.interval.from, to: visit.interval.to),
            reason: "no tag, and nobody to tell", at: now)
    }

    /// Everybody who has something to say says it, in the order of the moments it is about.
    private mutating func speak(at now: Timestamp) throws {
        var later: [Word] = []
        while let word = words.first, word.due <= now {
            words.removeFirst()
            let person = word.statement.person
            // First that they came, then that they left.
            let isWaiting = later.contains { $0.statement.person == person }
            if !isWaiting, say(word.statement, at: now) {
                taken += 1
            } else if now - word.statement.at > Self.patience {
                try askAfterwards(word.statement, at: now)
            } else {
                later.append(Word(statement: word.statement, due: now + Self.again))
            }
        }
        guard !later.isEmpty else { return }
        words = (words + later).sorted {
            ($0.due, $0.statement.at, $0.statement.person)
                < ($1.due, $1.statement.at, $1.statement.person)
        }
    }

    private mutating func say(_ statement: MonthStatement, at now: Timestamp) -> Bool {
        requests += 1
        let user = users[statement.person]
        let verb: Request.Verb =
            switch statement.kind {
            case .checkIn: .attendance(user, .checkIn(at: statement.at, reason: "no tag"))
            case .checkOut: .attendance(user, .checkOut(at: statement.at, reason: nil))
            }
        let id = "k\(restarts)-\(requests)"
        handle(
            .request(Request(client: "kiosk", id: id, name: "statement", verb: verb)), at: now)
        return pending.last?.contains { fact in
            if case .answer(let answer) = fact, case .session = answer.outcome {
                true
            } else {
                false
            }
        } ?? false
    }

    private mutating func commit() throws {
        let facts = pending.flatMap { $0 }
        pending.removeAll(keepingCapacity: true)
        try store.commit(facts)
        acknowledge(facts)
    }

    private mutating func acknowledge(_ facts: [Fact]) {
        for case .cursor(let cursor) in facts {
            guard let index = plan.nodes.firstIndex(where: { $0.id == cursor.node }) else {
                continue
            }
            nodes[index].acknowledge(cursor)
        }
    }

    /// Dies when only a part of what was decided is stored; an input's facts are stored together.
    private mutating func crashAndReturn() throws {
        let safe = pending.prefix(dice.index(below: pending.count + 1)).flatMap { $0 }
        try store.commit(safe)
        acknowledge(safe)
        try returnFromFile()
    }

    private mutating func returnFromFile() throws {
        pending.removeAll()
        guard let loaded = try store.load() else { throw Fault.nothingImported }
        plan = loaded.plan
        mesh = Mesh(plan: loaded.plan, restoring: loaded.saved)
        for index in nodes.indices { nodes[index].rewind() }
        isUp = true
        restarts += 1
    }
}
