import ArgumentParser
import Broker
import Calibration
import Foundation
import Scanner
import Platform

extension DatabaseOptions {
    /// Opens the site that is to be calibrated.
    func site(isReading: Bool = false) throws -> CalibrationSite {
        try CalibrationSite(database: try path(), isReading: isReading)
    }
}

/// Whom to follow at a running site.
struct CalibrationListening: ParsableArguments {
    @OptionGroup var coordinator: ConfigurationOptions

    @Option(help: "The beacon that is carried: its id or its name.")
    var beacon: String?

    @Option(help: "Whose beacons are carried: their id (u-…) or their name.")
    var user: String?

    func validate() throws {
        guard (beacon == nil) != (user == nil) else {
            throw ValidationError("give one of --beacon and --user")
        }
    }

    /// Opens the site and begins to listen.
    func follow() throws -> Following {
        StopSignal.install()
        guard let settings = try coordinator.settings() else {
            throw Exit(
                code: 64,
                text: "give --config: there is no \(ConfigurationOptions.usual) on this machine")
        }
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

    func show(_ line: String) {
        guard let terminal else {
            StandardError.write(line + "\n")
            return
        }
        StandardError.write("\r" + String(line.prefix(terminal.size.columns - 1)) + "\u{1B}[K")
    }

    /// Leaves the line.
    func end() { if terminal != nil { StandardError.write("\n") } }
}
