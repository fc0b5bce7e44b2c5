import Basics
import Foundation
import Simulation
import SiteModel
import TrainingEngine

/// Workouts that began, paused and ended by themselves, against where people were.
struct TrainingReport: ScenarioReport, Equatable {
    /// What was so.
    struct Truth: Codable, Equatable {
        var stays = 0
        /// Stays of one person with no more than four hours between them.
        var workouts = 0
        /// Times between stays that are long enough for a pause.
        var pauses = 0
        var hours = 0.0
    }

    var people: Int
    var days: Int
    var seed: UInt64
    var truth = Truth()
    var workouts = 0
    /// Workouts in truth without one.
    var missed = 0
    /// Workouts in truth with more than one.
    var split = 0
    /// Workouts that began where somebody was not.
    var wrongStarts = 0
    /// Stays at which nobody was said to train there at any time.
    var unseenStays = 0
    /// Uses of a slot by somebody who was not there at any time of it.
    var wrongUses = 0
    var uses = 0
    /// Pauses that were none, and pauses that were not seen.
    var inventedPauses = 0
    var missedPauses = 0
    /// How far each is off, in seconds.
    var begin = MonthJudgement.Errors([])
    var pause = MonthJudgement.Errors([])
    var goesOn = MonthJudgement.Errors([])
    var end = MonthJudgement.Errors([])
    /// As recorded, without pauses.
    var hours = 0.0
    var conflicts = 0
    var waits = 0
    var offers = 0
    var accepted = 0
    var lapsed = 0
    /// Offers while somebody waited there longer without one.
    var overtaken = 0
    /// How long those waited who were offered a slot, in seconds.
    var waited = MonthJudgement.Errors([])

    /// Lets the days pass, and judges.
    init(
        _ options: TrainingWeek.Options, progress: (Double) -> Void = { _ in }
    ) throws {
        (people, days, seed) = (options.people, options.days, options.seed)
        var week = try TrainingWeek(options)
        week.run(progress)
        judge(week)
        judgeQueues(week)
    }

    private mutating func judge(_ week: TrainingWeek) {
        var (begins, pauses, resumes, ends) = ([Double](), [Double](), [Double](), [Double]())
        workouts = week.workouts.count
        uses = week.claims.count
        conflicts = week.conflicts
        for (person, user) in week.users.enumerated() {
            let stays = week.stays.filter { $0.person == person }
                .sorted { $0.interval.from < $1.interval.from }
            let own = week.workouts.values.filter { $0.user == user }.sorted { $0.id < $1.id }
            let claims = week.claims.values.filter { $0.user == user }.sorted { $0.id < $1.id }
            truth.stays += stays.count
            hours += own.reduce(0) { $0 + $1.active.reduce(0) { $0 + $1.length.seconds } } / 3600
            judgeUses(claims, stays, week)
            for workout in own {
                let first = claims.first { $0.workout == workout.id }
                let isThere = stays.contains { stay in
                    first.map { week.stations[stay.station] == $0.station } ?? true
                        && stay.interval.from <= workout.from + Self.margin
                        && workout.from <= stay.interval.to
                }
                if !isThere { wrongStarts += 1 }
            }
            for real in Self.workouts(of: stays) {
                guard let start = real.first?.from, let finish = real.last?.to else { continue }
                truth.workouts += 1
                truth.hours += real.reduce(0) { $0 + $1.length.seconds } / 3600
                let found = own.filter { $0.from < finish && start < $0.lastActive }
                guard let first = found.first, let last = found.last else {
                    missed += 1
                    continue
                }
                if found.count > 1 { split += 1 }
                begins.append((first.from - start).seconds)
                ends.append((last.lastActive - finish).seconds)
                let gaps = zip(real, real.dropFirst()).map { Interval(from: $0.to, to: $1.from) }
                truth.pauses += gaps.count
                let told = found.flatMap(\.gaps)
                for gap in gaps {
                    guard let one = told.first(where: { $0.shares(gap) }) else {
                        missedPauses += 1
                        continue
                    }
                    pauses.append((one.from - gap.from).seconds)
                    resumes.append((one.to - gap.to).seconds)
                }
                inventedPauses += told.filter { one in !gaps.contains { one.shares($0) } }.count
            }
        }
        (begin, pause, goesOn, end) = (.init(begins), .init(pauses), .init(resumes), .init(ends))
    }

    private mutating func judgeUses(
        _ claims: [Claim], _ stays: [TrainingWeek.Stay], _ week: TrainingWeek
    ) {
        func meets(_ claim: Claim, _ stay: TrainingWeek.Stay) -> Bool {
            claim.station == week.stations[stay.station] && claim.from < stay.interval.to
                && stay.interval.from < claim.to ?? .init(milliseconds: .max)
        }
        unseenStays += stays.filter { stay in !claims.contains { meets($0, stay) } }.count
        wrongUses += claims.filter { claim in !stays.contains { meets(claim, $0) } }.count
    }

    private mutating func judgeQueues(_ week: TrainingWeek) {
        let all = week.queue.values.sorted { $0.id < $1.id }
        waits = all.count
        accepted = all.filter { $0.outcome == .accepted && week.offered[$0.id] != nil }.count
        lapsed = all.filter { $0.outcome == .lapsed }.count
        var lengths: [Double] = []
        for wait in all {
            guard let moment = week.offered[wait.id] else { continue }
            offers += 1
            lengths.append((moment - wait.joined).seconds)
            let isOvertaking = all.contains { other in
                other.station == wait.station && (other.joined, other.id) < (wait.joined, wait.id)
                    && other.ended.map { $0 > moment } ?? true
                    && week.offered[other.id].map { $0 > moment } ?? true
            }
            if isOvertaking { overtaken += 1 }
        }
        waited = .init(lengths)
    }

    /// A station is believed so long after somebody came, at most.
    private static let margin = Timestamp.Span.seconds(60)

    /// Stays as workouts of active times: those with a gap too short for a pause are one, and four hours end a
    /// workout.
    private static func workouts(of stays: [TrainingWeek.Stay]) -> [[Interval]] {
        let pause = Timestamp.Span.seconds(Double(TrainingWeek.timing.autoPause ?? 0))
        var workouts: [[Interval]] = []
        for stay in stays {
            guard let last = workouts.last?.last, stay.interval.from - last.to < .seconds(4 * 3600)
            else {
                workouts.append([stay.interval])
                continue
            }
            let place = workouts.count - 1
            if stay.interval.from - last.to <= pause {
                workouts[place][workouts[place].count - 1].to = stay.interval.to
            } else {
                workouts[place].append(stay.interval)
            }
        }
        return workouts
    }

    /// For people.
    var text: String {
        var table = TextTable([
            "moment", "in truth", "missed", "invented", "median s", "95 % s", "worst s",
        ])
        func add(
            _ name: String, _ real: Int, _ missed: Int, _ wrong: Int,
            _ errors: MonthJudgement.Errors
        ) {
            table.add(
                [name, "\(real)", "\(missed)", "\(wrong)"]
                    + [errors.median, errors.percentile95, errors.worst].map {
                        String(format: "%.1f", $0)
                    })
        }
        add("begin", truth.workouts, missed, wrongStarts, begin)
        add("pause", truth.pauses, missedPauses, inventedPauses, pause)
        add("go on", truth.pauses, missedPauses, inventedPauses, goesOn)
        add("end", truth.workouts, missed, 0, end)
        let rate = 1000 * Double(wrongStarts) / Double(max(truth.stays, 1))
        let sums = String(
            format: "%.2f wrong begins per 1,000 stays; hours: %.2f in truth, %.2f recorded",
            rate, truth.hours, hours)
        return """
            \(people) people, \(days) days, seed \(seed); nobody touches a phone but to wait

            \(table.text)

            \(truth.stays) stays, \(workouts) workouts, \(split) in two; \(unseenStays) stays \
            without a use; \(uses) uses of a slot, \(wrongUses) by somebody who was not there
            \(sums)
            queues: \(waits) waits, \(offers) offers, \(accepted) taken, \(lapsed) lapsed, \
            \(overtaken) overtaken; waited \(waited.median) s (median), \(waited.percentile95) s (95 %)
            conflicts: \(conflicts)
            """
    }
}

extension Workout {
    /// Its pauses, also one that is open or ends with it.
    private var stops: [Interval] {
        let open = pausedSince.map { Interval(from: $0, to: to ?? $0) }
        return pauses.map { Interval(from: $0.from, to: $0.to) } + [open].compactMap(\.self)
    }

    /// The last moment somebody trained.
    fileprivate var lastActive: Timestamp {
        guard let to else { return pausedSince ?? Timestamp(milliseconds: .max) }
        return stops.last { $0.to >= to }?.from ?? to
    }

    /// The pauses after which it went on.
    fileprivate var gaps: [Interval] { stops.filter { $0.from < lastActive } }

    /// When somebody trained.
    fileprivate var active: [Interval] {
        var parts: [Interval] = []
        var since = from
        for gap in gaps {
            parts.append(Interval(from: since, to: gap.from))
            since = gap.to
        }
        return parts + [Interval(from: since, to: max(since, lastActive))]
    }
}

extension Interval {
    fileprivate func shares(_ other: Interval) -> Bool { from < other.to && other.from < to }
}
