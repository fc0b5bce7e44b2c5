import ArgumentParser
import Foundation
import Glibc
import Platform

/// `mesh-lab bench`: measures what this build does on this machine.
package struct BenchVerb: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures speed and memory on this machine, a line a figure: name value unit.",
        discussion: """
            Rates and times are medians of several rounds; memory is what a process held at the \
            end, MB being 1,000,000 bytes. A figure that needs something this machine lacks is \
            skipped with the reason. One that fails makes the exit code 1; one that misses its \
            bar does not.
            """)

    @Option(help: "What is simulated follows from this number.")
    package var seed: UInt64 = 7

    @Flag(help: "End within a minute: fewer rounds, shorter histories.")
    package var quick = false

    @Flag(help: "Print one JSON object instead, with extremes, limits and bars.")
    package var json = false

    @Option(help: "Write in this directory: the disk below it is the one that is measured.")
    package var directory: String?

    @Option(help: "Take only this figure; may be given several times.")
    package var only: [String] = []

    /// Seconds of a quick run, with a few to spare for ending.
    private static let minute = 54.0

    package init() {}

    package func validate() throws {
        let names = Experiment.all.flatMap(\.figures)
        for name in only where !names.contains(name) {
            throw ValidationError(
                "--only: no figure is called \(name); there are \(names.joined(separator: ", "))")
        }
    }

    package func run() async throws {
        StopSignal.install()
        let folder = try folder()
        // Nothing is lost if it stays: it holds only what was made up.
        defer { _ = try? FileManager.default.removeItem(atPath: folder) }
        try await LoopThread.run { try measure(in: folder) }
    }

    private func measure(in folder: String) throws {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        var report = BenchReport(
            commit: Machine.commit(of: program), machine: Machine(), seed: seed)
        if Machine.isDebug {
            StandardError.write("bench: this is a debug build, its figures are no use\n")
        }
        let context = BenchContext(folder: folder, seed: seed, isQuick: quick)
            .limited(to: Self.minute)
        do {
            // What one does not need of its share the next ones may take.
            let wanted = Experiment.all.filter(isWanted)
            let shares = wanted.reduce(0) { $0 + $1.share }
            var end = 0.0
            for experiment in wanted {
                end += experiment.share / shares * Self.minute
                context.say("measuring \(experiment.figures.joined(separator: ", "))")
                let known = report.figures.count
                try report.take(experiment, in: context.limited(to: end - context.elapsed))
                if json { continue }
                for figure in report.figures.dropFirst(known) { try write(figure.line) }
            }
        } catch let stop as BenchFailure {
            throw Exit(code: 130, text: "bench: \(stop)")
        }
        if json { try write(report.json) }
        for skipped in report.skipped {
            StandardError.write("bench: \(skipped.name) skipped: \(skipped.reason)\n")
        }
        for figure in report.figures where !figure.isWithinBars {
            StandardError.write("bench: \(figure.name) misses its bar\n")
        }
        guard report.failures.isEmpty else {
            let lines = report.failures.map { "bench: \($0.name) failed: \($0.reason)" }
            throw Exit(code: 1, text: lines.joined(separator: "\n"))
        }
    }

    /// Writes a line at once, not when a buffer is full: a person may be watching.
    private func write(_ line: String) throws {
        try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
    }

    private func isWanted(_ experiment: Experiment) -> Bool {
        only.isEmpty || experiment.figures.contains { only.contains($0) }
    }

    private func folder() throws -> String {
        let parent = directory.map { URL(fileURLWithPath: $0).path } ?? NSTemporaryDirectory()
        let path = URL(fileURLWithPath: parent).appendingPathComponent(
            "beaconmesh-bench-\(getpid())"
        ).path
        guard mkdir(path, 0o700) == 0 else {
            throw Exit(
                code: 1, text: "\(path): cannot be made: \(String(cString: strerror(errno)))")
        }
        return path
    }
}
