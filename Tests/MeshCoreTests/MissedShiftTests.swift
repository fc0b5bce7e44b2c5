import Foundation
import Scheduling
import Testing

@testable import Basics
@testable import SiteEngine
@testable import SiteModel

/// Who should be there and is not, by the clocks of Europe/Berlin.
struct MissedShiftTests {
    private static let (ann, bob) = (UserID(1), UserID(2))

    private static func utc(_ text: String) throws -> Timestamp {
        let date = try Date(text, strategy: .iso8601)
        return Timestamp(milliseconds: Int64(date.timeIntervalSince1970 * 1000))
    }

    private static func berlin() throws -> SiteCalendar.Zone {
        let changes = [("2025-10-26", 1.0), ("2026-03-29", 2), ("2026-10-25", 1)]
        return .init(
            from: Timestamp(milliseconds: 0),
            table: TimeZoneTable(
                name: "Europe/Berlin", first: .seconds(7200),
                transitions: try changes.map {
                    .init(at: try utc("\($0.0)T01:00:00Z"), offset: .seconds($0.1 * 3600))
                }))
    }

    /// A shift with 10 minutes of grace and an hour of coming early; Ann and Bob have it.
    private static func duties(
        _ from: Int, _ to: Int, weekdays: [Int] = [1, 2, 3, 4, 5, 6, 7], bobUntil: String? = nil,
        off: [(UserID, String)] = []
    ) throws -> Duties {
        let first = try #require(LocalDate("2026-01-01"))
        func assignment(_ id: Int64, _ user: UserID, to last: String?) -> ShiftAssignment {
            ShiftAssignment(
                id: id, user: user, shift: 1, from: first, to: last.flatMap { LocalDate($0) },
                weekdays: weekdays)
        }
        return Duties(
            zones: [try berlin()],
            shifts: [
                Shift(
                    id: 1, slug: "desk", name: "Desk",
                    start: try #require(LocalTime(minutes: from)),
                    end: try #require(LocalTime(minutes: to)), lateGrace: .seconds(600))
            ],
            assignments: [assignment(1, ann, to: nil), assignment(2, bob, to: bobUntil)],
            daysOff: try off.map { .init(user: $0.0, date: try #require(LocalDate($0.1))) })
    }

    /// One site over all that a test tells.
    private struct Run {
        var mesh = Mesh(plan: MeshSite.plan(), restoring: Saved())
        private var requests = 0

        init(_ duties: Duties, at start: String) throws {
            tell(.overrides(Overrides(revision: 1, duties: duties)), try utc(start))
        }

        @discardableResult
        mutating func tell(_ input: Input, _ now: Timestamp) -> [Decision] {
            var made: [Decision] = []
            mesh.handle(input, at: now, into: &made)
            return made
        }

        mutating func ask(_ verb: Request.Verb, _ now: String) throws {
            requests += 1
            tell(
                .request(Request(client: "kiosk", id: "\(requests)", name: "asked", verb: verb)),
                try utc(now))
        }

        /// What is told from the minute before a moment until then, while a node listens or none does.
        mutating func missed(_ now: String, listening: Bool = true) throws -> [String] {
            let now = try utc(now)
            var made: [Decision] = []
            for second in listening ? -130 ..< -60 : 0..<0 {
                let at = now + .seconds(Double(second))
                tell(.frame(MeshSite.frame(at), from: NodeID(1)), at)
            }
            made += tell(.tick, now - .seconds(60))
            for second in listening ? -60..<0 : 0..<0 {
                let at = now + .seconds(Double(second))
                made += tell(.frame(MeshSite.frame(at), from: NodeID(1)), at)
            }
            made += tell(.tick, now)
            return made.facts.compactMap { fact in
                guard case .notification(let row) = fact, row.kind == .noCheckIn else { return nil }
                return "\(row.user?.row ?? 0) \(row.subject)\(row.isLate ? " late" : "")"
            }
        }
    }

    @Test func `whoever does not come within the grace is told of once`() throws {
        // Monday 12 January 2026, 09:00 in Berlin is 08:00 UTC.
        var run = try Run(Self.duties(9 * 60, 17 * 60), at: "2026-01-12T07:00:00Z")
        try run.ask(.attendance(Self.ann, .checkIn(at: nil, reason: nil)), "2026-01-12T07:55:00Z")
        #expect(try run.missed("2026-01-12T08:09:59Z") == [])
        #expect(try run.missed("2026-01-12T08:10:00Z") == ["2 desk 2026-01-12"])
        #expect(try run.missed("2026-01-12T08:12:00Z") == [])
        let row = try #require(run.mesh.saved.notifications.last)
        #expect(row.since == (try Self.utc("2026-01-12T08:00:00Z")))
        #expect(row.at == (try Self.utc("2026-01-12T08:10:00Z")))
        // Nor after a restart; the next day is another one.
        let saved = run.mesh.saved
        run.mesh = Mesh(plan: MeshSite.plan(), restoring: saved)
        #expect(try run.missed("2026-01-12T08:20:00Z") == [])
        #expect(try run.missed("2026-01-12T08:24:00Z") == [])
        try run.ask(.attendance(Self.ann, .checkOut(at: nil, reason: nil)), "2026-01-12T18:00:00Z")
        #expect(
            try run.missed("2026-01-13T08:10:00Z") == ["1 desk 2026-01-13", "2 desk 2026-01-13"])
    }

    @Test func `nobody is missed while nobody listens, and all are once somebody has`() throws {
        var run = try Run(Self.duties(9 * 60, 17 * 60), at: "2026-01-12T07:00:00Z")
        for minute in 10..<59 {
            #expect(try run.missed("2026-01-12T08:\(minute):00Z", listening: false) == [])
        }
        #expect(
            try run.missed("2026-01-12T09:05:00Z") == [
                "1 desk 2026-01-12 late", "2 desk 2026-01-12 late",
            ])
    }

    @Test func `who came early counts, and who left before that does not`() throws {
        var run = try Run(Self.duties(9 * 60, 17 * 60), at: "2026-01-12T05:00:00Z")
        try run.ask(.attendance(Self.ann, .checkIn(at: nil, reason: nil)), "2026-01-12T06:00:00Z")
        try run.ask(.attendance(Self.bob, .checkIn(at: nil, reason: nil)), "2026-01-12T06:00:00Z")
        try run.ask(.attendance(Self.ann, .checkOut(at: nil, reason: nil)), "2026-01-12T07:00:00Z")
        try run.ask(.attendance(Self.bob, .checkOut(at: nil, reason: nil)), "2026-01-12T07:00:01Z")
        #expect(try run.missed("2026-01-12T08:10:00Z") == ["1 desk 2026-01-12"])
    }

    @Test func `leave, other weekdays, other dates and shifts that are over are left alone`() throws
    {
        // Monday only.
        let duties = try Self.duties(
            9 * 60, 17 * 60, weekdays: [1], bobUntil: "2026-01-19", off: [(Self.ann, "2026-01-12")])
        var run = try Run(duties, at: "2026-01-11T07:00:00Z")
        #expect(try run.missed("2026-01-11T08:10:00Z") == [])
        #expect(try run.missed("2026-01-12T08:10:00Z") == ["2 desk 2026-01-12"])
        #expect(try run.missed("2026-01-13T08:10:00Z") == [])
        #expect(try run.missed("2026-01-19T16:05:00Z") == [])
        #expect(try run.missed("2026-01-26T08:10:00Z") == ["1 desk 2026-01-26"])
    }

    @Test func `a night shift is told of after midnight, too`() throws {
        var run = try Run(Self.duties(22 * 60, 6 * 60), at: "2026-01-12T20:00:00Z")
        try run.ask(.attendance(Self.ann, .checkIn(at: nil, reason: nil)), "2026-01-12T21:00:00Z")
        run.mesh = Mesh(plan: MeshSite.plan(), restoring: run.mesh.saved)
        #expect(try run.missed("2026-01-12T23:28:00Z", listening: false) == [])
        // 00:30 in Berlin: recorded, and no news.
        #expect(try run.missed("2026-01-12T23:30:00Z") == ["2 desk 2026-01-12 late"])
        #expect(try run.missed("2026-01-13T05:00:00Z") == [])
    }

    @Test func `a shift begins by the clocks in the nights when they are changed`() throws {
        let duties = try Self.duties(2 * 60 + 30, 10 * 60)
        // 29 March 2026: 02:30 is skipped, and 03:00 counts; 25 October: it comes twice, and the first counts.
        var spring = try Run(duties, at: "2026-03-29T00:00:00Z")
        #expect(try spring.missed("2026-03-29T01:09:59Z") == [])
        #expect(try spring.missed("2026-03-29T01:10:00Z").count == 2)
        var autumn = try Run(duties, at: "2026-10-25T00:00:00Z")
        #expect(try autumn.missed("2026-10-25T00:39:59Z") == [])
        #expect(try autumn.missed("2026-10-25T00:40:00Z").count == 2)
    }

    @Test func `after a start or a pause, nodes may first tell what they heard`() throws {
        var run = try Run(Self.duties(9 * 60, 17 * 60), at: "2026-01-12T08:09:50Z")
        #expect(try run.missed("2026-01-12T08:11:49Z") == [])
        #expect(try run.missed("2026-01-12T08:12:00Z").count == 2)
        // The machine sleeps over the beginning of the next day's shift.
        let morning = try Self.utc("2026-01-13T08:05:00Z")
        run.tell(.tick, morning)
        let late = run.tell(.tick, morning + .seconds(900))
        #expect(!late.facts.contains { if case .notification = $0 { true } else { false } })
        #expect(try run.missed("2026-01-13T08:23:00Z").count == 2)
    }

    @Test func `a decision of people is no pause`() throws {
        let duties = try Self.duties(9 * 60, 17 * 60)
        var run = try Run(duties, at: "2026-01-12T07:00:00Z")
        #expect(try run.missed("2026-01-12T08:09:30Z") == [])
        let moment = try Self.utc("2026-01-12T08:09:40Z")
        run.tell(.overrides(Overrides(revision: 2, duties: duties)), moment)
        run.tell(.plan(MeshSite.plan(revision: 2)), moment)
        #expect(try run.missed("2026-01-12T08:10:00Z").count == 2)
    }

    @Test func `a shift that is given up is no longer waited for`() throws {
        var run = try Run(Self.duties(9 * 60, 17 * 60), at: "2026-01-12T07:00:00Z")
        run.tell(
            .overrides(Overrides(revision: 2, duties: Duties())),
            try Self.utc("2026-01-12T07:30:00Z"))
        #expect(try run.missed("2026-01-12T08:10:00Z") == [])
    }
}
