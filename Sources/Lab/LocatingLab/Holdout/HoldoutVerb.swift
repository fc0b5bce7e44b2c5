import ArgumentParser
import Platform

/// `mesh-lab holdout`: how the locator does where nobody tuned it.
package struct HoldoutVerb: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "holdout",
        abstract: "Scores the blend and its engines on cases that leave out places and days.",
        discussion: """
            From the recordings in each folder cases are made that nobody tuned for: learned from \
            other runs or other days, with a third or half of the receivers, thinned, with receivers \
            that are unlike, or became so after the survey. Rules are judged by the mean over all of \
            them: a constant that one recording alone wants is wrong.
            """)

    @Argument(help: ArgumentHelp("Recorded places, or folders of such.", valueName: "DIR"))
    package var folders: [String]

    @Option(help: "From 0, rather late than wrong, to 1, rather wrong than late.")
    package var quickness = 0.5

    @Flag(help: "Tell how far it is even if standard error is no terminal.")
    package var progress = false

    package init() {}

    package func run() async throws {
        guard (0...1).contains(quickness) else {
            throw Exit(code: 2, text: "--quickness \(quickness): not within 0 and 1")
        }
        let places = try folders.flatMap { try RecordedPlace.all(in: $0) }
        let table = try HoldoutTable(places, quickness: quickness)
        guard !table.cases.isEmpty else {
            throw Exit(code: 78, text: "no recording here has another one to learn from")
        }
        var meter = ProgressMeter(isForced: progress)
        let scores = await table.scores { meter.tell($0) }
        meter.end()
        print(table.text(scores))
    }
}
