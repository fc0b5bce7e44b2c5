import AnomalyDetection
import Positioning
import Scheduling
import SiteModel
import TrainingEngine

/// One site: everything that is decided there, as a pure machine.
///
/// Routes inputs through the stages and collects what they decide; it holds no rule itself. What is
/// saved is saved in the same transaction: the facts of an input end with the rows of the machines
/// that changed, so that a database cut off between two inputs holds a true state.
package struct Mesh: Sendable {
    /// Changed machine rows are stored at least this often while somebody is heard.
    static let flushEvery = Timestamp.Span.seconds(10)
    /// Coverage alone is stored less often, to spare an SD card.
    static let flushWhenIdle = Timestamp.Span.seconds(60)
    /// The silent seconds after which only the calendar can change anything.
    static let longestCatchUp: Int64 = 120
    /// Who is not heard is silent only so long after the first node was heard: before, nobody knows where
    /// anybody is. And no node may ever be heard.
    static let settling = Timestamp.Span.seconds(15)
    static let longestSettling = Timestamp.Span.seconds(300)

    /// The plan in force.
    package private(set) var plan: Plan
    /// The sum of all facts decided so far.
    package private(set) var saved: Saved
    /// What is told at once and never stored.
    package private(set) var live: LiveStates
    /// How often decided places changed since this machine was made.
    package private(set) var changes: PlaceChanges
    /// What became of the record that was told last, if the last input was one.
    package private(set) var verdict: RecordVerdict?

    /// Where everything of the plan stands in its lists.
    let index: PlanIndex
    var coverage: Coverage
    private var offsets: Offsets
    private var locating: Locating
    /// How much louder nodes and fixed beacons are heard now than when places were taught, in dB.
    package var surveyBias: [(ear: Ear, decibels: Double)] { locating.surveyBias }
    private var shadow: Shadow?
    var presence: Presence
    package var attendance: Attendance
    var training: Training
    package var carriers: BindingIndex
    package var doubts: Doubts
    var notifications: NotificationStage
    package var outboxes: Outboxes
    var next: Int64
    var watermarks: [Watermark]
    private var overrides: Overrides?
    /// Of whom nothing is decided (`SetAside`): what is stored of them stands.
    package var paused: [UserID]
    /// The last whole second that was decided, or `nil` before the first input.
    private var decided: Int64?
    private var flushed: Timestamp
    /// When the first second was decided, and when a node was first heard.
    private var began: Timestamp?
    private var firstHeard: Timestamp?

    /// A site in a stored state, `Saved()` for a new one.
    package init(plan: Plan, restoring saved: Saved, pausing paused: [UserID] = []) {
        self.plan = plan
        self.paused = paused
        self.saved = saved
        index = PlanIndex(plan: plan)
        coverage = Coverage(plan: plan, saved: saved.site)
        let presence = Presence(plan: plan, saved: saved)
        self.presence = presence
        let places = plan.users.indices.map { (presence.room(of: $0), presence.station(of: $0)) }
        locating = Locating(plan: plan, places: places)
        shadow = Shadow(plan: plan, places: places)
        changes = PlaceChanges(plan: plan)
        offsets = Offsets(plan: plan, restoring: saved.offsets)
        attendance = Attendance(plan: plan, saved: saved)
        training = Training(
            plan: plan, logs: saved.workouts, downtimes: saved.downtimes,
            waits: saved.waits)
        live = LiveStates(plan: plan, saved: saved, training: training, coverage: coverage)
        carriers = BindingIndex(plan: plan)
        doubts = Doubts(plan: plan, stored: saved.ledgers.flatMap(\.doubts))
        notifications = NotificationStage(saved: saved)
        outboxes = Outboxes(saved: saved)
        next = saved.site.next
        watermarks = saved.site.watermarks
        overrides = saved.overrides
        flushed = saved.site.clock
    }

    /// The epoch the nodes are told; facts of it may still wait to be stored.
    package var epoch: Int64 { outboxes.epoch }

    /// Takes in one input and appends what was decided to `decisions`.
    ///
    /// `now` never runs backwards: an earlier time counts as the latest one seen.
    package mutating func handle(
        _ input: Input, at moment: Timestamp, into decisions: inout [Decision]
    ) {
        let now = max(moment, Timestamp(second: decided ?? moment.second))
        var facts: [Fact] = []
        let before = decided
        catchUp(to: now, &facts, &decisions)
        verdict = nil
        switch input {
        case .tick: break
        case .frame(let frame, let node): heard(frame, from: node, at: now)
        case .beat(let boot, let told, let node):
            coverage.beat(boot: boot, at: told, from: node, at: now)
        case .evidence(let evidence, let node): verdict = heard(evidence, from: node, at: now)
        case .nodeEvent(let event, let node):
            verdict = happened(event, at: node, now)
            facts += battery(event, at: node, now)
        case .unreadable(let record, let node): verdict = passOver(record, from: node, at: now)
        case .epoch(let least): outboxes.raise(to: least)
        case .node(let node, let isOnline): if !isOnline { coverage.lost(node) }
        case .elsewhere(let session, let user):
            if let place = index.users[user] {
                attendance.heardElsewhere(user: place, session)
            }
        case .request(let request, let recalled):
            perform(request, recalled, at: now, &facts, &decisions)
        case .used(let id): saved.usedIDs.put(id, by: \.key)
        case .plan(let new): retire(for: new, at: now, &facts)
        case .overrides(let new): take(new, at: now, &facts)
        }
        if coverage.takeRevision() { attendance.relisten() }
        if let jump = coverage.takeJump() {
            let before = Interval(from: jump.from - plan.policy.site.leave, to: jump.from)
            attendance.doubtClock(in: before)
        }
        attendance.siteListens(since: coverage.began)
        facts += settleQueues(after: facts, at: now)
        facts += notifications.news(in: facts, at: now)
        // Records wait for the next second, so that many of them are one transaction.
        let isNextSecond = decided != before
        if isNextSecond {
            decisions += outboxes.takeRepeats().map {
                .live(.cursorAgain($0.node, log: $0.log))
            }
        }
        flush(&facts, at: now, always: input.isSavedAtOnce || (outboxes.hasNews && isNextSecond))
        for fact in facts {
            saved.apply(fact)
            decisions.append(.fact(fact))
        }
        if case .plan(let new) = input { adopt(new, at: now) }
    }

    /// Decides every whole second that has ended since the last one decided.
    private mutating func catchUp(
        to now: Timestamp, _ facts: inout [Fact], _ decisions: inout [Decision]
    ) {
        guard var second = decided else {
            decided = now.second
            if saved.site.clock.milliseconds > 0 {
                coverage.resume(from: saved.site.clock, at: now)
                // What lies in our future was heard by a clock that was ahead, and may count twice.
                if saved.site.clock - now > Coverage.clockChange {
                    attendance.doubtClock(in: Interval(from: now, to: saved.site.clock))
                }
            }
            return
        }
        guard now.second > second else { return }
        if now.second - second > 2 * Self.longestCatchUp {
            for _ in 0..<Self.longestCatchUp {
                second += 1
                decide(Timestamp(second: second), &facts, &decisions)
            }
            second = now.second - Self.longestCatchUp
        }
        while second < now.second {
            second += 1
            decide(Timestamp(second: second), &facts, &decisions)
        }
        decided = second
    }

    private mutating func heard(_ frame: Frame, from node: NodeID, at now: Timestamp) {
        guard let index = index.nodes[node],
            let moment = coverage.heard(frame, from: node, at: now)
        else { return }
        firstHeard = firstHeard ?? now
        locating.listened(node: index, at: moment.at)
        doubts.listened(node: index, in: moment.second)
        shadow?.listened(node: index, at: moment.at)
        for entry in frame.entries {
            guard let beacon = carriers.index(of: entry.beacon) else { continue }
            let corrected = offsets.corrected(entry.median, beacon: beacon, node: index)
            offsets.heard(beacon: beacon, node: index, level: entry.median, at: moment.at)
            locating.heard(
                beacon: beacon, node: index, level: corrected, at: moment.at,
                cadence: entry.cadence)
            shadow?.heard(
                beacon: beacon, node: index, level: corrected, at: moment.at,
                cadence: entry.cadence)
            guard entry.strongest >= plan.policy.siteFloor,
                let user = carriers.user(of: beacon, heardBy: index, at: moment.second)
            else { continue }
            attendance.heard(user: user, second: moment.second, room: plan.nodes[index].ear)
            guard entry.cadence == nil else { continue }
            doubts.heard(
                beacon: beacon, user: user, node: index, level: corrected, count: entry.count,
                in: moment.second)
        }
    }

    private mutating func decide(
        _ now: Timestamp, _ facts: inout [Fact], _ decisions: inout [Decision]
    ) {
        let listening = plan.nodes.indices.map { coverage.isListening($0, at: now) }
        let earshot = CoverageMap(plan: plan, carriers: carriers, coverage: coverage, at: now)
        doubt(at: now)
        began = began ?? now
        let isSettled = firstHeard.map { now - $0 >= Self.settling } ?? false
        var fixes: [Fix?] = []
        for user in plan.users.indices {
            let beacons = carriers.beacons(of: user, at: now)
            let fix = locating.fix(user: user, beacons: beacons, at: now) { listening[$0] }
            shadow?.compare(fix, user: user, beacons: beacons, at: now) { listening[$0] }
            changes.saw(user: user, at: fix?.place, now)
            if let why = fix?.change { facts.append(.reasons(why.kept)) }
            fixes.append(fix)
            guard !paused.contains(plan.users[user].id) else { continue }
            facts += presence.step(
                user: user, fix: fix?.fresh(at: now),
                isListening: { earshot.covers($0, for: user) },
                listeningSince: { coverage.listeningSince(in: $0) }, roomOf: index.room,
                awayFrom: isSettled ? training.watched(of: plan.users[user].id) : nil,
                next: &next)
            facts += attendance.step(user: user, coverage: coverage.rooms, at: now, next: &next)
        }
        let isLong = began.map { now - $0 >= Self.longestSettling } ?? false
        facts += train(isSettled: isSettled || isLong, at: now)
        facts += offsets.step(at: now).map { .offset($0) }
        if now.second.isMultiple(of: 600) { training.forget(before: now) }
        facts += notifications.step(
            saved: saved, attendance: attendance,
            coverage: plan.nodes.isEmpty ? nil : coverage.rooms, at: now)
        live.update(
            plan: plan, presence: presence, attendance: attendance,
            training: training, paces: saved.paces,
            coverage: coverage, earshot: earshot, locating: locating, doubts: doubts, fixes: fixes,
            at: now, into: &decisions)
        live.update(shadow: shadow?.state, into: &decisions)
        let (carriers, changes) = (carriers, changes)
        live.updateBeacons(plan: plan, locating: locating, at: now, into: &decisions) { beacon in
            carriers.user(of: beacon, at: now).map { changes.lastHour(of: $0, at: now) }
        }
    }

    /// Puts what did not fit in the last seconds into the ledgers.
    private mutating func doubt(at now: Timestamp) {
        let (presence, people) = (presence, attendance)
        let news = doubts.step(at: now) { user in
            Doubts.Standing(
                session: people.latest(of: user), room: presence.room(of: user),
                station: presence.station(of: user))
        }
        for doubt in news {
            guard let user = index.users[doubt.user] else { continue }
            attendance.doubted(user: user, doubt)
        }
    }

    /// Ends what the new plan does not know any more.
    private mutating func retire(for new: Plan, at now: Timestamp, _ facts: inout [Fact]) {
        facts += presence.changes()
        // Another name changes nothing.
        guard !new.isSame(as: plan) else { return }
        var known = saved
        for fact in facts { known.apply(fact) }
        let retirement = Retirement(old: plan, new: new, now: now)
        facts += retirement.facts(saved: known, next: &next) { user in
            index.users[user].flatMap { attendance.lastHeard(of: $0) }
        }
    }

    /// Attendance starts anew from what is saved, with what people decided, and brings the sessions to
    /// it at once; everything else goes on as it is.
    private mutating func take(_ new: Overrides, at now: Timestamp, _ facts: inout [Fact]) {
        let taken = new.made
        facts.append(.overrides(taken))
        facts += attendance.changes(coverage: coverage.rooms, at: now, forgets: false)
        var known = saved
        for fact in facts { known.apply(fact) }
        known.site.clock = now
        // Nothing is forgotten by other corrections than those that it was decided by: of those that have
        // gone from the list for their age some may be about what is forgotten only now.
        let old = (overrides?.amendments ?? []).filter { old in
            !taken.amendments.contains { $0.id == old.id }
        }
        known.overrides?.amendments += old
        overrides = taken
        attendance = Attendance(plan: plan, saved: known)
        notifications = NotificationStage(saved: known, keeping: notifications)
        attendance.siteListens(since: coverage.began)
        attendance.owe(new.missing)
        let second = Timestamp(second: decided ?? now.second)
        for user in plan.users.indices where !paused.contains(plan.users[user].id) {
            facts += attendance.step(user: user, coverage: coverage.rooms, at: second, next: &next)
        }
        facts += attendance.changes(coverage: coverage.rooms, at: now)
        attendance.take(taken.amendments)
    }

    /// A new plan. One that differs by its number changes nothing: names are no part of it. Else the machines
    /// start from their saved states; where it locates as before, what was heard of everybody stays.
    private mutating func adopt(_ new: Plan, at now: Timestamp) {
        guard !new.isSame(as: plan) else {
            plan = new
            return
        }
        let old = self
        self = Mesh(plan: new, restoring: old.saved, pausing: old.paused)
        notifications = NotificationStage(saved: saved, keeping: old.notifications)
        (decided, began) = (old.decided, old.began)
        doubts = Doubts(plan: new, stored: saved.ledgers.flatMap(\.doubts), keeping: old.doubts)
        changes = PlaceChanges(plan: new, keeping: old.changes)
        coverage.keep(old.coverage)
        let carried = Carryover(from: old.plan, to: new)
        live.keep(old.live, plan: new, isCold: carried == nil, at: now)
        if let carried {
            firstHeard = old.firstHeard
            locating.keep(carried, of: old.locating)
            if let other = old.shadow { shadow?.keep(carried, of: other) }
            presence.keep(carried, of: old.presence)
            if new.beacons == old.plan.beacons { offsets = old.offsets }
        }
        if carried?.isRecounted ?? true {
            live.recount(
                plan: new, attendance: attendance, training: training, paces: saved.paces,
                coverage: coverage, at: now)
        }
    }

    /// Adds the rows of changed machines when there are facts, or when it is time.
    private mutating func flush(_ facts: inout [Fact], at now: Timestamp, always: Bool) {
        let isSomebodyHeard = presence.isChanged || attendance.isChanged
        let due = isSomebodyHeard ? Self.flushEvery : Self.flushWhenIdle
        let stations = live.stationNews
        guard !facts.isEmpty || always || stations != nil || now - flushed >= due else { return }
        facts += outboxes.takeFacts()
        facts += presence.changes()
        facts += attendance.changes(coverage: coverage.rooms, at: now)
        coverage.forget(before: attendance.needed(at: now))
        let row = SiteRow(
            clock: now, next: next, coverage: coverage.rooms, clocks: coverage.clocks,
            epoch: outboxes.epoch, watermarks: watermarks,
            watermark: watermarks.site(
                nodes: plan.nodes, excuses: overrides?.excuses ?? [], at: now),
            listeningSince: coverage.began, stations: stations ?? saved.site.stations)
        flushed = now
        live.storedStations()
        facts.append(.site(row))
    }
}
