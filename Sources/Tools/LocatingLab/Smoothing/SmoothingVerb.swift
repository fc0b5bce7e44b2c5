import ArgumentParser
import Foundation

/// `beaconmesh bench smoothing DIR`: which way of steadying levels serves the locator best.
package struct SmoothingVerb: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "smoothing",
        abstract: "Compares ways of steadying levels on recordings with known positions.",
        discussion: """
            DIR holds a directory for each place: dataset.json, and for each sequence \
            ID.readings.csv.gz (t_seconds,receiver_id,transmitter_id,rssi_dbm) and ID.truth.csv \
            (t_start,t_end,transmitter_id,zone). Each rule makes a level a second out of the \
            readings of each link; the coordinator's own locator decides from these. Printed are \
            the share of seconds with the right zone, changes said for each true one, and the \
            median seconds until a change was noticed; in the end, over all columns and disturbances, \
            what a rule loses against the best one.
            """)

    @Argument(help: "The directory with the recordings.")
    package var directory: String

    // `bench` itself has `--seed` and `--only`, and would take them for its own.
    @Option(help: "Thinning and disturbances follow from this number.")
    package var dice: UInt64 = 7

    @Flag(help: "A column for each sequence instead of each kind of sequence.")
    package var sequences = false

    @Option(help: "Take only rules whose name contains this.")
    package var rule: String?

    package init() {}

    package func run() async throws {
        let places = try RecordedPlace.all(in: directory)
        let rules = NamedRule.all.filter { rule.map($0.name.contains) ?? true }
        var comparison = SmoothingComparison(rules: rules)
        for disturbance in Disturbance.allCases {
            comparison.take(disturbance, places, seed: dice, bySequence: sequences)
            print(comparison.table(of: disturbance), terminator: "\n\n")
        }
        print(comparison.summary)
    }
}
