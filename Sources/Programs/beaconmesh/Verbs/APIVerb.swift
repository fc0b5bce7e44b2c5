import ArgumentParser
import Foundation
import Platform
import SiteInterface
import SiteModel
import WebServer

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

    @Option(help: "The header Idempotency-Key.")
    var key: String?

    @Option(help: "The header If-Match.")
    var ifMatch: String?

    @Flag(help: "Print the status and the headers, too.")
    var include = false

    @Option(help: "Ask the coordinator at this address, as https://gym.example.org.")
    var server: String?

    @Option(help: "The file with the token for --server, as token add showed it.")
    var tokenFile: String?

    @OptionGroup var place: DatabaseOptions

    func validate() throws {
        guard tokenFile == nil || server != nil else {
            throw ValidationError("--token-file: give --server, too; the socket needs no token")
        }
    }

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
        let headers = [("Content-Type", type), ("Idempotency-Key", key), ("If-Match", ifMatch)]
            .compactMap { name, value in value.map { (name, $0) } }
        let answer = try ask(headers, sent)
        if include { print(answer.head + "\n") }
        FileHandle.standardOutput.write(answer.body)
        guard answer.status >= 400 else { return }
        let problem = try? JSONDecoder().decode(Problem.self, from: answer.body)
        let code = problem.flatMap { ProblemCode(rawValue: $0.code) }
        throw ExitCode((code ?? .internal).exitCode)
    }

    /// What matters of a problem document.
    private struct Problem: Decodable {
        var code: String
    }

    private func ask(
        _ headers: [(String, String)], _ sent: Data
    ) throws -> (status: Int, head: String, body: Data) {
        guard let server else {
            return try SiteAccess.ask(
                try place.path(), method.uppercased(), path, headers, sent)
        }
        let token = try Secret.read(tokenFile)
        return try RemoteSite(server, token: token).exchange(
            method.uppercased(), path, headers, sent)
    }
}
