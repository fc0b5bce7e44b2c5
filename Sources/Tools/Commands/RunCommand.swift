import ArgumentParser
import Foundation
import Glibc
import System

/// Parses the arguments of a command, runs it, and ends the process with its exit code: 0, 64 for
/// wrong arguments (2 of `locate`, which promises that), 78 for a wrong configuration, 1 otherwise.
package func runCommand(_ command: any AsyncParsableCommand.Type) async {
    do {
        var parsed = try command.parseAsRoot()
        if var running = parsed as? any AsyncParsableCommand {
            try await running.run()
        } else {
            try parsed.run()
        }
    } catch let error as Exit {
        FileHandle.standardError.write(Data((error.text + "\n").utf8))
        exit(error.code)
    } catch  where command.exitCode(for: error) == .validationFailure && isToldApart {
        FileHandle.standardError.write(Data((command.fullMessage(for: error) + "\n").utf8))
        exit(2)
    } catch {
        command.exit(withError: error)
    }
}

private var isToldApart: Bool { CommandLine.arguments.dropFirst().first == "locate" }
