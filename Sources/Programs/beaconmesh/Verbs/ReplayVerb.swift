import ArgumentParser
import CoordinatorService
import Platform

/// `beaconmesh replay FILE`: runs a recording through the pipeline.
struct ReplayVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Runs a recording through the core and prints the digest of its decisions.")

    @Argument(help: "The recording.")
    var file: String

    func run() async throws {
        let replay: Replay
        do {
            replay = try Replay(path: file)
        } catch let error as Replay.Failure {
            throw Exit(code: 1, text: error.description)
        }
        print(
            "digest sha256:\(replay.digest) decisions \(replay.decisions) inputs \(replay.inputs)")
        if let recorded = replay.recorded, recorded != replay.digest {
            throw Exit(
                code: 1,
                text: """
                    the live run ended with digest sha256:\(recorded): \
                    another version of the core, or a restart in between
                    """)
        }
    }
}
