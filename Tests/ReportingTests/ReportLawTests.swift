import Basics
import Scheduling
import Testing

@testable import Reporting
@testable import SiteModel

/// Numbers for tests, so that a seed printed by a failing test brings the failure back.
typealias Dice = SplitMix64

/// What holds for the sheets of any sessions.
struct ReportLawTests {
    /// However a month is cut into sheets, everything is counted once, around both changes of the
    /// clocks and with any shifts.
    @Test(arguments: UInt64(1)...200)
    func `sheets that follow one another count everything once`(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        var office = try Office()
        office.shifts.append(
            Shift(
                id: 4, slug: "any", name: "Any",
                start: try #require(LocalTime(minutes: .random(in: 0..<1440, using: &dice))),
                end: try #require(LocalTime(minutes: .random(in: 0..<1440, using: &dice))),
                earlyIn: minutes(.random(in: 0...300, using: &dice)),
                lateOut: minutes(.random(in: 0...300, using: &dice)),
                pause: minutes(.random(in: 0...60, using: &dice))))
        let begin = try office.at(
            Bool.random(using: &dice) ? "2026-03-20 00:00" : "2026-10-16 00:00")
        var clock = begin
        var sessions: [Session] = []
        while clock < begin + minutes(20 * 1440) {
            clock = clock + .milliseconds(.random(in: 0...40_000_000, using: &dice))
            // Now and then somebody forgets their tag at the site for days.
            let isLong = Int.random(in: 0..<20, using: &dice) == 0
            let end =
                clock
                + .milliseconds(.random(in: 0...(isLong ? 400_000_000 : 50_000_000), using: &dice))
            var session = Session(
                id: Int64(sessions.count), user: UserID(1), from: clock, to: end)
            if Bool.random(using: &dice) {
                let third = (end - clock).milliseconds / 3
                session.breaks = [
                    Interval(
                        from: clock + .milliseconds(third), to: clock + .milliseconds(2 * third))
                ]
            }
            sessions.append(session)
            clock = end
        }
        let shifts = (1...4).filter { _ in Bool.random(using: &dice) }.map { Int64($0) }
        let person = try office.person(
            sessions, shifts: shifts,
            weekdays: (1...7).filter { _ in Int.random(in: 0..<4, using: &dice) > 0 })
        let first = office.calendar.businessDay(of: begin) + -5
        let last = office.calendar.businessDay(of: clock) + 5
        let whole = DaySheet.rows(of: person, days: first...last, office.context)
        var pieces: [DayRow] = []
        var day = first
        while day <= last {
            let to = min(last, day + .random(in: 0...9, using: &dice))
            // A sheet is given what touches its days and a margin, as the store gives it.
            let bounds = office.calendar.bounds(of: day...to)
            var near = person
            near.sessions = sessions.filter {
                $0.from < bounds.to + DaySheet.margin
                    && ($0.to ?? $0.from) > bounds.from - DaySheet.margin
            }
            pieces += DaySheet.rows(of: near, days: day...to, office.context)
            day = to + 1
        }
        #expect(pieces == whole, "seed \(seed)")
        let attended = sessions.reduce(Int64(0)) { sum, session in
            let length = session.to.map { ($0 - session.from).milliseconds } ?? 0
            return sum + length - session.breaks.reduce(0) { $0 + $1.length.milliseconds }
        }
        #expect(whole.reduce(0) { $0 + $1.present.milliseconds } == attended, "seed \(seed)")
        for row in whole {
            #expect(row.before.milliseconds >= 0 && row.after.milliseconds >= 0, "seed \(seed)")
            #expect(
                row.before.milliseconds + row.after.milliseconds <= row.present.milliseconds,
                "seed \(seed)")
            #expect(row.deducted.milliseconds <= row.present.milliseconds, "seed \(seed)")
        }
    }

    @Test(arguments: UInt64(1)...50)
    func `time in places adds up to the stays`(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        let office = try Office()
        let days = try #require(LocalDate("2026-10-20"))...(try #require(LocalDate("2026-10-30")))
        let bounds = office.calendar.bounds(of: days)
        var clock = bounds.from
        var stays: [Stay] = []
        while true {
            let from = clock + .milliseconds(.random(in: 0...9_000_000, using: &dice))
            let to = from + .milliseconds(.random(in: 0...90_000_000, using: &dice))
            guard to <= bounds.to else { break }
            stays.append(
                Stay(
                    id: Int64(stays.count), user: UserID(1),
                    place: .room(RoomID(.random(in: 1...3, using: &dice))), from: from, to: to))
            clock = to
        }
        let rows = PlaceTime.rows(of: stays, days: days, office.calendar, now: bounds.to)
        let sum = stays.reduce(Int64(0)) { $0 + (($1.to ?? $1.from) - $1.from).milliseconds }
        #expect(rows.reduce(0) { $0 + $1.time.milliseconds } == sum, "seed \(seed)")
        for row in rows {
            #expect(row.time <= office.calendar.bounds(of: row.date).length, "seed \(seed)")
        }
    }
}
