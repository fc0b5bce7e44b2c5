import ArgumentParser
import Broker
import Daemon
import Foundation
import Storage

/// Where the site is that is to be calibrated.
struct CalibrationDatabase: ParsableArguments {
    @Option(help: "The coordinator's YAML file: broker and database are taken from it.")
    var config: String?

    @Option(help: "The site's database, in place of --config where no broker is needed.")
    var database: String?

    func validate() throws {
        guard (config == nil) != (database == nil) else {
            throw ValidationError("give one of --config and --database")
        }
    }

    /// Opens the site.
    func site() throws -> CalibrationSite {
        if let database { return try CalibrationSite(database: database) }
        return try CalibrationSite(database: try Self.settings(config ?? "").sites[0].database)
    }

    /// Reads the coordinator's file.
    static func settings(_ config: String) throws -> CoordinatorConfiguration {
        do {
            return try CoordinatorConfiguration(reading: config)
        } catch {
            throw Exit(code: 78, text: "\(error)")
        }
    }
}

/// Whom to follow at a running site.
struct CalibrationListening: ParsableArguments {
    @Option(help: "The coordinator's YAML file: broker and database are taken from it.")
    var config: String

    @Option(help: "The beacon that is carried, as in site.yaml.")
    var beacon: String?

    @Option(help: "Whose beacons are carried: the slug or the whole name of a user.")
    var user: String?

    func validate() throws {
        guard (beacon == nil) != (user == nil) else {
            throw ValidationError("give one of --beacon and --user")
        }
    }

    /// Opens the site and begins to listen.
    func follow() throws -> Following {
        StopSignal.install()
        let settings = try CalibrationDatabase.settings(config)
        let site = try CalibrationSite(database: settings.sites[0].database)
        let clock = AnchoredClock()
        let subjects = try site.subjects(beacon: beacon, user: user, at: clock.now)
        let address = BrokerAddress(
            host: settings.broker.host, port: settings.broker.port,
            username: settings.broker.username,
            password: try Secret.read(settings.broker.passwordFile),
            version: settings.broker.version)
        return try Following(subjects, at: site, address: address, clock: clock)
    }
}

/// A line on standard error that is written over on a terminal.
struct StatusLine {
    private let terminal = Terminal(descriptor: 2)

    /// Shows a line.
    func show(_ line: String) {
        guard let terminal else {
            DemoVerb.say(line + "\n")
            return
        }
        DemoVerb.say("\r" + String(line.prefix(terminal.size.columns - 1)) + "\u{1B}[K")
    }

    /// Leaves the line.
    func end() { if terminal != nil { DemoVerb.say("\n") } }
}
