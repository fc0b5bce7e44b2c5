import ArgumentParser
import CoordinatorService
import Foundation
import SiteModel
import SiteStore
import Platform

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

    /// Reads from the store, beside whoever writes it; what it throws ends the verb with 1.
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
