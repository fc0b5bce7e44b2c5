import ArgumentParser
import Foundation
import Platform

/// `mesh-lab locate`: runs recorded readings through the locator.
package struct LocateVerb: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "locate",
        abstract:
            "Says where transmitters of a recording were, as the coordinator would have said.",
        discussion: """
            DATASET.json gives receivers, zones, and coordinates where they are known. Readings come \
            from standard input or --readings: t_seconds,receiver_id,transmitter_id,rssi_dbm, also \
            compressed. Printed is t_seconds,transmitter_id,zone,confidence for each whole second \
            and transmitter, decided from what was heard until then. Exit code 2 tells of wrong \
            arguments, 78 of faulty files.
            """)

    @Option(help: ArgumentHelp("The site of the recording.", valueName: "DATASET.json"))
    package var site: String?

    @Option(help: ArgumentHelp("The recording; else it is standard input.", valueName: "FILE"))
    package var readings: String?

    @Option(
        name: .customLong("calibrate-on"),
        help: ArgumentHelp(
            "Learn from a recording's true_zone or from fingerprints; may repeat.",
            valueName: "FILE"))
    var calibrateOn: [String] = []

    @Option(
        help: ArgumentHelp(
            "Learn by how much receivers differ from what was recorded before; may repeat.",
            valueName: "FILE"))
    var warmUp: [String] = []

    @Option(help: "auto, zone-level, spot, threshold or nearest.")
    package var method = "auto"

    @Option(help: "From 0, rather late than wrong, to 1, rather wrong than late.")
    package var quickness = 0.5

    @Option(
        help: ArgumentHelp(
            "Leave so many readings a second of each receiver and transmitter, by chance.",
            valueName: "HZ"))
    package var thin: Double?

    @Option(
        help: ArgumentHelp(
            "A receiver whose readings vanish without notice; may repeat.", valueName: "RECEIVER"))
    package var drop: [String] = []

    @Option(
        help: ArgumentHelp(
            "A receiver that is dead and known to be; may repeat.", valueName: "RECEIVER"))
    package var dead: [String] = []

    @Option(
        help: ArgumentHelp(
            "Draw true and decided zones and their probabilities over time.", valueName: "out.svg"))
    var plot: String?

    @Option(
        help: ArgumentHelp(
            "The truth to draw, else the true_zone of the readings: t_start,t_end,transmitter_id,zone.",
            valueName: "FILE"))
    package var truth: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Compare all rules on recorded places, or on all places in a folder, instead.",
            valueName: "DIR"))
    package var compare: [String] = []

    @Flag(help: "With --compare: a table for each sequence instead of each kind of sequence.")
    package var sequences = false

    @Flag(help: "With --compare: print JSON.")
    package var json = false

    @Flag(help: "Tell how far it is even if standard error is no terminal.")
    package var progress = false

    package init() {}

    package func run() async throws {
        if !compare.isEmpty { return try await runComparison() }
        let request = try LocateRequest(
            site: try given(site, "--site DATASET.json"), readings: readings,
            calibration: calibrateOn, warmUp: warmUp, method: method, quickness: quickness,
            thin: thin, drop: drop,
            dead: dead, plot: plot, truth: truth)
        guard readings != nil || isatty(STDIN_FILENO) == 0 else {
            throw Exit(code: 2, text: "give --readings FILE, or readings on standard input")
        }
        var output = Output()
        var meter = ProgressMeter(isForced: progress)
        try request.run(
            tell: { StandardError.line("\($0)") },
            progress: { meter.tell($0) }
        ) { try output.add($0) }
        try output.flush()
        meter.end()
    }

    private func runComparison() async throws {
        guard (0...1).contains(quickness) else {
            throw Exit(code: 2, text: "--quickness \(quickness): not within 0 and 1")
        }
        let places = try compare.flatMap { try RecordedPlace.all(in: $0) }
        let comparison = try LocateComparison(
            places, quickness: quickness, warmUp: warmUp
        ) { StandardError.line("\($0)") }
        var meter = ProgressMeter(isForced: progress)
        let scores = await comparison.scores { meter.tell($0) }
        meter.end()
        let report = ComparisonReport(comparison, scores, bySequence: sequences)
        print(json ? report.json : report.text)
    }

    private func given(_ value: String?, _ option: String) throws -> String {
        guard let value else { throw Exit(code: 2, text: "\(option) is missing") }
        return value
    }
}
