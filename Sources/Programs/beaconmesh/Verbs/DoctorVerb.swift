import ArgumentParser
import Diagnostics
import Foundation

/// `beaconmesh doctor`: looks for what keeps things from working, and says what to do.
struct DoctorVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Looks for what keeps things from working, and says what to do.",
        discussion: """
            Looks at adapter, switches, privileges and clock of this machine and, for each \
            configuration named, at everything that program needs: the file itself, its broker \
            (connects, signs in, tries what it must read and write), its directories and disk, database, \
            outbox and port. Changes nothing. Ends with status 0 if nothing is at fault, else 1. \
            Run it as root or as the user of the service to see what the service sees.
            """)

    @Option(
        parsing: .upToNextOption,
        help: """
            node.yaml, coordinator.yaml or site.yaml, also several. (default: those of them that \
            are in /etc/beaconmesh)
            """)
    var config: [String] = []

    @Flag(help: "Write one JSON object.")
    var json = false

    @Flag(help: "Read databases through, as their coordinator does when it starts.")
    var deep = false

    func run() async throws {
        let files =
            config.isEmpty
            ? Examination.usual.filter { FileManager.default.fileExists(atPath: $0) } : config
        let findings = Diagnosis.findings(of: Examination(files: files, isDeep: deep).facts())
        print(
            json
                ? String(decoding: DoctorReport.json(findings), as: UTF8.self)
                : DoctorReport.text(findings))
        if findings.contains(where: { $0.level == .fault }) { throw ExitCode(1) }
    }
}
