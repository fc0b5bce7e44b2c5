import Daemon
import Glibc
import Outbox
import Settings

/// `beacon-node`: listens to beacons and tells the broker what it hears.
enum NodeCommand {
    /// As in `--version` and in the node's retained status.
    static let version = "0.1.0"

    private static let usage = """
        usage: beacon-node --config FILE [--check]
               beacon-node --help | --version

        Listens to Bluetooth beacons and tells an MQTT broker what it hears.

          --config FILE  the YAML file that says which radio, which broker, who we are
          --check        check the configuration and leave

        Leaves with 0 after SIGTERM or SIGINT, 64 for wrong arguments, 74 when the outbox cannot be
        opened, 75 to be started again after the command `restart`, 78 for a wrong configuration.
        """

    private enum Request {
        case run(config: String)
        case check(config: String)
        case help
        case version
    }

    /// Runs until told to stop; the process's exit code (sysexits.h).
    static func run(_ arguments: [String]) -> Int32 {
        guard let request = parse(arguments) else {
            Log.write(usage)
            return EX_USAGE
        }
        switch request {
        case .help: print(usage)
        case .version: print("beacon-node \(version)")
        case .check(let config), .run(let config):
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
                Log.write("the outbox cannot be used: \(error)")
                return EX_IOERR
            } catch {
                Log.write("\(error)")
                return EX_CONFIG
            }
        }
        return EX_OK
    }

    /// `nil` for anything it does not understand.
    private static func parse(_ arguments: [String]) -> Request? {
        var config: String?
        var isCheck = false
        var rest = arguments[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": return .help
            case "--version": return .version
            case "--check": isCheck = true
            case "--config":
                guard config == nil, let path = rest.popFirst() else { return nil }
                config = path
            default:
                guard config == nil, word.hasPrefix("--config=") else { return nil }
                config = String(word.dropFirst("--config=".count))
            }
        }
        guard let config, !config.isEmpty else { return nil }
        return isCheck ? .check(config: config) : .run(config: config)
    }
}
