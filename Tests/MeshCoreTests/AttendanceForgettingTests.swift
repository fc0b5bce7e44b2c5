import Scheduling
import Testing

@testable import SiteEngine
@testable import SiteModel

/// The core remembers a day and a half; what it forgets, and when, changes no session.
struct AttendanceForgettingTests {
    private let user = MeshSite.users[0]

    /// What happens at a second.
    private enum Happening {
        /// They were heard.
        case heard(ClosedRange<Int>)
        /// Somebody corrects the start of the visit, while it goes on.
        case start
        /// Somebody corrects the session of the visit.
        case correction
        /// Everything up to half an hour after the visit is locked.
        case lock
    }

    /// Eight to twelve visits within some days, none within two hours of another, each heard in pieces;
    /// some of them for days; a third of the starts corrected while they go on, half of them corrected
    /// within a day, and a quarter locked.
    private func happenings(
        _ dice: inout Dice
    ) -> [(at: Int, what: Happening, visit: Int)] {
        var list: [(at: Int, what: Happening, visit: Int)] = []
        var second = 1000
        for visit in 0..<Int.random(in: 8...12, using: &dice) {
            let longest = Int.random(in: 0...4, using: &dice) == 0 ? 40_000 : 4000
            for _ in 0..<Int.random(in: 1...8, using: &dice) {
                let end = second + Int.random(in: 100...longest, using: &dice)
                list.append((at: end + 1, what: .heard(second...end), visit: visit))
                if Int.random(in: 0...5, using: &dice) == 0 {
                    list.append((at: end + 2, what: .start, visit: visit))
                }
                second = end + Int.random(in: 2...20, using: &dice)
            }
            if Bool.random(using: &dice) {
                let later = second + Int.random(in: 3600...86_400, using: &dice)
                list.append((at: later, what: .correction, visit: visit))
            }
            if Int.random(in: 0...3, using: &dice) == 0 {
                let later = second + Int.random(in: 3600...86_400, using: &dice)
                list.append((at: later, what: .lock, visit: visit))
            }
            second += Int.random(
                in: 7200...(Bool.random(using: &dice) ? 20_000 : 180_000), using: &dice)
        }
        return list.sorted { $0.at < $1.at }
    }

    private func interval(_ seconds: ClosedRange<Int>) -> Interval {
        stretch(Double(seconds.lowerBound), Double(seconds.upperBound + 1))
    }

    @Test(arguments: UInt64(1)...200) func `forgetting changes no session, corrected or not`(
        seed: UInt64
    ) {
        var dice = Dice(seed: seed)
        let happenings = happenings(&dice)
        var desk = AttendanceTests.Desk()
        var all = Ledger()
        var saved = Saved()
        var overrides = Overrides(revision: 1)
        var visits: [Int: ClosedRange<Int>] = [:]
        var now = 0
        var disputes = 0
        /// By correction: when what it is about ends, as far as its row says, and its session.
        var ends: [Int64: Timestamp] = [:]
        var subjects: [Int64: Int64] = [:]

        func step() {
            let facts = desk.step(Double(now))
            disputes += facts.count { if case .dispute = $0 { true } else { false } }
        }

        func forget() {
            for fact in desk.attendance.changes(
                coverage: desk.coverage, at: moment(Double(now)))
            {
                saved.apply(fact)
            }
        }

        /// The corrections that `Store.overrides` hands out: what is settled for good is left out.
        func trimmed() -> Overrides {
            var rest = overrides
            let old = moment(Double(now)) - .seconds(72 * 3600)
            rest.amendments.removeAll { amendment in
                guard let end = ends[amendment.id], end < old else { return false }
                return !saved.sessions.contains { session in
                    session.to == nil && session.from <= end
                        || session.id == subjects[amendment.id]
                }
            }
            return rest
        }

        /// Starts anew from what is stored, as after a restart or an import.
        func start() {
            forget()
            let known = desk.rows.sessions(of: user)
            saved.sessions = known.filter { session in
                session.id == known.last?.id
                    || session.to.map { $0 >= moment(Double(now)) - Saved.sessionLife } ?? true
            }
            saved.apply(.overrides(trimmed()))
            desk.attendance = Attendance(plan: MeshSite.plan(), saved: saved)
        }

        for (at, what, visit) in happenings {
            while now < at {
                now = min(at, now + Int.random(in: 60...20_000, using: &dice))
                desk.listened[0].insert(stretch(0, Double(now)))
                step()
                switch Int.random(in: 0...9, using: &dice) {
                case 0: start()
                case 1...4: forget()
                default: break
                }
            }
            switch what {
            case .heard(let seconds):
                desk.attendance.heard(user: 0, interval(seconds), room: MeshSite.hall)
                _ = all.add(interval(seconds), room: MeshSite.hall)
                let first = visits[visit]?.lowerBound ?? seconds.lowerBound
                visits[visit] = first...seconds.upperBound
            case .start:
                step()
                guard let session = desk.rows.sessions(of: user).last, session.to == nil,
                    session.from >= overrides.lockedThrough ?? moment(0)
                else { continue }
                let earliest = max(
                    session.from - .seconds(900), overrides.lockedThrough ?? moment(0))
                let span = (moment(Double(now)) - earliest).milliseconds / 1000
                // Mostly near the start, seldom anywhere until now.
                let most = Int.random(in: 0...3, using: &dice) == 0 ? span : min(span, 1800)
                overrides.amendments.append(
                    Amendment(
                        id: Int64(at), user: user, began: session.from,
                        opens: earliest + .milliseconds(1000 * .random(in: 0...most, using: &dice)))
                )
                ends[Int64(at)] = moment(Double(now))
                subjects[Int64(at)] = session.id
                start()
                step()
            case .correction:
                guard let seconds = visits[visit],
                    let session = desk.rows.sessions(of: user).first(where: {
                        $0.overlaps(interval(seconds).from, interval(seconds).to)
                    }), let to = session.to,
                    session.from - .seconds(900) >= overrides.lockedThrough ?? moment(0)
                else { continue }
                let isRemoved = Int.random(in: 0...3, using: &dice) == 0
                let early = Double(Int.random(in: 0...900, using: &dice))
                let late = Double(Int.random(in: 0...900, using: &dice))
                overrides.amendments.append(
                    Amendment(
                        id: Int64(at), user: user, replaced: Interval(from: session.from, to: to),
                        stated: isRemoved
                            ? nil
                            : Interval(
                                from: session.from - .seconds(early), to: to + .seconds(late))
                    ))
                ends[Int64(at)] = isRemoved ? to : to + .seconds(late)
                subjects[Int64(at)] = session.id
                start()
                step()
            case .lock:
                guard let seconds = visits[visit] else { continue }
                let boundary = interval(seconds).to + .seconds(1800)
                overrides.lockedThrough = max(boundary, overrides.lockedThrough ?? boundary)
                start()
                step()
            }
        }
        let end = now + 200_000
        for second in [now + 1, now + 5000, end] {
            now = second
            desk.listened[0].insert(stretch(0, Double(now)))
            step()
        }
        let truth = all.sessions(
            coverage: desk.coverage, timing: Policy().site, amendments: overrides.amendments,
            now: moment(Double(end)))
        let stored = desk.rows.sessions(of: user).map { words($0.from, $0.to) }
        #expect(stored == truth.map { words($0.from, $0.to) }, "seed \(seed)")
        #expect(desk.rows.faults == [], "seed \(seed)")
        #expect(disputes == 0, "seed \(seed)")
    }

    private func words(_ from: Timestamp, _ to: Timestamp?) -> String {
        let (from, to) = (from - moment(0), to.map { $0 - moment(0) })
        return "\(from.milliseconds / 1000)–\(to.map { "\($0.milliseconds / 1000)" } ?? "open")"
    }
}
