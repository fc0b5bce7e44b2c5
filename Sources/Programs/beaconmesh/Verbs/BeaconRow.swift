import ArgumentParser
import Basics
import Foundation
import Platform
import Registry
import Reporting
import SiteClient
import SiteService
import SiteModel

enum BeaconRow: RowKind {
    static let kind = SiteCollection.beacons
    static let configuration = CommandConfiguration(
        commandName: "beacon", abstract: "Keeps the beacons of a site, and who carries them.")
    static let more: [any ParsableCommand.Type] = [Bind.self, Unbind.self, History.self]

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
            let (beacon, user, until) = (id, user, until)
            let (id, slug) = try options.with { site in
                let slug = try SiteRows(reading: site.store).find(.users, user)
                let members = [(key: "user", value: slug), ("until", until)]
                return (try site.change(.beacons, beacon, members), slug)
            }
            print("\(slug) carries \(id)" + (until.map { " until \($0)" } ?? ""))
        }
    }

    struct Unbind: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Takes a beacon back: nobody carries it from now on.")

        @Argument(help: "The beacon: its id or its title.")
        var id: String

        @OptionGroup var options: BooksOptions

        func run() async throws {
            let beacon = id
            let id = try options.with { site in
                try site.change(.beacons, beacon, [("user", nil), ("until", nil)])
            }
            print("nobody carries \(id)")
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
