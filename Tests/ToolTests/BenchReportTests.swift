import Foundation
import Testing

@testable import Benchmarks

/// One figure that cannot be taken costs nobody the others.
struct BenchReportTests {
    let context = BenchContext(folder: "/nonexistent", seed: 7, isQuick: true, searchPath: "")
    var report = BenchReport(commit: nil, machine: Machine(), seed: 7)

    func experiment(_ names: [String], _ failure: BenchFailure?) -> Experiment {
        Experiment(figures: names, share: 1) { _ in
            if let failure { throw failure }
            return names.map { Figure($0, unit: "s", Samples(rounds: [1])) }
        }
    }

    @Test mutating func `what lacks something is skipped with its reason`() throws {
        try report.take(experiment(["a", "b"], .skipped("no broker")), in: context)
        #expect(
            report.skipped == [
                .init(name: "a", reason: "no broker"), .init(name: "b", reason: "no broker"),
            ])
        #expect(report.failures.isEmpty)
    }

    @Test mutating func `a failure is kept and the next figure taken`() throws {
        try report.take(experiment(["a"], .failed("it broke")), in: context)
        try report.take(experiment(["b"], nil), in: context)
        #expect(report.failures == [.init(name: "a", reason: "it broke")])
        #expect(report.skipped.isEmpty)
        #expect(report.figures.map(\.name) == ["b"])
    }

    @Test mutating func `what has no time left in a quick run is skipped`() throws {
        try report.take(experiment(["a"], nil), in: context.limited(to: 0.5))
        #expect(report.skipped.map(\.name) == ["a"])
        #expect(report.figures.isEmpty)
    }

    @Test mutating func `the wish to stop is no failure`() {
        #expect(throws: BenchFailure.stopped) {
            try report.take(experiment(["a"], .stopped), in: context)
        }
        #expect(report.failures.isEmpty)
    }

    @Test mutating func `the object has the promised keys`() throws {
        try report.take(experiment(["a"], nil), in: context)
        let data = Data(try report.json.utf8)
        let object = try #require(
            try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(
            object.keys.sorted() == [
                "commit", "figures", "machine", "seed", "skipped", "version",
            ])
        #expect(object["version"] as? Int == 1)
        #expect(object["seed"] as? Int == 7)
        #expect(object["commit"] is NSNull)
    }

    @Test func `a quick run leaves each experiment its share of one minute`() {
        #expect(Experiment.all.reduce(0) { $0 + $1.share } <= 54)
        let names = Experiment.all.flatMap(\.figures)
        #expect(Set(names).count == names.count)
    }

    @Test func `a quick round that has no time left is still taken once`() throws {
        var rounds: [Int] = []
        let samples = try context.limited(to: 0).samples { round in
            rounds.append(round)
            return 1
        }
        // Round 0 is the one that does not count.
        #expect(rounds == [0, 1])
        #expect(samples.count == 1)
    }
}
