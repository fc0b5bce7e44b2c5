import Foundation
import Testing

@testable import SiteEngine
@testable import SiteModel

/// What people say of sessions, against what was heard.
@Suite struct AttendanceStatedTests {
    let user = MeshSite.users[0]
    let timing = Policy.Timing(enter: .seconds(10), lost: .seconds(30), leave: .seconds(90))
    let policy = AttendancePolicy()

    func minute(_ count: Double) -> Timestamp { moment(count * 60) }

    func interval(_ from: Double, _ to: Double) -> Interval {
        Interval(from: minute(from), to: minute(to))
    }

    func statement(_ id: Int64, _ kind: Statement.Kind, _ at: Double) -> Statement {
        Statement(id: id, user: user, kind: kind, at: minute(at), said: minute(at), by: "kiosk")
    }

    /// Sessions in minutes, with the reasons to look at them. Everything is listened to from an hour
    /// before but for `deaf`.
    func sessions(
        heard: [(Double, Double)] = [], said: [(Statement.Kind, Double)] = [],
        amended: [Amendment] = [], elsewhere: [(Double, Double?)] = [],
        deaf: (Double, Double)? = nil, breaks: Double = 0, now: Double
    ) -> [String] {
        var ledger = Ledger()
        for stretch in heard { _ = ledger.add(interval(stretch.0, stretch.1), room: MeshSite.hall) }
        for (index, entry) in said.enumerated() {
            ledger.add(statement(Int64(index + 1), entry.0, entry.1))
        }
        for session in elsewhere {
            _ = ledger.add(
                Elsewhere(site: 1, from: minute(session.0), to: session.1.map(minute)))
        }
        let parts = deaf.map { [interval(-60, $0.0), interval($0.1, now)] } ?? [interval(-60, now)]
        let coverage = [
            RoomTime(
                room: MeshSite.hall, seconds: IntervalSet(parts, joining: Frame.joining))
        ]
        var policy = policy
        policy.longestBreak = .seconds(breaks * 60)
        return ledger.sessions(
            coverage: coverage, timing: timing, policy: policy, amendments: amended,
            now: minute(now)
        ).map { session in
            func text(_ moment: Timestamp) -> String {
                let tenths = (moment - minute(0)).milliseconds / 6000
                return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
            }
            let codes = session.review.map(\.rawValue).sorted()
            let rests = session.breaks.map { "\(text($0.from))+\(text($0.to))" }
            return (["\(text(session.from))–\(session.to.map(text) ?? "open")"] + rests + codes)
                .joined(separator: " ")
        }
    }

    @Test func `somebody without a tag is in until they say otherwise`() {
        #expect(sessions(said: [(.checkIn, 0)], now: 600) == ["0–open"])
        #expect(sessions(said: [(.checkIn, 0), (.checkOut, 480)], now: 600) == ["0–480"])
    }

    @Test func `who never checks out is not given an end`() {
        #expect(sessions(said: [(.checkIn, 0)], now: 841) == ["0–open too-long"])
        #expect(sessions(said: [(.checkIn, 0)], now: 9000) == ["0–open too-long"])
    }

    @Test func `a check-out after longer than anybody stays holds, and is looked at`() {
        let visit = sessions(said: [(.checkIn, 0), (.checkOut, 900)], now: 1000)
        #expect(visit == ["0–900 too-long"])
    }

    @Test func `who is heard long after a check-in alone was never given time in between`() {
        // Within the longest session a check-in holds without a sign, after it nobody vouches for it.
        #expect(
            sessions(heard: [(800, 860)], said: [(.checkIn, 0)], now: 900) == [
                "0–860 too-long"
            ])
        #expect(
            sessions(heard: [(1200, 1300)], said: [(.checkIn, 0)], now: 1301) == [
                "0–open 0+1200 too-long"
            ])
        #expect(
            sessions(heard: [(1200, 1300)], said: [(.checkIn, 0)], now: 1400) == [
                "0–1300 0+1200 too-long"
            ])
        // What nobody listened to is no break: they may have been there.
        #expect(
            sessions(heard: [(1200, 1300)], said: [(.checkIn, 0)], deaf: (100, 1100), now: 1400)
                == [
                    "0–1300 0+100 1100+1200 coverage-gap too-long"
                ])
        // Who then says when they left the first time was there twice.
        let twice = sessions(
            heard: [(1200, 1300)], said: [(.checkIn, 0), (.checkOut, 500)], now: 1400)
        #expect(twice == ["0–500", "1200–1300"])
    }

    @Test func `a check-in before the tag is heard begins the session`() {
        let visit = sessions(heard: [(5, 60)], said: [(.checkIn, 0)], now: 120)
        #expect(visit == ["0–60"])
    }

    @Test func `a check-out ends the session though the tag stays for a while`() {
        let heard = [(0.0, 64.0)]
        #expect(sessions(heard: heard, said: [(.checkOut, 60)], now: 120) == ["0–60"])
        // Somebody who goes on for longer than a goodbye is looked at.
        #expect(
            sessions(heard: [(0, 80)], said: [(.checkOut, 60)], now: 120)
                == ["0–60 heard-outside"])
    }

    @Test func `who comes back after a check-out is in again`() {
        let visits = sessions(heard: [(0, 61), (70, 90)], said: [(.checkOut, 60)], now: 200)
        #expect(visits == ["0–60", "70–90"])
    }

    @Test func `a check-out holds against a silence that was listened to, and is looked at`() {
        #expect(
            sessions(heard: [(0, 60)], said: [(.checkOut, 120)], now: 200)
                == ["0–120 silent-before-out"])
    }

    @Test func `a check-out without a session is none`() {
        #expect(sessions(said: [(.checkOut, 60)], now: 200) == [])
        #expect(sessions(heard: [(100, 150)], said: [(.checkOut, 60)], now: 300) == ["100–150"])
    }

    @Test func `short absences are none, longer ones breaks where the site has them`() {
        let heard = [(0.0, 60.0), (64.0, 100.0), (130.0, 200.0)]
        #expect(sessions(heard: heard, now: 300) == ["0–100", "130–200"])
        #expect(sessions(heard: heard, breaks: 45, now: 300) == ["0–200 100+130"])
    }

    @Test func `who left while nobody listened may have stayed longer`() {
        let visit = sessions(heard: [(0, 60)], deaf: (60, 180), now: 300)
        #expect(visit == ["0–60 coverage-gap"])
        #expect(sessions(heard: [(0, 60)], deaf: (60, 180), now: 180) == ["0–open"])
    }

    @Test func `who was there when listening began may have come before`() {
        #expect(
            sessions(heard: [(30, 60)], deaf: (-20, 30), now: 300) == ["30–60 coverage-gap"])
        #expect(sessions(heard: [(32, 60)], deaf: (-20, 30), now: 300) == ["32–60"])
    }

    @Test func `who comes up at another site has left this one`() {
        let visit = sessions(
            heard: [(0, 60)], elsewhere: [(90, nil)], deaf: (60, 300), now: 300)
        #expect(visit == ["0–60"])
    }

    @Test func `nobody is at two sites, but both sessions stand`() {
        #expect(
            sessions(heard: [(0, 60)], elsewhere: [(20, 40)], now: 300) == ["0–60 two-sites"])
    }

    @Test func `a session longer than anybody stays is looked at`() {
        #expect(sessions(heard: [(0, 900)], now: 900) == ["0–open too-long"])
    }

    @Test func `an approved correction outweighs the evidence`() {
        let shorter = Amendment(
            id: 1, user: user, replaced: interval(0, 60), stated: interval(10, 50))
        #expect(sessions(heard: [(0, 60)], amended: [shorter], now: 300) == ["10–50 heard-outside"])
        let removal = Amendment(id: 1, user: user, replaced: interval(0, 60), stated: nil)
        #expect(sessions(heard: [(0, 60)], amended: [removal], now: 300) == [])
        let addition = Amendment(id: 1, user: user, replaced: nil, stated: interval(100, 160))
        #expect(
            sessions(heard: [(0, 60)], amended: [addition], now: 300) == ["0–60", "100–160"])
    }

    /// A correction of the start of a session that goes on, in minutes.
    private func opened(_ began: Double, as opens: Double, id: Int64 = 1) -> Amendment {
        Amendment(id: id, user: user, began: minute(began), opens: minute(opens))
    }

    @Test func `a session that goes on begins when a correction says so`() {
        let later = opened(0, as: 10)
        #expect(sessions(heard: [(0, 60)], amended: [later], now: 60) == ["10–open heard-outside"])
        #expect(sessions(heard: [(0, 60)], amended: [later], now: 300) == ["10–60 heard-outside"])
        #expect(
            sessions(heard: [(0, 60)], said: [(.checkOut, 50)], amended: [later], now: 60)
                == ["10–50 heard-outside"])
        let earlier = opened(20, as: 10)
        #expect(sessions(heard: [(20, 60)], amended: [earlier], now: 60) == ["10–open"])
        #expect(sessions(heard: [(20, 60)], amended: [earlier], now: 300) == ["10–60"])
        #expect(
            sessions(heard: [(20, 60), (100, 130)], amended: [earlier], now: 300)
                == ["10–60", "100–130"])
        #expect(
            sessions(said: [(.checkIn, 20)], amended: [earlier], now: 600) == ["10–open"])
        #expect(
            sessions(
                said: [(.checkIn, 20), (.checkOut, 90)], amended: [opened(20, as: 30)], now: 600)
                == ["30–90"])
    }

    @Test func `a start stated after the last sign counts as a check-in`() {
        let later = opened(0, as: 61)
        #expect(sessions(heard: [(0, 60)], amended: [later], now: 61) == ["61–open heard-outside"])
        #expect(sessions(heard: [(0, 60)], amended: [later], now: 300) == ["61–open heard-outside"])
        #expect(
            sessions(heard: [(0, 60), (67, 90)], amended: [later], now: 90) == [
                "61–open heard-outside"
            ])
        #expect(
            sessions(heard: [(0, 60), (67, 90)], amended: [later], now: 300) == [
                "61–90 heard-outside"
            ])
        #expect(
            sessions(
                heard: [(0, 20), (60, 90)], amended: [opened(0, as: 40)], deaf: (20, 50), now: 90)
                == ["40–open heard-outside"])
        #expect(
            sessions(heard: [(0, 60), (60.5, 90)], amended: [later], now: 300) == [
                "61–90 heard-outside"
            ])
        // Who was away by then is in because somebody says so, as after a check-in.
        let absent = opened(0, as: 120)
        #expect(
            sessions(heard: [(0, 60)], amended: [absent], now: 300) == ["120–open heard-outside"])
    }

    @Test func `a start that is moved voids no session that it touches`() {
        let touching = opened(40, as: 20)
        #expect(
            sessions(heard: [(0, 20), (40, 60)], amended: [touching], now: 60)
                == ["0–20", "20–open"])
        #expect(
            sessions(
                heard: [(0, 21), (40, 60)], said: [(.checkOut, 20)], amended: [touching], now: 300)
                == ["0–20", "20–60"])
    }

    @Test func `of corrections of a start the last one holds, and a later end of them`() {
        let heard = [(0.0, 60.0)]
        let first = opened(0, as: 10)
        #expect(
            sessions(heard: heard, amended: [first, opened(10, as: 5, id: 2)], now: 60)
                == ["5–open"])
        #expect(
            sessions(heard: heard, amended: [first, opened(10, as: 30, id: 2)], now: 60)
                == ["30–open heard-outside"])
        #expect(
            sessions(heard: heard, amended: [first, opened(10, as: 10, id: 2)], now: 60)
                == ["10–open heard-outside"], "the same again")
        let ended = Amendment(
            id: 2, user: user, replaced: interval(10, 60), stated: interval(12, 50))
        #expect(
            sessions(heard: heard, amended: [first, ended], now: 300) == ["12–50 heard-outside"])
        // The one who asked did not know of the first.
        let blind = Amendment(
            id: 2, user: user, replaced: interval(0, 60), stated: interval(12, 50))
        #expect(
            sessions(heard: heard, amended: [opened(0, as: -20), blind], now: 300) == [
                "12–50 heard-outside"
            ])
        let removed = Amendment(id: 2, user: user, replaced: interval(0, 60), stated: nil)
        #expect(sessions(heard: heard, amended: [opened(0, as: -20), removed], now: 300) == [])
    }

    @Test func `what releases wrote that knew no open start is read as it was`() throws {
        let written = try JSONEncoder().encode(
            Amendment(id: 1, user: user, replaced: interval(0, 1), stated: nil))
        #expect(!String(decoding: written, as: UTF8.self).contains("opens"))
        let read = try JSONDecoder().decode(Amendment.self, from: written)
        #expect(read.opens == nil && read.began == minute(0))
    }

    @Test func `a session that was added voids none that it touches`() {
        let after = Amendment(id: 1, user: user, replaced: nil, stated: interval(20, 30))
        #expect(sessions(heard: [(0, 20)], amended: [after], now: 300) == ["0–20", "20–30"])
        #expect(
            sessions(heard: [(0, 19)], amended: [after], now: 300) == ["0–19", "20–30"])
        #expect(
            sessions(heard: [(0, 22)], said: [(.checkOut, 20)], amended: [after], now: 300)
                == ["0–20", "20–30"])
        let before = Amendment(id: 1, user: user, replaced: nil, stated: interval(0, 20))
        #expect(sessions(heard: [(20, 40)], amended: [before], now: 300) == ["0–20", "20–40"])
        #expect(
            sessions(said: [(.checkIn, 20)], amended: [before], now: 300) == ["0–20", "20–open"])
    }

    @Test func `the later of two corrections holds`() {
        let first = Amendment(
            id: 1, user: user, replaced: interval(0, 60), stated: interval(10, 50))
        let second = Amendment(
            id: 2, user: user, replaced: interval(10, 50), stated: interval(20, 40))
        #expect(
            sessions(heard: [(0, 60)], amended: [second, first], now: 300) == [
                "20–40 heard-outside"
            ])
    }

    @Test func `evidence that runs on beside a correction is no session of its own`() {
        let amendment = Amendment(
            id: 1, user: user, replaced: interval(10, 60), stated: interval(10, 60))
        #expect(sessions(heard: [(5, 70)], amended: [amendment], now: 300).count == 1)
    }

    /// Whatever is heard and said, in whatever order it becomes known.
    @Test(arguments: UInt64(1)...200)
    func `sessions do not overlap, none ends before it begins, and order does not matter`(
        seed: UInt64
    ) {
        var dice = Dice(seed: seed)
        var heard: [(Double, Double)] = []
        var said: [(Statement.Kind, Double)] = []
        for _ in 0..<Int.random(in: 0...8, using: &dice) {
            let from = Double(Int.random(in: 0...400, using: &dice))
            heard.append((from, from + Double(Int.random(in: 1...60, using: &dice))))
        }
        for _ in 0..<Int.random(in: 0...5, using: &dice) {
            said.append(
                (
                    Bool.random(using: &dice) ? .checkIn : .checkOut,
                    Double(Int.random(in: 0...450, using: &dice)) + 0.5
                ))
        }
        said.sort { $0.1 < $1.1 }
        let deaf: (Double, Double)? =
            Bool.random(using: &dice) ? (100, Double(Int.random(in: 101...400, using: &dice))) : nil
        let now = Double(Int.random(in: 450...600, using: &dice))
        let result = sessions(heard: heard, said: said, deaf: deaf, now: now)
        let mixed = sessions(
            heard: (heard + heard).shuffled(using: &dice), said: said, deaf: deaf, now: now)
        #expect(result == mixed, "seed \(seed)")
        let spans = result.map { line in
            line.split(separator: " ")[0].split(separator: "–").map { Double($0) ?? .infinity }
        }
        #expect(spans.allSatisfy { $0[0] <= $0[1] }, "seed \(seed): \(result)")
        #expect(
            zip(spans, spans.dropFirst()).allSatisfy { $0[1] <= $1[0] }, "seed \(seed): \(result)")
        if said.isEmpty, heard.isEmpty { #expect(result.isEmpty) }
    }
}
