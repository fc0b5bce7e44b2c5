import ArgumentParser
import Foundation
import Platform
import SiteClient

/// `beaconmesh api METHOD PATH`: any request to the coordinator of this machine, as its owner.
struct APIVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api", abstract: "Asks a running coordinator for any path.",
        discussion: """
            Through the socket beside the database, as the owner and without a token; with --server from \
            any machine, with a token. Prints the body; ends with 0 if it is done, 69 if nobody answers, \
            else as docs/codes.md says of each refusal.

            beaconmesh api GET /api/v1/accounts
            beaconmesh api --server https://gym.example.org --token-file token GET /api/v1/shifts
            beaconmesh api PATCH /api/v1/stations/rower '{"name": "Rower 1"}'
            """)

    @Argument(help: "GET, POST, PUT, PATCH or DELETE.")
    var method: String

    @Argument(help: "The path from /, with its query.")
    var path: String

    @Argument(help: "The body: JSON, or - to read it from standard input.")
    var body: String?

    @Option(help: "The header If-Match.")
    var ifMatch: String?

    @Flag(help: "Print the status and the headers, too.")
    var include = false

    @OptionGroup var asking: AskingOptions

    func run() async throws {
        let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
        guard methods.contains(method.uppercased()) else {
            throw Exit(
                code: 64, text: "“\(method)”: expected one of \(methods.joined(separator: ", "))")
        }
        guard path.hasPrefix("/"), path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Exit(code: 64, text: "the path begins with / and has visible ASCII only")
        }
        let sent =
            body == "-" ? FileHandle.standardInput.readDataToEndOfFile() : Data((body ?? "").utf8)
        let type = path.hasSuffix(".yaml") ? "application/yaml" : "application/json"
        var headers = [("Content-Type", type)]
        if let ifMatch { headers.append(("If-Match", ifMatch)) }
        let answer = try asking.ask(method.uppercased(), path, headers, sent)
        if include { print(answer.head + "\n") }
        try AskingOptions.show(answer)
    }
}
