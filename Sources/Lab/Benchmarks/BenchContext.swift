import Demo
import Foundation
import Platform
import Registry
import SiteEngine
import SiteModel
import SiteStore
import Wire

/// Why a figure could not be taken.
enum BenchFailure: Error, Equatable, CustomStringConvertible {
    /// Something it needs is not on this machine: the figure is left out, with this reason.
    case skipped(String)
    /// It was tried and went wrong.
    case failed(String)
    /// Somebody wants the whole run to end.
    case stopped

    var description: String {
        switch self {
        case .skipped(let reason), .failed(let reason): reason
        case .stopped: "stopped"
        }
    }
}

/// What every figure is measured with: its files, its seed, and how long it may take.
struct BenchContext {
    /// The simulated start of everything that does not run in real time.
    static let start = Timestamp(milliseconds: 1_790_000_000_000)

    /// A directory of this run alone, removed at its end.
    let folder: String
    /// What is simulated follows from this number.
    let seed: UInt64
    /// Whether the run has to end within a minute.
    let isQuick: Bool
    /// Where `cc` is looked for, as the variable PATH says it.
    let searchPath: String

    private let watch = Stopwatch()
    private var end = Double.infinity

    /// A run that has just begun.
    init(
        folder: String, seed: UInt64, isQuick: Bool,
        searchPath: String = ProcessInfo.processInfo.environment["PATH"] ?? ""
    ) {
        self.folder = folder
        self.seed = seed
        self.isQuick = isQuick
        self.searchPath = searchPath
    }

    /// Seconds since the run began.
    var elapsed: Double { watch.seconds }

    /// The same run with `seconds` for what comes next if it is a quick one.
    func limited(to seconds: Double) -> BenchContext {
        var context = self
        if isQuick { context.end = min(end, elapsed + seconds) }
        return context
    }

    /// Seconds left; without end where it need not be quick.
    var left: Double { end - elapsed }

    /// One of two amounts: of a quick run, or of a full one.
    func amount<Value>(quick: Value, full: Value) -> Value { isQuick ? quick : full }

    /// Measures in several rounds, after one that does not count. `round` is told which it is, from
    /// 0. In a quick run the rounds end with the time, but there is always one.
    func samples(_ round: (Int) throws -> Double) throws -> Samples {
        let most = amount(quick: 5, full: 9)
        _ = try round(0)
        var values: [Double] = []
        while values.count < most, values.isEmpty || left > 0 {
            try goOn()
            values.append(try round(values.count + 1))
        }
        return Samples(rounds: values)
    }

    /// Throws if the run is to stop.
    func goOn() throws(BenchFailure) {
        if StopSignal.isRaised { throw .stopped }
    }

    /// A new directory for one figure.
    func directory(_ name: String) throws -> String {
        let path = folder + "/" + name
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        return path
    }

    /// Tells who is waiting what goes on.
    func say(_ text: String) { StandardError.write("bench: \(text)\n") }
}

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
        Experiment(figures: ["decode"], share: 2, run: DecodeBench.run),
        Experiment(figures: TrafficBench.figures, share: 2, run: TrafficBench.run),
        Experiment(figures: ["core-inputs", "wire-inputs"], share: 3, run: CoreBench.run),
        Experiment(figures: CrowdBench.figures, share: 1, run: CrowdBench.run),
        Experiment(figures: NearBench.figures, share: 0.5, run: NearBench.run),
        Experiment(figures: LocatingBench.figures, share: 2, run: LocatingBench.run),
        Experiment(figures: ["transactions"], share: 2, run: TransactionBench.run),
        Experiment(figures: ["rows"], share: 2, run: RowBench.run),
        Experiment(figures: ["fact-wait"], share: 2, run: FactWaitBench.run),
        Experiment(figures: ActivityBench.figures, share: 0.5, run: ActivityBench.run),
        Experiment(figures: SetBench.figures, share: 2, run: SetBench.run),
        Experiment(figures: RowEditBench.figures, share: 3, run: RowEditBench.run),
        Experiment(figures: DetectionBench.figures, share: 1, run: DetectionBench.run),
        Experiment(figures: NodeLoadBench.figures, share: 17, run: NodeLoadBench.run),
        Experiment(figures: ["memory-coordinator"], share: 8, run: CoordinatorMemoryBench.run),
        Experiment(figures: ["messages"], share: 6, run: MessageBench.run),
    ]
}

/// The demonstration gym in a database of its own.
struct BenchSite {
    /// Its places and people.
    let demo: DemoSite
    let database: String
    let plan: Plan
    let names: Names
    let saved: Saved

    /// Imports a gym with so many people into `folder`, so that it is in force from `moment` on.
    init(people: Int, seed: UInt64, in folder: String, from moment: Timestamp) throws {
        demo = DemoSite(people: people, seed: seed, hasCapture: false)
        database = folder + "/site.sqlite"
        let store = try Store(path: database)
        defer { store.close() }
        try SiteImport(store).importDocument(demo.document, at: moment - .seconds(60))
        guard let loaded = try store.load() else {
            throw BenchFailure.failed("\(database) holds no site after an import")
        }
        (plan, names, saved) = loaded
    }

    /// What its topics are called.
    var topics: SiteTopics { SiteTopics(site: names.site) }
}
