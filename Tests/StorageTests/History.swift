import Scheduling
@testable import SiteEngine
@testable import SiteModel
@testable import TrainingEngine

/// Makes up facts that a site's machines could decide: in any order, but never against a
/// constraint of the database.
struct History {
    private static let users = [ann, bob, cid]
    private static let stations = [rack, bench, StationID(3)]
    private static let texts = ["a", "b", "é", "e\u{301}", "\0", "\\0", "a\0b", "", "’; DROP", "ß"]

    private(set) var clock = start
    private var random: SeededRandom
    private var next: Int64 = 1
    private var sessions: [Session] = []
    private var stays: [Stay] = []
    private var workouts: [Workout] = []
    private var claims: [Claim] = []
    private var downtimes: [Downtime] = []
    private var waits: [Wait] = []
    private var sets: [WorkoutSet] = []
    private var told: [Fact] = []

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// What is decided in one go, one fact or a few.
    mutating func step() -> [Fact] {
        // Mostly minutes, now and then days, so that things fall behind the horizons.
        let pause = chance(10) ? number(1...72) * 3_600_000 : number(0...600_000)
        clock = clock + .milliseconds(pause)
        let facts: [Fact]
        switch number(0...19) {
        case 0, 1: facts = session()
        case 2: facts = correction()
        case 3, 4: facts = stay()
        case 5, 6: facts = workout()
        case 7: facts = [.ledger(ledger())]
        case 8: facts = [.presence(presence())]
        case 9: facts = [.answer(answer())]
        case 10: facts = [evidence()]
        case 11: facts = [.cursor(cursor())]
        case 12: facts = [.reasons(reasons())]
        case 13: facts = [.offset(offset())]
        case 14: facts = [.overrides(overrides())]
        case 15: facts = [.notification(notification())]
        case 16: facts = downtime()
        case 17, 18: facts = set()
        case 19: facts = wait()
        default: facts = told.isEmpty ? [] : [told[Int(number(0...Int64(told.count - 1)))]]
        }
        guard chance(2) else { return facts }
        let clocks = (0..<number(0...3)).map {
            NodeClock(
                node: NodeID($0 + 1), boot: random.next(),
                offset: .milliseconds(number(-5000...5000)), heard: clock)
        }
        return facts
            + [
                .site(
                    SiteRow(
                        clock: clock, next: next, coverage: times(), clocks: clocks,
                        epoch: number(1...3)))
            ]
    }

    private mutating func overrides() -> Overrides {
        let moment = clock - .milliseconds(number(0...3_600_000))
        let amendments = (0..<number(0...3)).map { id in
            Amendment(
                id: id, user: user(), replaced: Interval(from: moment, to: clock),
                stated: chance(2) ? Interval(from: moment, to: clock) : nil)
        }
        return Overrides(
            revision: number(0...99), amendments: amendments,
            lockedThrough: chance(2) ? moment : nil,
            excuses: chance(3) ? [NodeExcuse(node: NodeID(number(1...2)), since: moment)] : [])
    }

    /// Now and then of a cause that was told already.
    private mutating func notification() -> NotificationRow {
        let kind = NotificationRow.Kind.allCases.filter { $0 != .test }[Int(number(0...4))]
        let moment = clock - .milliseconds(number(0...3_600_000))
        let isBattery = kind == .batteryLow
        return NotificationRow(
            kind: kind, cause: "\(kind.rawValue)-\(number(0...40))",
            user: isBattery && chance(2) ? nil : user(),
            subject: isBattery ? "" : "\(number(1...9))",
            beacon: isBattery ? BeaconID(number(1...3)) : nil, at: moment,
            since: chance(2) ? moment - .milliseconds(number(0...9_999)) : nil, made: clock,
            due: clock + .milliseconds(number(0...9_999)))
    }

    private mutating func offset() -> OffsetRow {
        let place = chance(2) ? Place(room: RoomID(1), station: chance(2) ? rack : nil) : nil
        return OffsetRow(
            device: chance(2) ? .node(NodeID(number(1...2))) : .beacon(BeaconID(number(1...2))),
            place: place, position: chance(3) ? Position(x: 1.5, y: -0.1) : nil,
            offset: Double(number(-120...120)) / 10, applied: Double(number(-120...120)) / 10,
            weight: Int(number(0...9999)), since: clock, at: clock, isProven: chance(2),
            drift: chance(4) ? Double(number(-240...240)) / 10 : nil)
    }

    private mutating func session() -> [Fact] {
        let user = user()
        if let open = sessions.firstIndex(where: { $0.user == user && $0.to == nil && !$0.isVoid })
        {
            sessions[open].to = max(clock, sessions[open].from)
            return [.session(sessions[open]), event(.checkedOut, user)]
        }
        let new = Session(id: id(), user: user, from: clock, to: nil)
        guard fits(new) else { return [] }
        sessions.append(new)
        return [.session(new), event(.checkedIn, user)]
    }

    /// Late evidence: a session is withdrawn, shrinks, or turns up in the past.
    private mutating func correction() -> [Fact] {
        if chance(2), !sessions.isEmpty {
            let index = Int(number(0...Int64(sessions.count - 1)))
            if let to = sessions[index].to, chance(2) {
                let length = (to - sessions[index].from).milliseconds
                sessions[index].to = sessions[index].from + .milliseconds(number(0...length))
            } else {
                sessions[index].isVoid = true
            }
            return [.session(sessions[index])]
        }
        let from = clock - .milliseconds(number(0...72 * 3_600_000))
        let late = Session(
            id: id(), user: user(), from: from, to: from + .milliseconds(number(0...1_800_000)))
        guard fits(late) else { return [] }
        sessions.append(late)
        return [.session(late), event(.corrected, late.user)]
    }

    private func fits(_ new: Session) -> Bool {
        let never = Timestamp(milliseconds: .max)
        return !sessions.contains {
            $0.user == new.user && !$0.isVoid && $0.from < new.to ?? never
                && new.from < $0.to ?? never
        }
    }

    private mutating func stay() -> [Fact] {
        let user = user()
        let place: Stay.Place =
            chance(2) ? .room(chance(2) ? hall : yard) : .station(station())
        let level = { (place: Stay.Place) in if case .room = place { true } else { false } }
        if let open = stays.firstIndex(where: { $0.user == user && level($0.place) == level(place) }
        ) {
            var closed = stays.remove(at: open)
            closed.to = clock
            return [.stay(closed), event(.left, user, closed.place)]
        }
        let new = Stay(id: id(), user: user, place: place, from: clock, to: nil)
        stays.append(new)
        return [.stay(new), event(.entered, user, place)]
    }

    private mutating func workout() -> [Fact] {
        let user = user()
        guard let open = workouts.firstIndex(where: { $0.user == user && $0.to == nil }) else {
            return begin(user)
        }
        switch number(0...2) {
        case 0 where workouts[open].pausedSince == nil:
            workouts[open].pause(at: clock, chance(2) ? .manual : .left)
        case 1:
            workouts[open].resume(at: clock)
        default:
            workouts[open].end(at: clock, chance(3) ? .abandoned : .completed)
            let closed = claims.filter { $0.workout == workouts[open].id }.map { claim in
                var claim = claim
                claim.to = clock
                return Fact.claim(claim)
            }
            claims.removeAll { $0.workout == workouts[open].id }
            return closed + [.workout(workouts[open]), event(.completed, user)]
        }
        workouts[open].revision += 1
        return [.workout(workouts[open])]
    }

    private mutating func begin(_ user: UserID) -> [Fact] {
        let station = station()
        let isFree = !claims.contains { $0.station == station }
        let new = Workout(
            id: id(), user: user, station: isFree ? station : nil, state: .active, from: clock,
            to: nil, pauses: [], pausedSince: nil)
        workouts.append(new)
        guard isFree else { return [.workout(new)] }
        let claim = Claim(
            id: id(), station: station, slot: 1, user: user, workout: new.id, from: clock, to: nil)
        claims.append(claim)
        return [.workout(new), .claim(claim), event(.started, user, .station(station))]
    }

    /// A set of a workout whose sets can still change, or another revision of one that was told.
    private mutating func set() -> [Fact] {
        let recent = workouts.filter { $0.isRecent(at: clock) }
        guard !recent.isEmpty else { return [] }
        let workout = recent[Int(number(0...Int64(recent.count - 1)))]
        let old = sets.filter { $0.workout == workout.id }
        if let first = old.first, chance(3), let place = sets.firstIndex(of: first) {
            sets[place].isDeleted = chance(2)
            sets[place].revision += 1
            sets[place].at = clock
            return [.set(sets[place])]
        }
        let measures: [WorkoutSet.Measure] = [.reps(8), .duration(60), .distance(500)]
        let row = id()
        let digits = "\(row)"
        var new = WorkoutSet(
            id: row, workout: workout.id, user: workout.user,
            key: "00000000-0000-4000-8000-"
                + String(repeating: "0", count: 12 - digits.count) + digits,
            number: old.count + 1, exercise: chance(2) ? "row" : "plank",
            kind: WorkoutSet.Kind.allCases[Int(number(0...3))],
            measure: measures[Int(number(0...2))], weight: chance(2) ? number(0...999) : nil,
            rir: chance(2) ? Int(number(0...10)) : nil, station: chance(2) ? station() : nil,
            at: clock, note: chance(2) ? Self.texts[Int(number(0...9))] : nil,
            target: chance(3) ? WorkoutSet.Target(reps: 8, weight: chance(2) ? 5 : nil) : nil,
            digest: random.next(), rest: chance(2) ? 90 : nil)
        new.told = WorkoutSet.Record.allCases.filter { _ in chance(3) }
        new.station = chance(2) ? nil : new.station
        sets.append(new)
        return [.set(new)]
    }

    private mutating func downtime() -> [Fact] {
        let station = station()
        if let open = downtimes.firstIndex(where: { $0.station == station }) {
            var closed = downtimes.remove(at: open)
            closed.to = clock
            return [.downtime(closed)]
        }
        let new = Downtime(
            id: id(), station: station, from: clock, to: nil,
            note: chance(2) ? Self.texts[Int(number(0...9))] : nil, by: Self.texts[0])
        downtimes.append(new)
        return [.downtime(new)]
    }

    /// Somebody joins a queue, is offered a slot, or leaves it.
    private mutating func wait() -> [Fact] {
        let user = user()
        guard let open = waits.firstIndex(where: { $0.user == user }) else {
            let new = Wait(id: id(), station: station(), user: user, joined: clock)
            waits.append(new)
            return [.wait(new)]
        }
        if waits[open].offeredUntil == nil, chance(2) {
            waits[open].offeredUntil = max(clock, waits[open].joined) + .seconds(20)
            return [.wait(waits[open])]
        }
        var ended = waits.remove(at: open)
        ended.ended = max(clock, ended.joined)
        let outcomes: [Wait.Outcome] =
            ended.offeredUntil == nil ? [.left, .ended] : [.accepted, .lapsed]
        ended.outcome = outcomes[Int(number(0...1))]
        return [.wait(ended)]
    }

    private mutating func presence() -> PresenceRow {
        let since = clock - .seconds(60)
        let rooms: [LevelState<RoomID>] = [
            .unknown, .notPresent, .entering(hall, since: since, heard: clock, quiet: 0),
            .present(yard, since: since, heard: clock, quiet: 3, rival: nil),
        ]
        let stations: [LevelState<StationID>] = [
            .leaving(rack, since: since, heard: clock, quiet: 9),
            .present(
                bench, since: since, heard: clock, quiet: 1, rival: Rival(place: rack, since: since)
            ),
        ]
        var watch = StationWatch()
        watch.run = chance(2) ? .init(station: rack, since: since, heard: clock) : nil
        watch.away = Int(number(0...200))
        watch.asked = chance(2) ? since : nil
        return PresenceRow(
            user: user(), room: rooms[Int(number(0...3))], station: stations[Int(number(0...1))],
            watch: chance(3) ? nil : watch)
    }

    private mutating func answer() -> Answer {
        let verbs: [Request.Verb] = [
            .training(user(), .start(chance(2) ? rack : nil)), .training(user(), .pause),
            .training(user(), .resume), .training(user(), .complete()),
            .training(user(), .move(nil), workout: 7), .unknown(arguments: "ffffffffffffffff"),
            .service(rack, isOutOfOrder: true, note: "torn"),
            .attendance(user(), .checkIn(at: clock, reason: nil)),
            .training(user(), .addSet(GivenSet(key: "k", exercise: "row", reps: 5))),
        ]
        let request = Request(
            client: Self.texts[Int(number(0...9))], id: Self.texts[Int(number(0...9))],
            name: "asked",
            verb: verbs[Int(number(0...Int64(verbs.count - 1)))])
        let refusal = ProblemCode.allCases[
            Int(number(0...Int64(ProblemCode.allCases.count - 1)))]
        return Answer(
            request: request, at: clock - .milliseconds(number(0...30 * 3_600_000)),
            outcome: workouts.last.map { .workout(WorkoutLog($0)) } ?? .refused(refusal))
    }

    private mutating func evidence() -> Fact {
        let record = Record(log: .random(in: 1...6, using: &random), sequence: id(), after: 0)
        return .evidence(
            EvidenceRow(
                node: NodeID(number(1...2)),
                evidence: Evidence(
                    record: record, boot: random.next(), from: clock - .seconds(60), to: clock,
                    listened: .seconds(60), floor: RSSI(dBm: -95), isSynced: chance(2), gaps: [],
                    runs: []), at: clock, from: clock, verdict: .taken))
    }

    private mutating func cursor() -> CursorRow {
        CursorRow(
            node: NodeID(number(1...2)), log: random.next() % 8 &* 0x2000_0000_0000_0001,
            sequence: number(0...9),
            since: start + .seconds(Double(number(0...5))))
    }

    /// Now and then of a clock that was set back.
    private mutating func reasons() -> Reasons {
        let moment = chance(4) ? clock - .milliseconds(number(0...20 * 86_400_000)) : clock
        var reasons = ReasonsTests.reasons(user(), moment)
        reasons.probability = Double(number(0...1000)) / 1000
        return reasons
    }

    /// Heard seconds, half of the time with what is left of those that are forgotten.
    private mutating func ledger() -> LedgerRow {
        var ledger = Ledger(heard: times())
        if chance(2) {
            _ = ledger.forget(
                before: clock - .milliseconds(number(0...3_600_000)), coverage: times(),
                timing: Policy().site, policy: AttendancePolicy(mergeGap: .seconds(0)),
                amendments: [])
        }
        return LedgerRow(user: user(), heard: ledger.heard, checkpoint: ledger.checkpoint)
    }

    private mutating func times() -> [RoomTime] {
        [hall, yard].filter { _ in chance(2) }.map { room in
            var seconds = IntervalSet(joining: .seconds(6))
            for _ in 0..<number(0...8) {
                let from = clock - .milliseconds(number(0...3_600_000))
                seconds.insert(Interval(from: from, to: from + .milliseconds(number(0...60_000))))
            }
            return RoomTime(room: room, seconds: seconds)
        }
    }

    private mutating func event(
        _ kind: Event.Kind, _ user: UserID, _ place: Stay.Place? = nil
    ) -> Fact {
        let fact = Fact.event(
            Event(id: id(), kind: kind, at: clock, user: user, place: place, subject: next))
        told.append(fact)
        return fact
    }

    private mutating func id() -> Int64 {
        next += 1
        return next - 1
    }

    private mutating func user() -> UserID { Self.users[Int(number(0...2))] }
    private mutating func station() -> StationID { Self.stations[Int(number(0...2))] }
    private mutating func chance(_ of: Int64) -> Bool { number(1...of) == 1 }
    private mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
        .random(in: range, using: &random)
    }
}

extension Saved {
    /// Those that are open, by row.
    var claims: [Claim] {
        workouts.flatMap(\.claims).filter { $0.to == nil }.sorted { $0.id < $1.id }
    }
}
