import SiteInterface
import ArgumentParser
import CoordinatorService
import Foundation
import Platform
import Reporting
import SiteModel
import SiteStore

/// Where a site's database is: named, or as the coordinator's configuration has it.
struct DatabaseOptions: ParsableArguments {
    @Option(help: "The site's database; that of the coordinator's configuration if not given.")
    var database: String?

    @OptionGroup var coordinator: ConfigurationOptions

    /// Refuses both at once: they may name two files.
    func validate() throws {
        guard database == nil || coordinator.config == nil else {
            throw ValidationError("give one of --database and --config")
        }
    }

    /// The path of the database. Throws an `Exit` if nothing names one.
    func path() throws -> String {
        if let database { return database }
        guard let settings = try coordinator.settings() else {
            throw Exit(
                code: 64,
                text: """
                    give --database FILE, or --config with the coordinator's configuration: there \
                    is none at \(ConfigurationOptions.usual)
                    """)
        }
        return settings.sites[0].database
    }

    /// The folder of its backups: the configuration's, unless the database was named. Throws an `Exit` if
    /// nothing names one.
    func backups() throws -> BackupFolder {
        if let database { return BackupFolder(of: database) }
        return BackupFolder(of: try path(), at: try coordinator.settings()?.sites[0].backups)
    }

    /// Writes to the site, as `SiteAccess.with` has it; what it throws ends the verb, with 78 if the
    /// database is none, 75 if somebody has it. Verbs that only read use `read`.
    func with<Value>(as asker: String, _ body: (SiteAccess) throws -> Value) throws -> Value {
        let path = try path()
        do {
            return try SiteAccess.with(path, as: asker, body)
        } catch let fault as WriteFault {
            throw Exit(code: fault.code, text: fault.text)
        } catch let error as StoreError {
            throw Exit(refusing: error)
        }
    }

    /// Reads from the store while another process may write; what it throws ends the verb, as there.
    func read<Value>(_ body: (Store) throws -> Value) throws -> Value {
        let path = try path()
        do {
            let store = try Store(reading: path)
            defer { store.close() }
            return try body(store)
        } catch let error as StoreError {
            throw Exit(refusing: error)
        }
    }
}

/// The coordinator's configuration, for verbs that take database and broker from it.
struct ConfigurationOptions: ParsableArguments {
    /// Where its unit looks for it.
    static let usual = "/etc/beaconmesh/coordinator.yaml"

    @Option(
        help:
            "The coordinator's YAML file. (default: \(ConfigurationOptions.usual), if it is there)")
    var config: String?

    /// What the file says: the one given, else the usual one, else `nil`. Throws an `Exit` with 78
    /// for a faulty one.
    func settings() throws -> CoordinatorConfiguration? {
        guard let file = config ?? Self.usualFile else { return nil }
        do {
            return try CoordinatorConfiguration(reading: file)
        } catch {
            throw Exit(code: 78, text: "\(error)")
        }
    }

    private static var usualFile: String? {
        FileManager.default.fileExists(atPath: usual) ? usual : nil
    }
}

/// What every verb of the books takes: the database, and who asks.
struct BooksOptions: ParsableArguments {
    @OptionGroup var place: DatabaseOptions

    @Option(name: .customLong("as"), help: "Who asks, for the audit; the login if not given.")
    var actor: String?

    @Flag(help: "Print JSON.")
    var json = false

    var asker: String { actor ?? NSUserName() }

    /// Writes to the site; what it throws ends the verb. Verbs that only read use `read`.
    func with<Value>(_ body: (SiteAccess) throws -> Value) throws -> Value {
        try place.with(as: asker, body)
    }

    /// Writes what needs nothing looked up before.
    @discardableResult
    func write(_ write: SiteWrite) throws -> SiteWritten { try with { try $0.write(write) } }

    /// Reads from the store while another process may write; what it throws ends the verb.
    func read<Value>(_ body: (Store) throws -> Value) throws -> Value { try place.read(body) }

    /// What is done now, by the machine's clock.
    var now: Timestamp { AnchoredClock().now }

    /// Prints a value as one line of JSON.
    func print(json value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        Swift.print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}

/// In which zone a verb prints times.
struct TimeOptions: ParsableArguments {
    @Flag(help: "Print times in UTC, not as the clocks of the site show them.")
    var utc = false

    /// The clock to print by: the site's, unless UTC was asked for or no site was imported yet.
    func clock(of store: Store, at now: Timestamp) throws -> ZonedClock {
        guard !utc, try ReportRows(store).site() != nil else { return .utc }
        do {
            return ZonedClock(try ReportDesk(store, now: now).context.calendar, at: now)
        } catch let error as ZoneError {
            throw Exit(code: 1, text: "\(error), or print times with --utc")
        }
    }
}
