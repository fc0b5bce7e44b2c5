import Basics
import Registry
import Simulation
import SiteModel

/// What one person of a demonstration trains, and when they say so: warm-ups, working sets that grow from week to
/// week, a drop set now and then, and a workout whose end is said long after.
struct DemoTrainer {
    enum Action: Equatable {
        /// At a station, by its place in the layout.
        case start(Int)
        /// To another station; `nil` gives the slot back.
        case move(Int?)
        case set(GivenSet)
        /// It ended then, or now.
        case complete(at: Timestamp?)
    }

    /// An exercise of a station.
    struct Offered {
        var exercise: Exercise
        /// By what weights differ, in grams.
        var increment: Int64
    }

    /// A set that is still to be done, after a rest.
    private struct Planned {
        var set: GivenSet
        /// Seconds after the one before.
        var after: Double
    }

    /// What somebody of middling strength lifts eight times, in kilograms.
    private static let usual: [String: Double] = [
        "bench-press": 60, "incline-bench-press": 50, "back-squat": 80, "front-squat": 60,
        "overhead-press": 40, "deadlift": 100, "dumbbell-bench-press": 24, "triceps-pushdown": 25,
        "face-pull": 20, "cable-fly": 15,
    ]
    /// So fast people run and row, in metres a second.
    private static let speed = 2.8
    /// So long after they left somebody remembers that their workout is not ended, in seconds.
    private static let oversight = 2400.0

    /// Of each station of the layout.
    private let offered: [[Offered]]
    /// How long things take, where 1 is a real gym.
    private let tempo: Double
    /// How strong the person is, where 1 is middling.
    private let strength: Double
    private var random: SeededRandom
    private var workouts: Int
    private var station: Int?
    private var arrived = Timestamp(milliseconds: 0)
    private var planned: [Planned] = []
    private var due = Timestamp(milliseconds: 0)
    private var isTraining = false
    /// When they left without a word.
    private var forgotten: Timestamp?

    /// `person` decides how strong they are, `seed` all else; `workouts` is how many they have behind them.
    init(
        offered: [[Offered]], pace: Pace, person: UInt64, seed: UInt64, workouts: Int = 0
    ) {
        self.offered = offered
        tempo = pace.training.lowerBound / Pace.everyday.training.lowerBound
        random = SeededRandom(seed: seed ^ person << 32)
        var nature = SeededRandom(seed: person)
        strength = nature.number(in: 0.6...1.4)
        self.workouts = workouts
    }

    /// What they say at a moment. `place` is where they are; `nil`: not here.
    mutating func step(at now: Timestamp, _ place: World.Whereabouts?) -> [Action] {
        var actions: [Action] = []
        if isTraining, place?.station != station {
            // Who leaves says what the machine has counted, and makes room.
            if station != nil { actions += left(at: now) }
            if place?.station == nil, station != nil { actions.append(.move(nil)) }
            if let next = place?.station {
                actions.append(.move(next))
                begin(at: next, now)
            }
            station = place?.station
        }
        if isTraining, place == nil {
            isTraining = false
            if random.chance(0.1) {
                forgotten = now
            } else {
                actions.append(.complete(at: nil))
            }
        }
        if let left = forgotten,
            place?.station != nil || now - left >= .seconds(Self.oversight * tempo)
        {
            forgotten = nil
            actions.append(.complete(at: left))
        }
        if !isTraining, let first = place?.station {
            isTraining = true
            workouts += 1
            station = first
            actions.append(.start(first))
            begin(at: first, now)
        }
        if station != nil, let next = planned.first, now >= due {
            planned.removeFirst()
            due = now + .seconds((planned.first?.after ?? 0) * tempo)
            actions.append(.set(next.set))
        }
        return actions
    }

    /// Plans what to do at a station.
    private mutating func begin(at station: Int, _ now: Timestamp) {
        arrived = now
        planned = []
        let choice = offered[station]
        guard !choice.isEmpty else { return }
        let one = choice[(workouts + station) % choice.count]
        guard one.exercise.load != .none else { return }
        let rest = Double(one.exercise.rest)
        let weight = weight(of: one)
        if let weight, one.exercise.rest >= 180 {
            plan(.warmUp, one, amount: 10, weight: rounded(weight / 2, one.increment), after: 60)
        }
        for number in 1...3 {
            let amount = one.exercise.measure == .reps ? 9 - number : 40 + 5 * number
            let isLast = number == 3 && random.chance(0.15)
            plan(
                isLast ? .failure : .working, one, amount: isLast ? amount - 1 : amount,
                weight: weight, rir: number == 3 ? (isLast ? 0 : 1) : nil,
                after: number == 1 ? 60 : 40 + rest)
        }
        if let weight, one.exercise.rest < 90, random.chance(0.4) {
            plan(.drop, one, amount: 10, weight: rounded(weight * 7 / 10, one.increment), after: 45)
        }
        due = now + .seconds((planned.first?.after ?? 0) * tempo)
    }

    private mutating func plan(
        _ kind: WorkoutSet.Kind, _ one: Offered, amount: Int, weight: Int64?, rir: Int? = nil,
        after seconds: Double
    ) {
        var set = GivenSet(
            key: key(), exercise: one.exercise.slug, kind: kind, weight: weight, rir: rir)
        if one.exercise.measure == .reps { set.reps = amount } else { set.duration = amount }
        planned.append(Planned(set: set, after: seconds))
    }

    /// What they lift this time, in grams; `nil` with their body alone.
    private func weight(of one: Offered) -> Int64? {
        guard one.exercise.load == .weight else { return nil }
        let usual = Self.usual[one.exercise.slug] ?? 20
        let weight = rounded(Int64(usual * strength * 1000), one.increment)
        return weight + Int64(workouts / 3) * one.increment
    }

    private func rounded(_ grams: Int64, _ increment: Int64) -> Int64 {
        max(grams / increment, 1) * increment
    }

    /// What a machine has counted that they have just left.
    private mutating func left(at now: Timestamp) -> [Action] {
        planned = []
        guard let station, let one = offered[station].first, one.exercise.load == .none else {
            return []
        }
        let seconds = Double((now - arrived).milliseconds) / 1000
        guard seconds >= 10 else { return [] }
        var set = GivenSet(key: key(), exercise: one.exercise.slug, kind: .working)
        switch one.exercise.measure {
        case .time: set.duration = Int(seconds)
        case .distance: set.distance = Int(seconds * Self.speed * strength)
        case .reps: return []
        }
        return [.set(set)]
    }

    private mutating func key() -> String {
        String(uuid: random.next(), random.next(), version: 4)
    }
}

extension DemoTrainer.Offered {
    /// An exercise that comes with the program, as a row of a site file.
    init?(_ row: SiteTree) {
        guard let slug = row["id"]?.string,
            let measure = row["measure"]?.string.flatMap({ Exercise.Measure(rawValue: $0) }),
            let load = row["load"]?.string.flatMap({ Exercise.Load(rawValue: $0) })
        else { return nil }
        func number(_ name: String) -> Double? {
            if case .scalar(let text)? = row[name] { Double(text) } else { nil }
        }
        exercise = Exercise(
            slug: slug, measure: measure, load: load, rest: number("rest_s").map { Int($0) } ?? 90)
        increment = Int64(1000 * (number("increment_kg") ?? 2.5))
    }
}
