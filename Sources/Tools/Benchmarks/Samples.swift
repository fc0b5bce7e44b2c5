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
