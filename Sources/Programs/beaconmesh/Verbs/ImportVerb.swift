import ArgumentParser
import Calibration
import CoordinatorService
import Foundation
import Registry
import SiteStore
import Platform
import Registry
import SiteService

/// `beaconmesh import site.yaml`: brings a site's places, people and beacons into its database.
struct ImportVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Shows what a site file would change, then applies it as one revision.",
        discussion: "A running coordinator puts it in force at once.")

    @Argument(help: "The YAML file that describes the site.")
    var file: String

    @Option(help: "The site's database; made if it is not there.")
    var database: String

    @Flag(help: "Only show what would change.")
    var dryRun = false

    @Flag(help: "Also where locked days change; the audit says so.")
    var force = false

    func run() async throws {
        do {
            let document = try SiteFile(reading: file).document
            if dryRun {
                let store = try opened()
                defer { store.close() }
                _ = try Self.show(document, in: store)
                return
            }
            try SiteAccess.with(database, as: "import", isMade: true) { site in
                let isChange = try Self.show(document, in: site.store)
                let revision = try site.write(.importSite(document, force: force)).number
                print(
                    isChange
                        ? "revision \(revision) is in force"
                        : "nothing to change: revision \(revision) stands")
            }
        } catch let exit as Exit {
            throw exit
        } catch let fault as WriteFault where fault.kind == .unanswered || fault.kind == .refused {
            throw Exit(code: fault.code, text: fault.text)
        } catch {
            throw Exit(code: 78, text: "\(error)")
        }
    }

    /// Prints what an import would change, and what to look at; whether it changes anything.
    private static func show(_ document: SiteDocument, in store: Store) throws -> Bool {
        let changes = try SiteImport(store).plan(importing: document, at: AnchoredClock().now)
        for change in changes { print(change) }
        // On standard error, so that what reads the changes is not confused.
        for line in SiteWarnings.of(document, learned: try learned(store)) {
            StandardError.write("warning: \(line)\n")
        }
        if let through = try SiteImport(store).lockedDays(changedBy: document) {
            StandardError.write(
                "warning: another day_start changes days through \(through), which are locked\n")
        }
        return !changes.isEmpty
    }

    /// A dry run writes nothing where there is a site to compare with.
    private func opened() throws(StoreError) -> Store {
        guard FileManager.default.fileExists(atPath: database) else {
            return try Store(path: database)
        }
        do {
            return try Store(reading: database)
        } catch .empty {
            return try Store(path: database)
        }
    }

    /// The slugs of places of which a model is in force.
    private static func learned(_ store: Store) throws -> Set<String> {
        guard let (plan, names) = try store.registry(), let model = plan.model else { return [] }
        return names.learned(in: model)
    }
}
