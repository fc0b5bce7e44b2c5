import ArgumentParser
import Calibration
import CoordinatorService
import Foundation
import SiteStore
import Platform
import Registry

/// `beaconmesh import site.yaml`: brings a site's places, people and beacons into its database.
struct ImportVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Shows what a site file would change, then applies it as one revision.",
        discussion: "A running coordinator takes the new revision within two seconds.")

    @Argument(help: "The YAML file that describes the site.")
    var file: String

    @Option(help: "The site's database; made if it is not there.")
    var database: String

    @Flag(help: "Only show what would change.")
    var dryRun = false

    func run() async throws {
        do {
            let document = try SiteFile(reading: file).document
            let store = try opened()
            defer { store.close() }
            let now = AnchoredClock().now
            let changes = try SiteImport(store).plan(importing: document, at: now)
            for change in changes { print(change) }
            // On standard error, so that what reads the changes is not confused.
            for line in SiteWarnings.of(document, learned: try Self.learned(store)) {
                StandardError.write("warning: \(line)\n")
            }
            if dryRun { return }
            let result = try SiteImport(store).importDocument(document, at: now)
            print(
                changes.isEmpty
                    ? "nothing to change: revision \(result.revision) stands"
                    : "revision \(result.revision) is in force")
        } catch {
            throw Exit(code: 78, text: "\(error)")
        }
    }

    /// The slugs of places of which a model is in force.
    /// A dry run writes nothing where there is a site to compare with.
    private func opened() throws(StoreError) -> Store {
        guard dryRun, FileManager.default.fileExists(atPath: database) else {
            return try Store(path: database)
        }
        do {
            return try Store(reading: database)
        } catch .empty {
            return try Store(path: database)
        }
    }

    private static func learned(_ store: Store) throws -> Set<String> {
        guard let (plan, names, _) = try store.load(), let model = plan.model else { return [] }
        return names.learned(in: model)
    }
}
