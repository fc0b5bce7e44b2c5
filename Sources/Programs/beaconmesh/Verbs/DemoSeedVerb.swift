import Activities
import ArgumentParser
import Demo
import Platform
import Registry
import Reporting
import SiteClient
import SiteService

/// `beaconmesh demo`: a whole site with simulated people, and steps that are made up at one that is there.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Runs a demonstration gym: broker, coordinator, nodes, dashboard.",
        discussion: "Without a subcommand it runs; “beaconmesh help demo run” lists its options.",
        subcommands: [DemoVerb.self, DemoSeedVerb.self], defaultSubcommand: DemoVerb.self)
}

/// `demo seed`
struct DemoSeedVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed",
        abstract: "Makes up steps, so that the page of activity has something to show.",
        discussion: """
            They are of a source of their own, “(demo)”, which counts only on days without any other, is in no CSV \
            and reaches no goal. The same seed makes the same.

            beaconmesh demo seed --days 30
            beaconmesh demo seed --remove
            """)

    @Option(help: "How many days back.")
    var days = 30

    @Option(help: "What is made up follows from this number.")
    var seed: UInt64 = 7

    @Option(help: "Of whom: their id (u-…) or their name; of everybody if not given.")
    var user: String?

    @Flag(help: "Take away all that is made up.")
    var remove = false

    @OptionGroup var books: BooksOptions

    func validate() throws {
        guard (1...ActivityCall.mostDemoDays).contains(days) else {
            throw ValidationError("--days: 1 to \(ActivityCall.mostDemoDays)")
        }
        guard !remove || user == nil else {
            throw ValidationError("--remove takes away all that is made up: leave --user out")
        }
    }

    func run() async throws {
        if remove {
            _ = try books.write(.activity(.removeDemo))
            return print("all steps that were made up are gone")
        }
        let (people, samples) = try books.with { site in
            let slugs =
                try user.map { [try NameResolver.person($0, in: site.store).slug] }
                ?? (try SiteRows(site.store).labels(.users).map(\.id))
            var samples = 0
            // A person at a time: nothing waits for all of them.
            for slug in slugs {
                samples += try site.write(
                    .activity(.demo(user: slug, days: days, seed: seed))
                ).codes.count { $0 == nil }
            }
            return (slugs.count, samples)
        }
        print(
            "\(samples) hours of steps of \(people) people are made up; "
                + "“beaconmesh demo seed --remove” takes them away")
    }
}
