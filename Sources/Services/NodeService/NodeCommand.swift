import Glibc
import Outbox
import Platform

/// `beacon-node`: receives advertisements and publishes what it hears.
package enum NodeCommand {
    /// As in `--version` and in the node's retained status.
    static let version = "0.1.0"

    private static let usage = """
        usage: beacon-node --config FILE [--check]
               beacon-node join HOST CODE | FILE
               beacon-node --help | --version

        Listens to Bluetooth beacons and tells an MQTT broker what it hears.

          join           makes this machine a node of a site: see beacon-node join --help

          --config FILE  the YAML file that says which radio, which broker, who we are
          --check        check the configuration and leave

        Leaves with 0 after SIGTERM or SIGINT, 64 for wrong arguments, 74 when the outbox cannot be
        opened, 75 to be started again after the command `restart`, 78 for a wrong configuration.
        """

    /// Runs until told to stop; the process's exit code (sysexits.h).
    package static func run(_ arguments: [String]) -> Int32 {
        guard arguments.first != "join" else { return join(arguments.dropFirst()) }
        guard let request = ServiceArguments(arguments) else {
            StandardError.line(usage)
            return EX_USAGE
        }
        switch request {
        case .help: print(usage)
        case .version: print("beacon-node \(version)")
        case .check(let config), .run(let config, _):
            do {
                let settings = try NodeSettings(file: config)
                if case .check = request {
                    print("\(config): ok")
                    for line in settings.keys.names { print(line) }
                } else {
                    StopSignal.install()
                    return try NodeLoop(settings).run()
                }
            } catch let error as OutboxError {
                StandardError.line("the outbox cannot be used: \(error)")
                return EX_IOERR
            } catch {
                StandardError.line("\(error)")
                return EX_CONFIG
            }
        }
        return EX_OK
    }

    private static func join(_ arguments: ArraySlice<String>) -> Int32 {
        if arguments.contains("--help") || arguments.contains("-h") {
            print(JoinCommand.usage)
            return EX_OK
        }
        do throws(Exit) {
            try JoinCommand(arguments).run()
            return EX_OK
        } catch {
            StandardError.line(error.text)
            return error.code
        }
    }
}
