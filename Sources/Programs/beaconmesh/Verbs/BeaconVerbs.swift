import ArgumentParser
import Basics
import Foundation
import Operations
import Platform
import Registry
import Reporting
import SiteClient
import SiteService
import SiteModel

enum BeaconOperations: OperationGroup {
    static let name = "beacon"
    static let abstract = "Adds, shows, changes, swaps and retires beacons."
    static let command = "rows"
    static let beside = ["bind", "unbind", "history"]
}

/// `beaconmesh beacon`: the rows of beacons, and who carries them.
struct BeaconVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacon", abstract: "Keeps the beacons of a site, and who carries them.",
        subcommands: [
            OperationVerb<BeaconOperations>.self, Bind.self, Unbind.self, History.self,
        ],
        defaultSubcommand: OperationVerb<BeaconOperations>.self)

    /// The row as it is then.
    private static func change(_ typed: Given.Texts, _ options: BooksOptions) throws -> SiteTree {
        guard let operation = SiteService.Operation.named("beacon-change") else {
            preconditionFailure("beacons have changes")
        }
        let json = try options.place.perform(operation, as: options.asker, typed) {
            try operation.meant($0, in: $1)
        }
        return try SiteTree(json: String(decoding: json, as: UTF8.self))
    }

    struct Bind: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Gives a beacon to somebody from now on.")

        @Argument(help: "The beacon: its id or its title.")
        var id: String

        @Argument(help: "Who: their id (u-…) or their name.")
        var user: String

        @Option(
            help: "The last day they carry it, 2026-12-31, or a moment, 2026-12-31T18:00:00+01:00.")
        var until: String?

        @OptionGroup var options: BooksOptions

        func run() async throws {
            let row = try BeaconVerb.change(
                [("id", id), ("user", user), ("until", until ?? "")], options)
            print(
                "\(row["user"]?.string ?? "") carries \(row["id"]?.string ?? "")"
                    + (until.map { " until \($0)" } ?? ""))
        }
    }

    struct Unbind: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Takes a beacon back: nobody carries it from now on.")

        @Argument(help: "The beacon: its id or its title.")
        var id: String

        @OptionGroup var options: BooksOptions

        func run() async throws {
            let row = try BeaconVerb.change(
                [("id", id), ("user", ""), ("until", "")], options)
            print("nobody carries \(row["id"]?.string ?? "")")
        }
    }

    struct History: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows who carried a beacon, and what it was recognised by.")

        @Argument(help: "The beacon: its id or its title.")
        var id: String

        @OptionGroup var options: BooksOptions

        @OptionGroup var times: TimeOptions

        private struct Whole: Encodable {
            var bindings: [BeaconHistory.Bound]
            var identities: [BeaconHistory.Known]
        }

        func run() async throws {
            let (whole, clock) = try options.read { store in
                let history = BeaconHistory(store)
                // One that is retired has its id only.
                let id =
                    try history.bindings(of: self.id) == nil
                    ? try SiteRows(reading: store).find(.beacons, self.id) : self.id
                guard let bindings = try history.bindings(of: id),
                    let identities = try history.identities(of: id)
                else { preconditionFailure("a beacon that never was") }
                return (
                    Whole(bindings: bindings, identities: identities),
                    try times.clock(of: store, at: options.now)
                )
            }
            if options.json { return try options.print(json: whole) }
            func text(_ moment: Int64?) -> String {
                moment.map { clock.text(Timestamp(milliseconds: $0)) } ?? "–"
            }
            var carriers = TextTable(["carried by", "from", "until"])
            for line in whole.bindings {
                carriers.add([line.user, text(line.from_ms), text(line.to_ms)])
            }
            var identities = TextTable(["recognised by", "from", "until"])
            for line in whole.identities {
                identities.add([line.identity, text(line.from_ms), text(line.to_ms)])
            }
            print(carriers.text)
            print()
            print(identities.text)
            print(clock.line)
        }
    }
}
