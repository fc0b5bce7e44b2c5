import ArgumentParser
import Foundation
import Records
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

    /// Writes to the store; what it throws ends the verb with 1. Verbs that only read use `read`.
    func with<Value>(_ body: (Store) throws -> Value) throws -> Value { try place.with(body) }

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

extension Exit {
    /// A refusal by the books: 64 for a wrong question, 3 not found, 4 in conflict with what is
    /// there, 5 refused.
    package init(_ refusal: BooksRefusal) {
        let code: Int32 =
            switch refusal.code {
            case .badRequest: 64
            case .notFound: 3
            case .overlap, .revisionConflict, .alreadyIn, .notIn, .alreadyActive, .stationInUse: 4
            case .unavailable: 75
            case .badState, .badTime, .ambiguousTime, .nonexistentTime, .lockedPeriod,
                .reasonRequired, .consentRequired, .forbidden:
                5
            }
        self.init(code: code, text: "\(refusal.code.rawValue): \(refusal.text)")
    }
}
