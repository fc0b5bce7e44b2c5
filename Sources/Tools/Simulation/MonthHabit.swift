import Basics

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
