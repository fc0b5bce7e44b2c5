import ArgumentParser
import Foundation
import Platform
import SiteModel
import SiteService

/// Whom `api` and `do` ask: the coordinator of this machine as its owner, or one elsewhere with a token.
package struct AskingOptions: ParsableArguments {
    @Option(
        help: "The header Idempotency-Key: asked again with the same, it is answered alike.")
    package var key: String?

    @Option(help: "Ask the coordinator at this address, as https://gym.example.org.")
    package var server: String?

    @Option(help: "The file with the token for --server, as token add showed it.")
    package var tokenFile: String?

    @OptionGroup package var place: DatabaseOptions

    package init() {}

    package func validate() throws {
        guard tokenFile == nil || server != nil else {
            throw ValidationError("--token-file: give --server, too; the socket needs no token")
        }
    }

    /// Asks, through the socket beside the database unless a server is given. Throws an `Exit` if nobody
    /// answers.
    package func ask(
        _ method: String, _ path: String, _ headers: [(String, String)], _ body: Data
    ) throws -> (status: Int, head: String, body: Data) {
        let headers = headers + (key.map { [("Idempotency-Key", $0)] } ?? [])
        guard let server else {
            return try SiteAccess.ask(try place.path(), method, path, headers, body)
        }
        let token = try Secret.read(tokenFile)
        return try RemoteSite(server, token: token).exchange(method, path, headers, body)
    }

    /// Prints what was answered. Throws the exit code of a refusal.
    package static func show(_ answer: (status: Int, head: String, body: Data)) throws {
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
}
