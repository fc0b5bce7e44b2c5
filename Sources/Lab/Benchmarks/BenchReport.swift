import Foundation

/// What a run of `mesh-lab bench` found.
struct BenchReport: Encodable {
    /// A figure that was not taken.
    struct Skipped: Encodable, Equatable {
        let name: String
        let reason: String
    }

    let version = 1
    /// The commit of the checkout the program lies in, or `nil` outside of one.
    let commit: String?
    let machine: Machine
    let seed: UInt64
    private(set) var figures: [Figure] = []
    private(set) var skipped: [Skipped] = []
    /// What went wrong, by figure; not part of the JSON.
    private(set) var failures: [Skipped] = []

    init(commit: String?, machine: Machine, seed: UInt64) {
        self.commit = commit
        self.machine = machine
        self.seed = seed
    }

    private enum CodingKeys: String, CodingKey {
        case version, commit, machine, seed, figures, skipped
    }

    /// Takes the figures of an experiment. One that fails does not keep the others from being
    /// taken; only the wish to stop does, and is thrown on.
    mutating func take(_ experiment: Experiment, in context: BenchContext) throws(BenchFailure) {
        let fault: String
        guard context.left > 1 else {
            skip(experiment, "the minute was over before its turn")
            return
        }
        do {
            figures += try experiment.run(context)
            return
        } catch BenchFailure.stopped {
            throw .stopped
        } catch BenchFailure.skipped(let reason) {
            skip(experiment, reason)
            return
        } catch {
            fault = "\(error)"
        }
        failures += experiment.figures.map { Skipped(name: $0, reason: fault) }
    }

    private mutating func skip(_ experiment: Experiment, _ reason: String) {
        skipped += experiment.figures.map { Skipped(name: $0, reason: reason) }
    }

    /// One object, with every key also where there is no value.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(commit, forKey: .commit)
        try container.encode(machine, forKey: .machine)
        try container.encode(seed, forKey: .seed)
        try container.encode(figures, forKey: .figures)
        try container.encode(skipped, forKey: .skipped)
    }
}

/// One measured figure: a line of `mesh-lab bench`.
struct Figure: Equatable, Sendable {
    /// What the machine can do at best, measured in the same run, in the same unit.
    struct Limit: Equatable, Sendable {
        /// What was measured.
        var name: String
        /// How it did.
        var value: Double
    }

    /// Within what a figure has to stay.
    enum Bar: Equatable, Sendable {
        case atMost(Double)
        case atLeast(Double)

        /// The number alone.
        var number: Double {
            switch self {
            case .atMost(let number), .atLeast(let number): number
            }
        }

        /// Whether `value` stays within it.
        func holds(_ value: Double) -> Bool {
            switch self {
            case .atMost(let number): value <= number
            case .atLeast(let number): value >= number
            }
        }
    }

    /// A slug.
    let name: String
    /// The unit of the value, its extremes and the limit, without spaces.
    let unit: String
    /// The median of all rounds; of memory, what was there at the end.
    let value: Double
    /// The least of all rounds.
    let min: Double
    /// The greatest of all rounds.
    let max: Double
    /// How often it was measured.
    let rounds: Int
    /// What it is compared with, if anything.
    var limit: Limit?
    /// Within what the ratio has to stay, or the value itself where there is no limit.
    var bar: Bar?
    /// Within what the value has to stay as well, whatever the ratio is.
    var ceiling: Bar?

    /// A figure from the values of its rounds.
    init(
        _ name: String, unit: String, _ samples: Samples, limit: Limit? = nil, bar: Bar? = nil,
        ceiling: Bar? = nil
    ) {
        self.name = name
        self.unit = unit
        value = samples.value
        min = samples.min
        max = samples.max
        rounds = samples.count
        self.limit = limit
        self.bar = bar
        self.ceiling = ceiling
    }

    /// The value in units of the limit, or `nil` without one.
    var ratio: Double? { limit.map { $0.value > 0 ? value / $0.value : 0 } }

    /// Whether no bar was missed, by the numbers as they are printed.
    var isWithinBars: Bool {
        let value = Self.rounded(value)
        return (bar?.holds(ratio.map(Self.rounded) ?? value) ?? true)
            && (ceiling?.holds(value) ?? true)
    }

    /// `name value unit`.
    var line: String { "\(name) \(Self.text(value)) \(unit)" }

    /// A number with four significant digits, never in powers of ten.
    static func text(_ number: Double) -> String {
        let short = rounded(number)
        if short == short.rounded(), abs(short) < 1e15 { return String(Int64(short)) }
        return String(describing: short)
    }

    /// More digits than four would be noise.
    static func rounded(_ number: Double) -> Double {
        guard number.isFinite, number != 0 else { return 0 }
        let scale = pow(10, 3 - floor(log10(abs(number))))
        return (number * scale).rounded() / scale
    }
}

extension Figure: Encodable {
    private enum CodingKeys: String, CodingKey {
        case name, unit, value, min, max, rounds, limit, ratio, bar, ok
    }

    private enum LimitKeys: String, CodingKey {
        case name, value
    }

    /// Writes every key, also those without a value.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(Self.rounded(value), forKey: .value)
        try container.encode(unit, forKey: .unit)
        try container.encode(Self.rounded(min), forKey: .min)
        try container.encode(Self.rounded(max), forKey: .max)
        try container.encode(rounds, forKey: .rounds)
        if let limit {
            var nested = container.nestedContainer(keyedBy: LimitKeys.self, forKey: .limit)
            try nested.encode(limit.name, forKey: .name)
            try nested.encode(Self.rounded(limit.value), forKey: .value)
        } else {
            try container.encodeNil(forKey: .limit)
        }
        try container.encode(ratio.map(Self.rounded), forKey: .ratio)
        try container.encode(bar?.number, forKey: .bar)
        try container.encode(isWithinBars, forKey: .ok)
    }
}

/// What the rounds of a measurement gave.
struct Samples: Equatable, Sendable {
    /// The value that stands for all of them.
    let value: Double
    /// The least.
    let min: Double
    /// The greatest.
    let max: Double
    /// How many there were, from 1.
    let count: Int

    /// The median of rounds, of which there must be one; between two, their mean.
    init(rounds: [Double]) {
        precondition(!rounds.isEmpty, "nothing was measured")
        let sorted = rounds.sorted()
        let middle = sorted.count / 2
        value =
            sorted.count.isMultiple(of: 2)
            ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        min = sorted[0]
        max = sorted[sorted.count - 1]
        count = sorted.count
    }

    /// Something watched while it changed: its last value stands for it. There must be one.
    init(watched values: [Double]) {
        let all = Samples(rounds: values)
        value = values[values.count - 1]
        min = all.min
        max = all.max
        count = 1
    }
}
