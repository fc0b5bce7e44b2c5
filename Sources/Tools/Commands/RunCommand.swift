import ArgumentParser
import Basics
import Glibc
import Platform

/// Parses the arguments of a command, runs it, and ends the process with its exit code: 0, 64 for
/// wrong arguments (2 of `locate`, which promises that), 78 for a wrong configuration, 1 otherwise.
package func runCommand(_ command: any AsyncParsableCommand.Type) async {
    if let fault = UnknownVerb.fault(in: CommandLine.arguments.dropFirst(), of: command) {
        StandardError.line(fault)
        exit(64)
    }
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

/// A word that stands where a verb does and is none: the parser would call it an unexpected argument, or
/// print the help of what comes before it.
package enum UnknownVerb {
    /// What to say about the words of a command line, or `nil` if each verb of it is known.
    package static func fault(
        in words: ArraySlice<String>, of command: any ParsableCommand.Type
    ) -> String? {
        var (rest, command, path) = (words, command, command._commandName)
        let root = path
        let isHelp = rest.first == "help"
        if isHelp { rest = rest.dropFirst() }
        while let word = rest.popFirst(), !word.hasPrefix("-"), word != "help" {
            let verbs = command.configuration.subcommands
            if let verb = verbs.first(where: { names(of: $0).contains(word) }) {
                command = verb
                path += " " + word
                continue
            }
            guard !verbs.isEmpty, isHelp || command.configuration.defaultSubcommand == nil else {
                return nil
            }
            let nearest = Suggestion.nearest(to: word, among: verbs.flatMap(names))
            return "Unknown verb '\(TerminalText.harmless(word))' of \(path). "
                + (nearest.map { "Did you mean '\($0)'?" }
                    ?? "See \(root) help\(path.dropFirst(root.count)).")
        }
        return nil
    }

    private static func names(of command: any ParsableCommand.Type) -> [String] {
        [command._commandName] + command.configuration.aliases
    }
}
