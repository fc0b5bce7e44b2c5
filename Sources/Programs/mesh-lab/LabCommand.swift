import ArgumentParser
import Benchmarks
import LocatingLab
import Scenarios
import SiteModel

/// `mesh-lab`: what developers measure and compare with.
struct LabCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mesh-lab",
        abstract: "Simulates sites, scores and compares ways of locating, measures speed.",
        version: CoreVersion.text,
        subcommands: [
            SimulateVerb.self, LocateVerb.self, HoldoutVerb.self, BenchVerb.self,
        ])
}
