import ArgumentParser
import Broker
import Calibration
import CoordinatorService
import Foundation
import Scanner
import SiteStore
import Platform

extension DatabaseOptions {
    /// Opens the site that is to be calibrated; `isReading`: only looked at.
    func site(isReading: Bool = false) throws -> CalibrationSite {
        let path = try path()
        return try isReading
            ? CalibrationSite(database: path, isReading: true) : CalibrationSite(writing: path)
    }
}

extension CalibrationSite {
    /// Opens a site that is written later: whoever cannot write learns that before they walk about.
    init(writing database: String) throws {
        if FileManager.default.fileExists(atPath: database) {
            try Self.with(database) { _ in }
        }
        try self.init(database: database, isReading: true)
    }

    /// Writes, and returns after it is stored; the site as it is read here may be what it was before.
    @discardableResult
    func write(_ write: SiteWrite) throws -> SiteWritten {
        try Self.with(store.path) { try $0.write(write) }
    }

    private static func with<Value>(
        _ database: String, _ body: (SiteAccess) throws -> Value
    ) throws -> Value {
        do {
            return try SiteAccess.with(database, as: NSUserName(), body)
        } catch let fault as WriteFault {
            let code: Int32 =
                switch fault.kind {
                case .full, .unanswered: Exit.unfinished
                case .database: 78
                case .refused: fault.code
                }
            throw Exit(code: code, text: fault.text)
        } catch let error as StoreError {
            throw Exit(code: error == .full ? Exit.unfinished : 78, text: "\(error)")
        }
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
        let site = try CalibrationSite(writing: settings.sites[0].database)
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
