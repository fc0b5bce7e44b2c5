import Glibc
import SiteEngine
import SiteStore
import Platform

/// `transactions`: commits a second of the facts that single inputs decide, each safe on disk.
/// Held against the same disk's appends of 4 KiB with fdatasync.
enum TransactionBench {
    static func run(_ context: BenchContext) throws -> [Figure] {
        let folder = try context.directory("transactions")
        let site = try BenchSite(
            people: 12, seed: context.seed, in: folder, from: BenchContext.start)
        var batches = Batches(site, seed: context.seed)
        let store = try Store(path: site.database)
        defer { store.close() }
        let seconds = context.amount(quick: 0.4, full: 1.0)
        var appends: [Double] = []
        let samples = try context.samples { round in
            appends.append(
                try Self.appends(to: "\(folder)/appended-\(round)", seconds: seconds))
            return try Self.commits(&batches, to: store, seconds: seconds)
        }
        return [
            Figure(
                "transactions", unit: "transactions/s", samples,
                limit: Figure.Limit(name: "fdatasync-4k", value: Samples(rounds: appends).value))
        ]
    }

    /// Commits a second, of which at least one.
    private static func commits(
        _ batches: inout Batches, to store: Store, seconds: Double
    ) throws -> Double {
        var spent = 0.0
        var count = 0
        while spent < seconds {
            let batch = batches.next()
            let watch = Stopwatch()
            try store.commit(batch)
            spent += watch.seconds
            count += 1
        }
        return Double(count) / spent
    }

    /// Appends a second, each followed by fdatasync, to a new file that is removed again.
    static func appends(to path: String, seconds: Double) throws(BenchFailure) -> Double {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .failed("\(path): \(String(cString: strerror(errno)))") }
        defer {
            close(file)
            unlink(path)
        }
        let page = [UInt8](repeating: 0x5A, count: 4096)
        let watch = Stopwatch()
        var count = 0
        repeat {
            guard write(file, page, page.count) == page.count, fdatasync(file) == 0 else {
                throw .failed("\(path): \(String(cString: strerror(errno)))")
            }
            count += 1
        } while watch.seconds < seconds
        return Double(count) / watch.seconds
    }

    /// What the inputs of an endless day decide, an input's facts at a time.
    private struct Batches {
        private var inputs: SiteInputs
        private var mesh: Mesh
        private var ready: [[Fact]] = []

        init(_ site: BenchSite, seed: UInt64) {
            inputs = SiteInputs(site, seed: seed, from: BenchContext.start)
            mesh = Mesh(plan: site.plan, restoring: site.saved)
        }

        mutating func next() -> [Fact] {
            while ready.isEmpty {
                var decisions: [Decision] = []
                for step in inputs.next() {
                    mesh.handle(step.input, at: step.at, into: &decisions)
                    let facts = decisions.compactMap { decision in
                        if case .fact(let fact) = decision { fact } else { nil }
                    }
                    if !facts.isEmpty { ready.append(facts) }
                    decisions.removeAll(keepingCapacity: true)
                }
                ready.reverse()
            }
            return ready.removeLast()
        }
    }
}
