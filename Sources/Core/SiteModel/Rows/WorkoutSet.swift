/// One set of an exercise, as its user logged it.
package struct WorkoutSet: Equatable, Sendable, Codable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// It prepares, and counts nowhere.
        case warmUp = "warm-up"
        case working
        /// With less weight, right after another.
        case drop
        /// Until nothing went any more.
        case failure
    }

    /// What was done, by what its exercise measures.
    package enum Measure: Hashable, Sendable, Codable {
        /// 1 to 1000 times.
        case reps(Int)
        /// 1 to 86,400 seconds.
        case duration(Int)
        /// 1 to 1,000,000 metres.
        case distance(Int)
    }

    /// What was planned.
    package struct Target: Hashable, Sendable, Codable {
        package var reps: Int?
        /// In grams.
        package var weight: Int64?

        package init(reps: Int? = nil, weight: Int64? = nil) {
            self.reps = reps
            self.weight = weight
        }
    }

    /// The best of something that a set can be.
    package enum Record: String, Sendable, Codable, CaseIterable {
        /// The heaviest.
        case weight
        /// The most repetitions at its weight.
        case reps
        /// The greatest estimated one-repetition maximum.
        case oneRepMax = "e1rm"
        /// The greatest volume of the exercise in a workout.
        case volume
        /// The longest.
        case duration
        /// The farthest.
        case distance
    }

    /// Its row.
    package var id: Int64
    package var workout: Int64
    package var user: UserID
    /// The UUID by which whoever sent it knows it, in small letters.
    package var key: String
    /// Counts the sets of the workout in the order in which they came, deleted ones included; from 1.
    package var number: Int
    /// The slug of the exercise.
    package var exercise: String
    package var kind: Kind
    package var measure: Measure
    /// In grams, 0 to 1,000,000.
    package var weight: Int64?
    /// Repetitions in reserve, 0 to 10.
    package var rir: Int?
    package var station: StationID?
    /// When it was done.
    package var at: Timestamp
    /// What its user wrote. Hostile text.
    package var note: String?
    package var target: Target?
    package var isDeleted: Bool
    /// From 1, one more with each change.
    package var revision: Int64
    /// A number for what was sent first.
    package var digest: UInt64
    /// When it was done, and where, as its first answer told.
    package var firstAt: Timestamp
    package var firstStation: StationID?
    /// How long its answer told to rest, in seconds; `nil`: the workout had ended.
    package var rest: Int?
    /// The records that its answer told of.
    package var told: [Record]

    package init(
        id: Int64, workout: Int64, user: UserID, key: String, number: Int, exercise: String,
        kind: Kind, measure: Measure, weight: Int64? = nil, rir: Int? = nil,
        station: StationID? = nil, at: Timestamp, note: String? = nil, target: Target? = nil,
        isDeleted: Bool = false, revision: Int64 = 1, digest: UInt64, rest: Int? = nil,
        told: [Record] = []
    ) {
        self.id = id
        self.workout = workout
        self.user = user
        self.key = key
        self.number = number
        self.exercise = exercise
        self.kind = kind
        self.measure = measure
        self.weight = weight
        self.rir = rir
        self.station = station
        self.at = at
        self.note = note
        self.target = target
        self.isDeleted = isDeleted
        self.revision = revision
        self.digest = digest
        firstAt = at
        firstStation = station
        self.rest = rest
        self.told = told
    }

    /// Whether it counts towards volume and records, as long as its workout does.
    package var counts: Bool { !isDeleted && kind != .warmUp }

    /// Repetitions × weight, in grams.
    package var volume: Int64 {
        guard counts, case .reps(let reps) = measure else { return 0 }
        return Int64(reps) * (weight ?? 0)
    }

    /// Until when to rest; `nil` if the workout had ended.
    package var restUntil: Timestamp? { rest.map { at + .seconds(Double($0)) } }

    /// The estimated one-repetition maximum in grams, by Brzycki: weight × 36 / (37 − repetitions), where those in
    /// reserve count as done. `nil` above 12, and of sets without a weight.
    package var oneRepMax: Double? {
        guard let weight, case .reps(let reps) = measure else { return nil }
        let done = reps + (rir ?? 0)
        return done > 12 ? nil : Double(weight * 36) / Double(37 - done)
    }

    /// Whether the estimate is good enough for a record: up to 10 repetitions.
    package var isEstimateSound: Bool {
        if case .reps(let reps) = measure { reps + (rir ?? 0) <= 10 } else { false }
    }
}

/// A workout as far as it can still change, or be told of: with its stations and its sets.
package struct WorkoutLog: Equatable, Sendable, Codable {
    /// What its sets come to.
    package struct Totals: Equatable, Sendable, Codable {
        /// Those that are not deleted.
        package var sets = 0
        /// Repetitions × weight of all but warm-ups, in grams.
        package var volume: Int64 = 0
        /// The latest set's exercise.
        package var exercise: String?
        /// When the latest set was done, and how long to rest after it.
        package var at: Timestamp?
        package var restUntil: Timestamp?

        package init(of sets: [WorkoutSet] = []) {
            var latest: WorkoutSet?
            for set in sets where !set.isDeleted {
                self.sets += 1
                volume += set.volume
                if latest.map({ ($0.at, $0.id) < (set.at, set.id) }) ?? true { latest = set }
            }
            exercise = latest?.exercise
            at = latest?.at
            restUntil = latest?.restUntil
        }
    }

    package var workout: Workout
    /// Its stations: closed claims and the open one, by row.
    package var claims: [Claim]
    /// Its sets by row, deleted ones included; none once it is settled.
    package var sets: [WorkoutSet]
    /// What the sets came to of one that is not recent any more.
    package private(set) var settled: Totals?
    /// Whether its user has none that began later.
    package var isNewest: Bool

    package init(
        _ workout: Workout, claims: [Claim] = [], sets: [WorkoutSet] = [], isNewest: Bool = true
    ) {
        self.workout = workout
        self.claims = claims
        self.sets = sets
        self.isNewest = isNewest
    }

    package var totals: Totals { settled ?? Totals(of: sets) }

    /// Also a workout that was stored before its stations and sets stood with it.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let isWhole = values.contains(.workout)
        self.init(
            isWhole
                ? try values.decode(Workout.self, forKey: .workout) : try Workout(from: decoder))
        guard isWhole else { return }
        claims = try values.decode([Claim].self, forKey: .claims)
        sets = try values.decode([WorkoutSet].self, forKey: .sets)
        settled = try values.decodeIfPresent(Totals.self, forKey: .settled)
        isNewest = try values.decode(Bool.self, forKey: .isNewest)
    }

    /// It without its sets, as it is told: of its uses of stations the latest, and its pauses as one as long as all of
    /// them, which ends with the last. Answers are kept, and should not grow with a workout.
    package var standing: WorkoutLog {
        var log = self
        log.settle()
        log.claims = log.claims.suffix(Self.mostTold)
        if let last = log.workout.pauses.last, log.workout.pauses.count > 1 {
            log.workout.pauses = [
                Workout.Pause(from: last.to - log.workout.paused, to: last.to, cause: last.cause)
            ]
        }
        return log
    }

    /// The most uses of stations that are told of.
    package static let mostTold = 40

    /// Forgets the sets: they cannot be changed any more.
    package mutating func settle() {
        guard settled == nil else { return }
        settled = Totals(of: sets)
        sets = []
    }

    /// Takes in a set, new or changed; of one that is settled nothing changes.
    package mutating func take(_ set: WorkoutSet) {
        if settled == nil { sets.put(set, by: \.id) }
    }

    /// The use of a station that goes on.
    package var openClaim: Claim? { claims.last { $0.to == nil } }

    /// The latest use of a station.
    package var lastClaim: Claim? { claims.last }

    /// Gives the slot back.
    package mutating func endClaims(at end: Timestamp) {
        for place in claims.indices where claims[place].to == nil { claims[place].to = end }
    }

    /// The last moment at which anything of it happened, its sets that are not deleted with it.
    package var lastMoment: Timestamp { max(lastChange, totals.at ?? lastChange) }

    /// The last moment at which anything of it began or ended, its sets left out.
    package var lastChange: Timestamp {
        let own = [workout.to, workout.pausedSince, workout.pauses.last?.to].compactMap(\.self)
        return (own + claims.map { $0.to ?? $0.from }).reduce(workout.from, max)
    }
}
