import ArgumentParser
import Glibc
import Platform

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
        StandardError.line(error.text)
        exit(error.code)
    } catch  where command.exitCode(for: error) == .validationFailure && isToldApart {
        StandardError.line(command.fullMessage(for: error))
        exit(2)
    } catch {
        command.exit(withError: error)
    }
}

private var isToldApart: Bool { CommandLine.arguments.dropFirst().first == "locate" }
