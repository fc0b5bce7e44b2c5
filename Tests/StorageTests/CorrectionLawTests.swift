import TestSupport
import Testing

@testable import Records
@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore

/// Every kind of session, corrected in every way at every age, before and after a restart: the database
/// takes what follows, what was stated stands exactly once, and no heard hour is gone without a mark.
struct CorrectionLawTests {
    /// How a session came about. Hours count from its beginning.
    enum Kind: CaseIterable {
        /// Checked in by hand and never heard.
        case said
        /// As before, and checked out by hand at the time of the correction.
        case saidOut
        /// Checked in by hand, heard on the next day from 24 h to 27 h.
        case saidHeardNextDay
        /// Checked in by hand, heard in the second hour.
        case saidAndHeard
        /// Heard for nine hours.
        case heard
        /// Heard all the time: a tag that was left behind.
        case leftBehind
    }

    /// What is corrected.
    enum Change: CaseIterable {
        case end, start, earlierStart, both, earlierBoth, before, removal

        /// The stated times in hours; `nil` where nothing is stated.
        var times: (from: Double?, to: Double?)? {
            switch self {
            case .end: (nil, 0.75)
            case .start: (0.5, nil)
            case .earlierStart: (-1, nil)
            case .both: (0.25, 0.75)
            case .earlierBoth: (-2, 0.5)
            case .before: (-3, -1)
            case .removal: nil
            }
        }
    }

    /// Ages of a session when it is corrected, in hours: about the checkpoint, the horizon and the time for
    /// which sessions are held.
    static let ages: [Double] = [1, 20, 25, 35, 36, 37, 38, 40, 61, 72, 73, 100, 240]

    /// A site in which Cid does one of these things.
    private struct Run {
        let site: BooksSite
        let kind: Kind
        var what = ""
        var mesh: Mesh
        private var heard: [Interval] = []

        init(_ kind: Kind) throws {
            self.kind = kind
            site = try BooksSite()
            let (plan, _, saved) = try #require(try site.store.load())
            mesh = Mesh(plan: plan, restoring: saved)
        }

        static func hour(_ hours: Double) -> Timestamp { BooksSite.now + .seconds(hours * 3600) }

        mutating func give(_ input: Input, at moment: Timestamp) throws {
            var decisions: [Decision] = []
            mesh.handle(input, at: moment, into: &decisions)
            do {
                try site.store.commit(
                    decisions.compactMap { if case .fact(let fact) = $0 { fact } else { nil } })
            } catch {
                let made = decisions.compactMap { decision -> String? in
                    guard case .fact(.session(let session)) = decision else { return nil }
                    return CorrectionLawTests.text(session)
                }
                let stored = try sessions.map(CorrectionLawTests.text)
                let hours = (moment - BooksSite.now).seconds / 3600
                Issue.record("\(what), \(hours) h: \(error), \(stored) to \(made)")
                throw error
            }
        }

        /// A coordinator that starts from what is stored.
        mutating func restart(at moment: Timestamp) throws {
            let (plan, _, saved) = try #require(try site.store.load())
            mesh = Mesh(plan: plan, restoring: saved)
            try decide(at: moment)
        }

        /// The machines take in what people decided by now.
        mutating func decide(at moment: Timestamp) throws {
            try give(.overrides(site.store.overrides()), at: moment)
            try give(.tick, at: moment + .seconds(2))
            #expect(try site.store.load()?.saved == mesh.saved)
        }

        /// The hall listens until a moment, and hears Cid until then since `hours`.
        private mutating func hear(_ hours: Double, until end: Timestamp) throws {
            var row = mesh.saved.site
            row.coverage = [
                RoomTime(
                    room: hall,
                    seconds: IntervalSet(
                        [Interval(from: Self.hour(-2), to: end)], joining: Frame.joining))
            ]
            row.listeningSince = Self.hour(-2)
            var ledger =
                mesh.saved.ledgers.first { $0.user == cid } ?? LedgerRow(user: cid, heard: [])
            if Self.hour(hours) < end {
                let stretch = Interval(from: Self.hour(hours), to: end)
                _ = ledger.heard.add(stretch, to: hall, joining: Ledger.joining)
                heard.append(stretch)
            }
            try site.store.commit([.ledger(ledger), .site(row)])
            let (plan, _, saved) = try #require(try site.store.load())
            mesh = Mesh(plan: plan, restoring: saved)
        }

        private mutating func say(_ verb: Request.Verb, at hours: Double) throws {
            let request = Request(client: "desk", id: "\(verb)", name: "asked", verb: verb)
            try give(.request(request), at: Self.hour(hours))
        }

        /// What happens until `age` hours, in steps of at most six.
        mutating func live(until age: Double) throws {
            try give(.tick, at: Self.hour(0))
            switch kind {
            case .said, .saidOut, .saidHeardNextDay, .saidAndHeard:
                try say(.attendance(cid, .checkIn(at: nil, reason: nil)), at: 0)
            case .heard, .leftBehind: break
            }
            let steps = [1, 5, 9, 10, 20, 24, 25, 26, 27, 28] + stride(from: 30, to: age, by: 10)
            for step in steps.filter({ $0 < age }) + [age] {
                let now = Self.hour(step)
                switch kind {
                case .said, .saidOut: try hear(step, until: now)
                case .saidHeardNextDay:
                    try hear((24.0...27.0).contains(step) ? 24 : step, until: now)
                case .saidAndHeard: try hear(step == 1 ? 0.5 : step, until: now)
                case .heard: try hear(step <= 9 ? 0 : step, until: now)
                case .leftBehind: try hear(0, until: now)
                }
                try give(.tick, at: now)
                try give(.tick, at: now + .seconds(2))
            }
            if kind == .saidOut {
                try say(.attendance(cid, .checkOut(at: nil, reason: nil)), at: age)
            }
            try give(.tick, at: Self.hour(age) + .seconds(3))
        }

        /// Cid's sessions that stand.
        var sessions: [Session] {
            get throws {
                try site.store.everySession().filter { $0.user == cid }
            }
        }

        /// The heard time that is in no session, where none carries a mark for it.
        func unmarked(_ sessions: [Session]) -> [Interval] {
            guard !sessions.contains(where: { $0.review.contains(.heardOutside) }) else {
                return []
            }
            return IntervalSet(heard, joining: .milliseconds(0)).intervals.flatMap { stretch in
                sessions.reduce([stretch]) { parts, session in
                    parts.flatMap {
                        $0.without(
                            Interval(
                                from: session.from, to: max(session.from, session.to ?? $0.to)))
                    }
                }
            }.filter { $0.length > Session.grace }
        }
    }

    private static func text(_ session: Session) -> String {
        let hours = { (moment: Timestamp) in (moment - BooksSite.now).seconds / 3600 }
        return "\(session.id): \(hours(session.from)) to \(session.to.map(hours) ?? .nan)"
            + "\(session.isVoid ? " void" : "") \(session.review.map(\.rawValue))"
    }

    private func check(_ kind: Kind, _ change: Change, _ age: Double, restarts: Bool) throws {
        var run = try Run(kind)
        run.what = "\(kind) \(change) at \(age) h\(restarts ? ", stopped meanwhile" : "")"
        let what = run.what
        try run.live(until: age)
        let rows = try run.site.store.texts(
            "SELECT * FROM attendance_session WHERE user = \(cid.row)")
        let point = String(describing: run.mesh.saved.ledgers.first { $0.user == cid })
        let before = try #require(try run.sessions.last, "\(what): \(rows) \(point)")
        let now = Run.hour(age)
        if let times = change.times {
            let from = times.from.map(Run.hour) ?? before.from
            let to = times.to.map(Run.hour) ?? before.to
            try run.site.correct(
                .times(before.id, revision: nil, from: from, to: to), at: now + .seconds(4))
        } else {
            try run.site.correct(.remove(before.id, revision: nil), at: now + .seconds(4))
        }
        var known: [Session]?
        for (number, later) in [0.01, 1, 5, 37, 80].enumerated() {
            let moment = Run.hour(age + later)
            if restarts || number > 2 {
                try run.restart(at: moment)
            } else {
                try run.decide(at: moment)
            }
            let sessions = try run.sessions
            if let times = change.times {
                let from = times.from.map(Run.hour) ?? before.from
                let to = times.to.map(Run.hour) ?? before.to
                #expect(
                    sessions.count { $0.from == from && (to == nil || $0.to == to) } == 1,
                    "\(what), \(later) h later: \(sessions.map(Self.text))")
                let isMarked = run.unmarked(sessions).isEmpty
                #expect(isMarked, "\(what), \(later) h later: \(sessions.map(Self.text))")
            } else {
                #expect(!sessions.contains { $0.id == before.id }, "\(what)")
            }
            // What goes on may still end; what is over stays.
            let over = sessions.filter { $0.to != nil }
            for session in known ?? [] {
                let stands = over.contains {
                    ($0.id, $0.from, $0.to, $0.breaks)
                        == (session.id, session.from, session.to, session.breaks)
                        && Set($0.review).isSuperset(of: session.review)
                }
                #expect(stands, "\(what), \(later) h later: \(sessions.map(Self.text))")
            }
            known = over
        }
    }

    @Test(arguments: Kind.allCases) func `a correction is taken at every age`(kind: Kind) throws {
        for change in Change.allCases {
            for (number, age) in Self.ages.enumerated() where kind != .saidHeardNextDay || age > 24
            {
                let restarts = number.isMultiple(of: 2)
                try check(kind, change, age, restarts: restarts)
                if TestLength.isLong { try check(kind, change, age, restarts: !restarts) }
            }
        }
    }
}
