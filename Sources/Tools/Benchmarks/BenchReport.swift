import Foundation

/// What a run of `beaconmesh bench` found.
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
