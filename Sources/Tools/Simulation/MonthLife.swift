import Basics
import SiteModel

/// Who is where in a simulated month: October 2026 by the clocks of Berlin, where the 25th has 25
/// hours. Everything follows from the arguments of `init`.
package struct MonthLife: Equatable, Sendable {
    /// The names of the two sites, as on topics.
    package static let sites = ["gym", "workshop"]
    /// Rooms of each site, in a row; each has its node.
    package static let rooms = 4
    /// The IANA zone of both sites.
    package static let timeZone = "Europe/Berlin"
    /// The farthest day it can reach: afterwards clocks change again.
    package static let mostDays = 150

    /// The first midnight.
    package let start: Timestamp
    /// The last midnight.
    package let midnight: Timestamp
    /// When the last night shift is over, too, and everything has been told.
    package let end: Timestamp
    /// By beginning, then person.
    package let visits: [MonthVisit]
    /// By moment, then person.
    package let statements: [MonthStatement]

    /// The life of so many people on `days` days, the first of them the `first`th of October.
    package init(people: Int, days: Int, first: Int = 1, seed: UInt64) {
        precondition(first >= 1 && days >= 1 && first + days <= Self.mostDays, "no such days")
        start = Timestamp(second: Self.second(day: first, 0))
        midnight = Timestamp(second: Self.second(day: first + days, 0))
        var dice = SeededRandom(seed: seed, stream: 20)
        var visits: [MonthVisit] = []
        for person in 0..<people {
            let home = (person + person / 10) % Self.sites.count
            for day in first..<first + days {
                let plan = MonthHabit(of: person).visits(
                    home: home, day: day, person: person, &dice)
                for (site, from, to) in plan {
                    visits.append(
                        Self.visit(
                            of: person, site: site, from: Self.second(day: day, from),
                            to: Self.second(day: day, to), &dice))
                }
            }
        }
        visits.sort { ($0.interval.from, $0.person) < ($1.interval.from, $1.person) }
        Self.makeForgetful(&visits, &dice)
        self.visits = visits
        let last = visits.map(\.interval.to.second).max() ?? 0
        end = Timestamp(second: (max(last, midnight.second) / 60 + 30) * 60)
        statements = Self.statements(of: visits)
    }

    /// A second of local time after the midnight of a day, counted from the Unix epoch. Of an hour
    /// that happens twice, the first.
    package static func second(day: Int, _ local: Int64) -> Int64 {
        // The 1st of October 2026, 0:00 UTC, and the end of summer time on the 25th, 1:00 UTC.
        let october: Int64 = 1_790_812_800
        let winter: Int64 = 1_792_890_000
        let wall = october + Int64(day - 1) * 86_400 + local
        return wall - 7200 < winter ? wall - 7200 : wall - 3600
    }

    private static func visit(
        of person: Int, site: Int, from: Int64, to: Int64, _ dice: inout SeededRandom
    ) -> MonthVisit {
        var steps: [MonthVisit.Step] = []
        var since = from
        while since < to {
            steps.append(MonthVisit.Step(since: since, room: dice.index(below: rooms)))
            since += Int64(dice.number(in: 600...3600))
        }
        var shadows: [Interval] = []
        var next = from + Int64(dice.number(in: 0...4800))
        while next < to {
            let end = next + Int64(dice.number(in: 20...60))
            shadows.append(
                Interval(from: Timestamp(second: next), to: Timestamp(second: end)))
            next = end + Int64(dice.number(in: 600...4200))
        }
        return MonthVisit(
            person: person, site: site,
            interval: Interval(from: Timestamp(second: from), to: Timestamp(second: to)),
            steps: steps, shadows: shadows)
    }

    /// One visit in eighty is without a tag, one in forty ends with a word at the door; at least one
    /// each.
    private static func makeForgetful(_ visits: inout [MonthVisit], _ dice: inout SeededRandom) {
        // Who steps out for a minute does not tell anybody.
        let lone = visits.indices.filter { index in
            let visit = visits[index]
            return !visits.indices.contains { other in
                other != index && visits[other].person == visit.person
                    && visits[other].interval.from < visit.interval.to + .seconds(900)
                    && visit.interval.from < visits[other].interval.to + .seconds(900)
            }
        }
        guard !lone.isEmpty else { return }
        for _ in 0..<max(1, visits.count / 80) {
            visits[lone[dice.index(below: lone.count)]].isTagless = true
        }
        for _ in 0..<max(1, visits.count / 40) {
            visits[lone[dice.index(below: lone.count)]].checksOut = true
        }
    }

    private static func statements(of visits: [MonthVisit]) -> [MonthStatement] {
        var statements: [MonthStatement] = []
        for visit in visits {
            func say(_ kind: Statement.Kind, _ at: Timestamp) {
                statements.append(
                    MonthStatement(
                        person: visit.person, site: visit.site, kind: kind, at: at,
                        isTagged: !visit.isTagless))
            }
            if visit.isTagless {
                say(.checkIn, visit.interval.from + .seconds(20))
                say(.checkOut, visit.interval.to - .seconds(15))
            } else if visit.checksOut {
                say(.checkOut, visit.interval.to - .seconds(15))
            }
        }
        return statements.sorted { ($0.at, $0.person) < ($1.at, $1.person) }
    }
}

/// How somebody lives in a simulated month.
enum MonthHabit: CaseIterable {
    /// Works from 6 to 14.
    case early
    /// Works from 14 to 22.
    case late
    /// Works from 22 to 6.
    case night
    /// Works from 9 to half past one.
    case partTime
    /// Comes to the gym for an hour, two days of five.
    case member

    /// Three of ten work early, two late, one at night, two part of the day; two are members.
    init(of person: Int) {
        switch person % 10 {
        case 0, 1, 2: self = .early
        case 3, 4: self = .night
        case 5, 6: self = .partTime
        case 7, 8: self = .member
        default: self = .late
        }
    }

    /// The start of work and its length in hours, or `nil` for who does not work here.
    private var shift: (start: Double, length: Double)? {
        switch self {
        case .early: (6, 8)
        case .late: (14, 8)
        case .night: (22, 8)
        case .partTime: (9, 4.5)
        case .member: nil
        }
    }

    /// The visits that begin on a day, in order, in seconds of local time after its midnight.
    func visits(
        home: Int, day: Int, person: Int, _ dice: inout SeededRandom
    ) -> [(site: Int, from: Int64, to: Int64)] {
        guard let shift else {
            guard dice.chance(0.4) else { return [] }
            let from = Int64(dice.number(in: 7 * 3600...20 * 3600))
            return [(0, from, from + Int64(dice.number(in: 2700...5400)))]
        }
        // Five days of work, two off, and once in a while ill.
        guard (day + person) % 7 < 5, !dice.chance(0.04) else { return [] }
        let from = Int64(shift.start * 3600 + dice.number(in: -600...600))
        let to = Int64((shift.start + shift.length) * 3600 + dice.number(in: -600...600))
        guard shift.length > 5 else { return interrupted([(home, from, to)], &dice) }
        let leaves = from + Int64(dice.number(in: 9000...12_600))
        if dice.chance(0.12) {
            let there = leaves + Int64(dice.number(in: 900...1800))
            let ends = there + Int64(dice.number(in: 3600...7200))
            let back = ends + Int64(dice.number(in: 900...1800))
            return interrupted(
                [(home, from, leaves), (1 - home, there, ends), (home, back, to)], &dice)
        }
        guard dice.chance(0.5) else { return interrupted([(home, from, to)], &dice) }
        let back = leaves + Int64(dice.number(in: 1800...3600))
        return interrupted([(home, from, leaves), (home, back, to)], &dice)
    }

    /// Now and then somebody steps out for a minute or three: too short to be an absence.
    private func interrupted(
        _ visits: [(site: Int, from: Int64, to: Int64)], _ dice: inout SeededRandom
    ) -> [(site: Int, from: Int64, to: Int64)] {
        visits.flatMap { visit -> [(site: Int, from: Int64, to: Int64)] in
            guard visit.to - visit.from > 5400, dice.chance(0.3) else { return [visit] }
            let out = visit.from + Int64(dice.number(in: 1800...3600))
            let back = out + Int64(dice.number(in: 60...180))
            return [(visit.site, visit.from, out), (visit.site, back, visit.to)]
        }
    }
}

/// Somebody's time at one of the two sites of a simulated month, in whole seconds.
package struct MonthVisit: Equatable, Sendable {
    /// A room, from a moment on.
    package struct Step: Equatable, Sendable {
        /// The first second there.
        package var since: Int64
        /// The room, an index.
        package var room: Int

        package init(since: Int64, room: Int) {
            self.since = since
            self.room = room
        }
    }

    /// Who, an index.
    package var person: Int
    /// Where: 0 the gym, 1 the workshop.
    package var site: Int
    /// From the first second inside to the first one outside.
    package var interval: Interval
    /// The rooms they are in, in order; the first step is the arrival.
    package var steps: [Step]
    /// When something stands between the tag and every node, in order.
    package var shadows: [Interval]
    /// They have no tag with them, and say when they come and go.
    package var isTagless = false
    /// They say that they leave, at the door.
    package var checksOut = false

    /// The room somebody is in, of a second of the visit.
    package func room(at second: Int64) -> Int {
        (steps.last { $0.since <= second } ?? steps[0]).room
    }

    /// Whether the tag is in a shadow.
    func isShadowed(at second: Int64) -> Bool {
        let moment = Timestamp(second: second)
        return shadows.contains { $0.from <= moment && moment < $0.to }
    }
}

/// What somebody says at the door, by themselves.
package struct MonthStatement: Equatable, Sendable {
    /// Who, an index.
    package var person: Int
    /// Where, an index.
    package var site: Int
    /// In or out.
    package var kind: Statement.Kind
    package var at: Timestamp
    /// Whether there is a tag that tells it, too.
    package var isTagged: Bool
}
