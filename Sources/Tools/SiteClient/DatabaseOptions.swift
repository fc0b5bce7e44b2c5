import ArgumentParser
import CoordinatorService
import Foundation
import Glibc
import Operations
import Platform
import Reporting
import SiteModel
import SiteStore
import SiteService

/// Where a site's database is: named, or as the coordinator's configuration has it.
package struct DatabaseOptions: ParsableArguments {
    @Option(help: "The site's database; that of the coordinator's configuration if not given.")
    package var database: String?

    @OptionGroup package var coordinator: ConfigurationOptions

    package init() {}

    /// Refuses both at once: they may name two files.
    package func validate() throws {
        guard database == nil || coordinator.config == nil else {
            throw ValidationError("give one of --database and --config")
        }
    }

    /// The path of the database. Throws an `Exit` if nothing names one.
    package func path() throws -> String {
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
    package func backups() throws -> BackupFolder {
        if let database { return BackupFolder(of: database) }
        return BackupFolder(of: try path(), at: try coordinator.settings()?.sites[0].backups)
    }

    /// Writes to the site, as `SiteAccess.with` has it; what it throws ends the verb, with 78 if the
    /// database is none, 75 if somebody has it. Verbs that only read use `read`.
    package func with<Value>(as asker: String, _ body: (SiteAccess) throws -> Value) throws -> Value
    {
        let path = try path()
        do {
            return try SiteAccess.with(path, as: asker, body)
        } catch {
            throw Self.exit(error)
        }
    }

    /// Does what an operation says with what is typed, which `meant` makes ids of; what it throws ends the verb, as there.
    /// Returns JSON, or nothing. What only reads waits for nobody.
    package func perform(
        _ operation: SiteService.Operation, as asker: String, _ typed: Given.Texts,
        meant: (Given.Texts, Store) throws -> Given.Texts
    ) throws -> [UInt8] {
        let path = try path()
        do {
            guard operation.isRead else {
                return try SiteAccess.with(path, as: asker) { site in
                    try site.perform(operation, try meant(typed, site.store))
                }
            }
            let store = try Store(reading: path)
            defer { store.close() }
            return try operation.answer(try meant(typed, store), by: asker, in: store)
        } catch {
            throw Self.exit(error)
        }
    }

    /// How a verb ends with what writing or reading a site throws.
    package static func exit(_ error: any Error) -> any Error {
        switch error {
        case let fault as WriteFault: Exit(code: fault.code, text: fault.text)
        case let error as StoreError: Exit(refusing: error)
        case let refusal as any Refusing: Exit(refusal)
        default: error
        }
    }

    /// Reads from the store while another process may write; what it throws ends the verb, as there.
    package func read<Value>(_ body: (Store) throws -> Value) throws -> Value {
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
package struct ConfigurationOptions: ParsableArguments {
    /// Where its unit looks for it.
    package static let usual = "/etc/beaconmesh/coordinator.yaml"

    @Option(
        help:
            "The coordinator's YAML file. (default: \(ConfigurationOptions.usual), if it is there)")
    package var config: String?

    package init() {}

    /// What the file says: the one given, else the usual one, else `nil`. Throws an `Exit` with 78
    /// for a faulty one, with 77 where this user may not look.
    package func settings() throws -> CoordinatorConfiguration? {
        if config == nil, access(Self.usual, F_OK) != 0, errno == EACCES {
            throw Exit(code: 77, text: "\(Self.usual) is not for this user to read: use sudo")
        }
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
package struct BooksOptions: ParsableArguments {
    @OptionGroup package var place: DatabaseOptions

    @Option(name: .customLong("as"), help: "Who asks, for the audit; the login if not given.")
    package var actor: String?

    @Flag(help: "Print JSON.")
    package var json = false

    package init() {}

    package var asker: String { actor ?? NSUserName() }

    /// Writes to the site; what it throws ends the verb. Verbs that only read use `read`.
    package func with<Value>(_ body: (SiteAccess) throws -> Value) throws -> Value {
        try place.with(as: asker, body)
    }

    /// Writes what needs nothing looked up before.
    @discardableResult
    package func write(_ write: SiteWrite) throws -> SiteWritten {
        try with { try $0.write(write) }
    }

    /// Reads from the store while another process may write; what it throws ends the verb.
    package func read<Value>(_ body: (Store) throws -> Value) throws -> Value {
        try place.read(body)
    }

    /// What is done now, by the machine's clock.
    package var now: Timestamp { AnchoredClock().now }

    /// Prints a value as one line of JSON.
    package func print(json value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        Swift.print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}

/// In which zone a verb prints times.
package struct TimeOptions: ParsableArguments {
    @Flag(help: "Print times in UTC, not as the clocks of the site show them.")
    package var utc = false

    package init() {}

    /// The clock to print by: the site's, unless UTC was asked for or no site was imported yet.
    package func clock(of store: Store, at now: Timestamp) throws -> ZonedClock {
        guard !utc, try ReportRows(store).site() != nil else { return .utc }
        do {
            return ZonedClock(try ReportDesk(store, now: now).context.calendar, at: now)
        } catch let error as ZoneError {
            throw Exit(code: 1, text: "\(error), or print times with --utc")
        }
    }
}
