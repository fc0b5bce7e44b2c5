/// A measurement that gives one figure or several.
struct Experiment: Sendable {
    /// The names of its figures.
    let figures: [String]
    /// The seconds it may take in a quick run.
    let share: Double
    /// Measures. Throws `BenchFailure`, or whatever went wrong.
    let run: @Sendable (BenchContext) throws -> [Figure]

    /// All of them, the short ones first. The shares together leave a few seconds of the minute.
    static let all = [
        Experiment(figures: ["decode"], share: 4, run: DecodeBench.run),
        Experiment(figures: TrafficBench.figures, share: 2, run: TrafficBench.run),
        Experiment(figures: ["core-inputs", "wire-inputs"], share: 5, run: CoreBench.run),
        Experiment(figures: LocatingBench.figures, share: 2, run: LocatingBench.run),
        Experiment(figures: ["transactions"], share: 4, run: TransactionBench.run),
        Experiment(figures: ["rows"], share: 4, run: RowBench.run),
        Experiment(figures: ["fact-wait"], share: 4, run: FactWaitBench.run),
        Experiment(figures: NodeLoadBench.figures, share: 16, run: NodeLoadBench.run),
        Experiment(figures: ["memory-coordinator"], share: 9, run: CoordinatorMemoryBench.run),
        Experiment(figures: ["messages"], share: 8, run: MessageBench.run),
    ]
}
